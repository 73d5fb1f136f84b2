//===- LowerNeurons.cpp - plan.neurons to a loop over active rows -===//
// Per tile: gate (or up) of all its rows, a compact list of the active ones in
// ascending order, then up (with a gate) and down of those only.

#include "codegen/Cpu/DotRows.h"
#include "codegen/Cpu/LowerTileOps.h"
#include "codegen/Cpu/ScalarRegion.h"
#include "codegen/Cpu/TileRange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace pi;
using namespace pi::cpu;

namespace {
/// Active rows added to the partial sum at once: its loads and stores are shared.
constexpr int64_t kDownRows = 4;

struct NeuronsLowering {
  NeuronsLowering(plan::NeuronsOp op, VectorBuilder &b)
      : op(op), b(b), length(cast<MemRefType>(op.getUp().getType()).getDimSize(1)),
        lastNeuron(cast<MemRefType>(op.getUp().getType()).getDimSize(0) - 1),
        input(b.row(op.getInput())),
        ids(b.scratch(MemRefType::get({static_cast<int64_t>(op.getPerTile())}, b.getIndexType()))),
        activations{
            b.scratch(MemRefType::get({static_cast<int64_t>(op.getPerTile())}, b.getF32Type())),
            {},
            {}} {}

  void lowerTile(Value tile);
  Value listActive(Value firstRow, Value lastRow);
  void multiplyByUp(Value count);
  void addDown(const Row &partial, Value count);
  void traceActive(Value count);
  Value idAt(Value k) { return memref::LoadOp::create(b, ids, k); }

  plan::NeuronsOp op;
  VectorBuilder &b;
  int64_t length;     // features
  int64_t lastNeuron; // largest row of gate, up, down
  Row input;
  Value ids;       // [per_tile], rows of the active neurons, ascending
  Row activations; // [per_tile], their activations
};
} // namespace

/// Fills `ids` and `activations` from rows [firstRow, lastRow); returns their number.
/// Without branches: every row is written, the count moves on for active ones.
Value NeuronsLowering::listActive(Value firstRow, Value lastRow) {
  Value matrix = op.getGate() ? op.getGate() : op.getUp();
  Value zero = b.constant(b.getF32Type(), 0.0);
  auto listRows = [&](Value first, int64_t rows, Value count) {
    SmallVector<Row> now, ahead;
    SmallVector<Value> rowIds;
    for (int64_t i = 0; i < rows; ++i) {
      rowIds.push_back(b.add(first, b.index(i)));
      now.push_back({matrix, {rowIds.back()}, {}});
      ahead.push_back(
          {matrix, {b.clampIndex(b.add(rowIds.back(), b.index(rows)), lastNeuron)}, {}});
    }
    for (auto [id, sum] : llvm::zip(rowIds, dotRows(b, now, input, length, ahead))) {
      Value pre = op.getUpBias() ? b.add(sum, b.load(b.row(op.getUpBias()), id, 1)) : sum;
      Value a = applyRegion(b, op.getActivation(), pre);
      memref::StoreOp::create(b, id, ids, count);
      b.store(a, activations, count);
      if (op.getTrace())
        b.store(b.constant(b.getF32Type(), -1.0), {op.getTrace(), {}, {}}, id);
      Value active = arith::CmpFOp::create(b, arith::CmpFPredicate::UGT, a, zero); // NaN too
      count = b.add(count, arith::IndexCastUIOp::create(b, b.getIndexType(), active));
    }
    return SmallVector<Value>{count};
  };
  Value blocksEnd = b.floorEnd(firstRow, lastRow, kDotRows);
  SmallVector<Value> count =
      b.loop(firstRow, blocksEnd, kDotRows, b.index(0),
             [&](Value r, ValueRange carried) { return listRows(r, kDotRows, carried[0]); });
  return b
      .loop(blocksEnd, lastRow, 1, count,
            [&](Value r, ValueRange carried) { return listRows(r, 1, carried[0]); })
      .front();
}

