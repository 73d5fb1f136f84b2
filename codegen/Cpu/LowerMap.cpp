//===- LowerMap.cpp - plan.map to a loop over vectors -===//

#include "codegen/Cpu/LowerTileOps.h"
#include "codegen/Cpu/ScalarRegion.h"
#include "codegen/Cpu/TileRange.h"

using namespace mlir;
using namespace pi;
using namespace pi::cpu;

void pi::cpu::lowerMap(plan::MapOp op, VectorBuilder &b) {
  int64_t total = cast<MemRefType>(op.getOutput().getType()).getNumElements();
  TileRange range = elementsOf(b, op.getBegin(), op.getEnd(), 0, op.getPerTile(), total);
  Row output = b.row(op.getOutput());
  SmallVector<Row> inputs =
      llvm::map_to_vector(op.getInputs(), [&](Value input) { return b.row(input); });
  b.forChunks(range.begin, range.end, [&](Value j, int64_t n) {
    SmallVector<Value> args =
        llvm::map_to_vector(inputs, [&](const Row &row) { return b.load(row, j, n); });
    Value result = applyRegion(b, op.getBody(), args);
    // A region without inputs yields a scalar.
    b.store(args.empty() ? b.splat(result, n) : result, output, j);
  });
}
