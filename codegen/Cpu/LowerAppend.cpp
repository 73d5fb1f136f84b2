//===- LowerAppend.cpp - plan.append to a converting copy -===//

#include "codegen/Cpu/LowerTileOps.h"
#include "codegen/Cpu/TileRange.h"

using namespace mlir;
using namespace pi;
using namespace pi::cpu;

void pi::cpu::lowerAppend(plan::AppendOp op, VectorBuilder &b) {
  auto cacheType = cast<MemRefType>(op.getCache().getType());
  int64_t heads = cacheType.getDimSize(0), dim = cacheType.getDimSize(2);
  TileRange range = elementsOf(b, op.getBegin(), op.getEnd(), 0, 1, heads);
  b.loop(range.begin, range.end, 1, [&](Value head) {
    Row source = b.row(op.getRow());
    source.offset = b.mul(head, b.index(dim));
    Row target{op.getCache(), {head, op.getPosition()}, {}};
    b.forChunks(b.index(0), b.index(dim),
                [&](Value j, int64_t n) { b.store(b.load(source, j, n), target, j); });
  });
}