/// activations[k] *= up row . input, for the active rows.
void NeuronsLowering::multiplyByUp(Value count) {
  Value lastActive = b.sub(count, b.index(1));
  b.forRowBlocks(b.index(0), count, kDotRows, [&](Value first, int64_t rows) {
    SmallVector<Row> now, ahead;
    SmallVector<Value> ks;
    for (int64_t i = 0; i < rows; ++i) {
      ks.push_back(b.add(first, b.index(i)));
      now.push_back({op.getUp(), {idAt(ks.back())}, {}});
      Value next = b.createOrFold<arith::MinSIOp>(b.add(ks.back(), b.index(rows)), lastActive);
      ahead.push_back({op.getUp(), {idAt(next)}, {}});
      // Its row of down is the next to be read, after the loop.
      ahead.push_back({op.getDown(), now.back().lead, {}});
    }
    for (auto [k, sum] : llvm::zip(ks, dotRows(b, now, input, length, ahead)))
      b.store(b.mul(b.load(activations, k, 1), sum), activations, k);
  });
}

/// partial += activations[k] * down[ids[k], :], in ascending order of k per feature.
void NeuronsLowering::addDown(const Row &partial, Value count) {
  b.forRowBlocks(b.index(0), count, kDownRows, [&](Value first, int64_t rows) {
    SmallVector<Row> now;
    SmallVector<Value> scales;
    for (int64_t i = 0; i < rows; ++i) {
      Value k = b.add(first, b.index(i));
      now.push_back({op.getDown(), {idAt(k)}, {}});
      scales.push_back(b.load(activations, k, 1));
    }
    b.forChunks(b.index(0), b.index(length), [&](Value j, int64_t n) {
      Value sum = b.load(partial, j, n);
      for (auto [scale, row] : llvm::zip(scales, now))
        sum = b.fma(b.splat(scale, n), b.load(row, j, n), sum);
      b.store(sum, partial, j);
    });
  });
}

/// trace[ids[k]] = |activations[k]|; the rows of inactive neurons are marked already.
void NeuronsLowering::traceActive(Value count) {
  b.loop(b.index(0), count, 1, [&](Value k) {
    Value size = math::AbsFOp::create(b, b.load(activations, k, 1));
    b.store(size, {op.getTrace(), {}, {}}, idAt(k));
  });
}

void NeuronsLowering::lowerTile(Value tile) {
  int64_t firstRow = op.getFirstRow(), lastRow = op.getLastRow();
  Value start = b.add(b.mul(tile, b.index(op.getPerTile())), b.index(firstRow));
  Value end =
      b.createOrFold<arith::MinSIOp>(b.add(start, b.index(op.getPerTile())), b.index(lastRow));
  Value count = listActive(start, end);
  if (op.getCounts()) {
    Value number = arith::IndexCastUIOp::create(b, b.getI32Type(), count);
    b.store(arith::UIToFPOp::create(b, b.getF32Type(), number), {op.getCounts(), {}, {}}, tile);
  }
  if (op.getGate())
    multiplyByUp(count);
  if (op.getTrace())
    traceActive(count);
  Row partial{op.getPartial(), {tile}, {}};
  b.forChunks(b.index(0), b.index(length),
              [&](Value j, int64_t n) { b.store(b.constant(b.getF32(n), 0.0), partial, j); });
  addDown(partial, count);
}

void pi::cpu::lowerNeurons(plan::NeuronsOp op, VectorBuilder &b) {
  NeuronsLowering lowering(op, b);
  int64_t tiles = cast<MemRefType>(op.getPartial().getType()).getDimSize(0);
  TileRange range = elementsOf(b, op.getBegin(), op.getEnd(), 0, 1, tiles);
  b.loop(range.begin, range.end, 1, [&](Value tile) { lowering.lowerTile(tile); });
}
