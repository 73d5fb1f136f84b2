//===- LowerMatvec.cpp - plan.matvec to blocks of dot products -===//

#include "codegen/Cpu/DotRows.h"
#include "codegen/Cpu/LowerTileOps.h"
#include "codegen/Cpu/ScalarRegion.h"
#include "codegen/Cpu/TileRange.h"

using namespace mlir;
using namespace pi;
using namespace pi::cpu;

void pi::cpu::lowerMatvec(plan::MatvecOp op, VectorBuilder &b) {
  auto weightType = cast<MemRefType>(op.getWeight().getType());
  int64_t total = weightType.getDimSize(0), length = weightType.getDimSize(1);
  TileRange range =
      elementsOf(b, op.getBegin(), op.getEnd(), op.getFirst(), op.getPerTile(), total);
  Row input = b.row(op.getInput()), output = b.row(op.getOutput());
  SmallVector<Row> extras =
      llvm::map_to_vector(op.getExtras(), [&](Value extra) { return b.row(extra); });

  b.forRowBlocks(range.begin, range.end, kDotRows, [&](Value first, int64_t count) {
    SmallVector<Row> rows, successors;
    SmallVector<Value> ids;
    for (int64_t i = 0; i < count; ++i) {
      ids.push_back(b.add(first, b.index(i)));
      rows.push_back({op.getWeight(), {ids.back()}, {}});
      Value next = b.clampIndex(b.add(ids.back(), b.index(count)), total - 1);
      successors.push_back({op.getWeight(), {next}, {}});
    }
    for (auto [r, sum] : llvm::zip(ids, dotRows(b, rows, input, length, successors))) {
      SmallVector<Value> args{sum};
      for (const Row &extra : extras)
        args.push_back(b.load(extra, r, 1));
      b.store(applyRegion(b, op.getEpilogue(), args), output, r);
    }
  });
}
