//===- LowerReduce.cpp - plan.reduce to sums down the columns -===//

#include "codegen/Cpu/LowerTileOps.h"
#include "codegen/Cpu/ScalarRegion.h"
#include "codegen/Cpu/TileRange.h"

using namespace mlir;
using namespace pi;
using namespace pi::cpu;

/// Vectors of columns that are summed in registers at once.
static constexpr int64_t kVectors = 4;

void pi::cpu::lowerReduce(plan::ReduceOp op, VectorBuilder &b) {
  auto sizeOf = [](Value partial, unsigned dim) {
    return cast<MemRefType>(partial.getType()).getDimSize(dim);
  };
  int64_t total = sizeOf(op.getPartials().front(), 1);
  TileRange range = elementsOf(b, op.getBegin(), op.getEnd(), 0, op.getPerTile(), total);
  Row output = b.row(op.getOutput());
  SmallVector<Row> extras =
      llvm::map_to_vector(op.getExtras(), [&](Value extra) { return b.row(extra); });

  // Several vectors of columns at once: rows of a partial lie far apart, so whole cache
  // lines are taken from each, and the additions of a column need not wait.
  auto sumColumns = [&](ArrayRef<Value> columns, int64_t n) {
    SmallVector<Value> sums(columns.size(), b.constant(b.getF32(n), 0.0));
    for (Value partial : op.getPartials())
      sums = b.loop(b.index(0), b.index(sizeOf(partial, 0)), 1, sums,
                    [&](Value t, ValueRange carried) {
                      Row row{partial, {t}, {}};
                      SmallVector<Value> next;
                      for (auto [j, sum] : llvm::zip(columns, carried))
                        next.push_back(b.add(sum, b.load(row, j, n)));
                      return next;
                    });
    for (auto [j, sum] : llvm::zip(columns, sums)) {
      SmallVector<Value> args{sum};
      for (const Row &extra : extras)
        args.push_back(b.load(extra, j, n));
      b.store(applyRegion(b, op.getEpilogue(), args), output, j);
    }
  };
  int64_t lanes = b.getLanes();
  Value wideEnd = b.floorEnd(range.begin, range.end, kVectors * lanes);
  b.loop(range.begin, wideEnd, kVectors * lanes, [&](Value j) {
    SmallVector<Value> columns;
    for (int64_t i = 0; i < kVectors; ++i)
      columns.push_back(b.add(j, b.index(i * lanes)));
    sumColumns(columns, lanes);
  });
  b.forChunks(wideEnd, range.end, [&](Value j, int64_t n) { sumColumns(j, n); });
}
