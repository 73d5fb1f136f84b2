//===- DotRows.cpp - Dot products of several rows with one vector -===//

#include "codegen/Cpu/DotRows.h"

using namespace mlir;
using namespace pi::cpu;

/// Bytes that one prefetch brings.
static constexpr int64_t kLineBytes = 64;

SmallVector<Value> pi::cpu::dotRows(VectorBuilder &b, ArrayRef<Row> rows, const Row &input,
                                    int64_t length, ArrayRef<Row> ahead) {
  auto step = [&](Value j, int64_t n, int64_t part, ValueRange sums) {
    Value x = b.load(input, j, n);
    SmallVector<Value> next;
    for (auto [row, sum] : llvm::zip(rows, sums))
      next.push_back(b.fma(b.load(row, j, n), x, sum));
    for (const Row &row : ahead) {
      int64_t bytes = n * row.getElementType().getIntOrFloatBitWidth() / 8;
      if (n > 1 && part * bytes % kLineBytes == 0)
        b.prefetch(row, j);
    }
    return next;
  };
  return b.reduce(b.index(0), b.index(length), rows.size(), 0.0, step,
                  [&](Value l, Value r) { return b.add(l, r); });
}
