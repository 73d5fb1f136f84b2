//===- DotRows.cpp - Dot products of several rows with one vector -===//

#include "codegen/Cpu/DotRows.h"

using namespace mlir;
using namespace pi::cpu;

/// Bytes that one prefetch brings.
static constexpr int64_t kLineBytes = 64;
/// How far ahead each row is prefetched.
static constexpr int64_t kAheadBytes = 2048;

static int64_t bytesOf(const Row &row) { return row.getElementType().getIntOrFloatBitWidth() / 8; }

ReadAhead::ReadAhead(VectorBuilder &b, ArrayRef<Row> rows, ArrayRef<Row> next, int64_t length)
    : b(b), rows(rows), next(next) {
  if (next.empty())
    return;
  distance = kAheadBytes / bytesOf(rows.front());
  int64_t behind = std::max<int64_t>(length - distance, 0);
  cut = behind - behind % getRound();
}

void ReadAhead::prefetch(Value j, bool behindCut) {
  for (auto [row, successor] : llvm::zip(rows, next)) {
    const Row &from = behindCut ? successor : row;
    int64_t shift = behindCut ? -cut : distance;
    int64_t bytes = bytesOf(from);
    for (int64_t column = 0; column * bytes < getRound() * bytes; column += kLineBytes / bytes)
      b.prefetch(from, b.add(j, b.index(shift + column)));
  }
}

SmallVector<Value> pi::cpu::dotRows(VectorBuilder &b, ArrayRef<Row> rows, const Row &input,
                                    int64_t length, ArrayRef<Row> next) {
  ReadAhead ahead(b, rows, next, length);
  auto step = [&](Value j, int64_t n, ValueRange sums) {
    Value x = b.load(input, j, n);
    SmallVector<Value> results;
    for (auto [row, sum] : llvm::zip(rows, sums))
      results.push_back(b.fma(b.load(row, j, n), x, sum));
    return results;
  };
  auto beside = [&](Value j, bool behindCut) {
    if (!next.empty())
      ahead.prefetch(j, behindCut);
  };
  return b.reduce(
      b.index(0), b.index(length), rows.size(), 0.0, step,
      [&](Value l, Value r) { return b.add(l, r); }, ahead.getCut(), beside);
}
