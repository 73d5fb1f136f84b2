//===- LowerAttend.cpp - plan.attend to scores, softmax and a weighted sum -===//
// Keys and values are read once per key/value head, whatever the number of query
// heads that share it: the loop over those is inside the loop over positions.

#include "codegen/Cpu/DotRows.h"
#include "codegen/Cpu/ExpVector.h"
#include "codegen/Cpu/LowerTileOps.h"
#include "codegen/Cpu/TileRange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <limits>

using namespace mlir;
using namespace pi;
using namespace pi::cpu;

namespace {
/// Vectors of a value row that are summed in registers at once.
constexpr int64_t kValueVectors = 8;
/// Positions whose values stay in the first-level cache while the query heads of a
/// group take turns: 64 positions of 128 f16 are 16 KiB.
constexpr int64_t kValuePositions = 64;

struct AttendLowering {
  AttendLowering(plan::AttendOp op, VectorBuilder &b)
      : op(op), b(b), kvHeads(cast<MemRefType>(op.getKeys().getType()).getDimSize(0)),
        dim(cast<MemRefType>(op.getKeys().getType()).getDimSize(2)),
        group(cast<MemRefType>(op.getScores().getType()).getDimSize(0) / kvHeads),
        count(b.add(op.getPosition(), b.index(1))) {}

  void lowerHead(Value kvHead);
  void score(Value kvHead);
  void softmax(Value head);
  void sumValues(Value kvHead);
  void addValues(Value kvHead, Value head, Value first, Value last);
  void addVectors(Value kvHead, Value head, Value first, Value last, Value column, int64_t vectors,
                  int64_t n);

  /// Loops over the query heads that share `kvHead`.
  void forQueryHeads(Value kvHead, llvm::function_ref<void(Value head)> body) {
    Value first = b.mul(kvHead, b.index(group));
    b.loop(first, b.add(first, b.index(group)), 1, body);
  }
  /// The part of a row [1, heads * dim] that belongs to `head`.
  Row headOf(Value memref, Value head) {
    Row row = b.row(memref);
    row.offset = b.mul(head, b.index(dim));
    return row;
  }
  Row scoresOf(Value head) { return {op.getScores(), {head}, {}}; }

  plan::AttendOp op;
  VectorBuilder &b;
  int64_t kvHeads, dim;
  int64_t group; // query heads per key/value head
  Value count;   // positions to look at: 0 .. position
};
} // namespace

/// scores[head, p] = scale * q . keys[kvHead, p]
void AttendLowering::score(Value kvHead) {
  b.forRowBlocks(b.index(0), count, kDotRows, [&](Value first, int64_t rows) {
    forQueryHeads(kvHead, [&](Value head) {
      SmallVector<Row> keys;
      SmallVector<Value> positions;
      for (int64_t i = 0; i < rows; ++i) {
        positions.push_back(b.add(first, b.index(i)));
        keys.push_back({op.getKeys(), {kvHead, positions.back()}, {}});
      }
      Value scale = b.constant(b.getF32Type(), op.getScale().convertToDouble());
      SmallVector<Value> dots = dotRows(b, keys, headOf(op.getQuery(), head), dim);
      for (auto [p, dot] : llvm::zip(positions, dots))
        b.store(b.mul(dot, scale), scoresOf(head), p);
    });
  });
}

/// scores[head, p] = e^(score - largest) / sum of those
void AttendLowering::softmax(Value head) {
  Row scores = scoresOf(head);
  Value zero = b.index(0);
  auto maxStep = [&](Value j, int64_t n, ValueRange largest) {
    return SmallVector<Value>{b.max(largest[0], b.load(scores, j, n))};
  };
  Value largest = b.reduce(zero, count, 1, -std::numeric_limits<double>::infinity(), maxStep,
                           [&](Value l, Value r) { return b.max(l, r); })
                      .front();
  auto expStep = [&](Value j, int64_t n, ValueRange sums) {
    Value e = buildExp(b, b.sub(b.load(scores, j, n), b.splat(largest, n)));
    b.store(e, scores, j);
    return SmallVector<Value>{b.add(sums[0], e)};
  };
  Value sum =
      b.reduce(zero, count, 1, 0.0, expStep, [&](Value l, Value r) { return b.add(l, r); }).front();
  Value inverse = b.div(b.constant(b.getF32Type(), 1.0), sum);
  b.forChunks(zero, count, [&](Value j, int64_t n) {
    b.store(b.mul(b.load(scores, j, n), b.splat(inverse, n)), scores, j);
  });
}

/// output[head, column ..] += scores[head, p] * values[kvHead, p, column ..] for p in
/// [first, last), over `vectors` vectors of `n` columns held in registers.
void AttendLowering::addVectors(Value kvHead, Value head, Value first, Value last, Value column,
                                int64_t vectors, int64_t n) {
  Row output = headOf(op.getOutput(), head);
  SmallVector<Value> columns, sums;
  for (int64_t i = 0; i < vectors; ++i) {
    columns.push_back(b.add(column, b.index(i * n)));
    sums.push_back(b.load(output, columns.back(), n));
  }
  sums = b.loop(first, last, 1, sums, [&](Value p, ValueRange carried) {
    Row values{op.getValues(), {kvHead, p}, {}};
    Value weight = b.splat(b.load(scoresOf(head), p, 1), n);
    SmallVector<Value> next;
    for (auto [at, sum] : llvm::zip(columns, carried))
      next.push_back(b.fma(weight, b.load(values, at, n), sum));
    return next;
  });
  for (auto [at, sum] : llvm::zip(columns, sums))
    b.store(sum, output, at);
}

void AttendLowering::addValues(Value kvHead, Value head, Value first, Value last) {
  int64_t lanes = b.getLanes(), wide = kValueVectors * lanes;
  int64_t wideEnd = dim / wide * wide, vectorEnd = dim / lanes * lanes;
  b.loop(b.index(0), b.index(wideEnd), wide, [&](Value column) {
    addVectors(kvHead, head, first, last, column, kValueVectors, lanes);
  });
  if (vectorEnd > wideEnd)
    addVectors(kvHead, head, first, last, b.index(wideEnd), (vectorEnd - wideEnd) / lanes, lanes);
  b.loop(b.index(vectorEnd), b.index(dim), 1,
         [&](Value column) { addVectors(kvHead, head, first, last, column, 1, 1); });
}

void AttendLowering::sumValues(Value kvHead) {
  forQueryHeads(kvHead, [&](Value head) {
    b.forChunks(b.index(0), b.index(dim), [&](Value j, int64_t n) {
      b.store(b.constant(b.getF32(n), 0.0), headOf(op.getOutput(), head), j);
    });
  });
  b.loop(b.index(0), count, kValuePositions, [&](Value first) {
    Value last = b.createOrFold<arith::MinSIOp>(b.add(first, b.index(kValuePositions)), count);
    forQueryHeads(kvHead, [&](Value head) { addValues(kvHead, head, first, last); });
  });
}

void AttendLowering::lowerHead(Value kvHead) {
  score(kvHead);
  forQueryHeads(kvHead, [&](Value head) { softmax(head); });
  sumValues(kvHead);
}

void pi::cpu::lowerAttend(plan::AttendOp op, VectorBuilder &b) {
  AttendLowering lowering(op, b);
  TileRange range = elementsOf(b, op.getBegin(), op.getEnd(), 0, 1, lowering.kvHeads);
  b.loop(range.begin, range.end, 1, [&](Value kvHead) { lowering.lowerHead(kvHead); });
}
