//===- LowerSelect.cpp - plan.select to a loop over rows and a list -===//

#include "codegen/Cpu/DotRows.h"
#include "codegen/Cpu/LowerTileOps.h"
#include "codegen/Cpu/ScalarRegion.h"
#include "codegen/Cpu/TileRange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace pi;
using namespace pi::cpu;

namespace {
struct SelectLowering {
  SelectLowering(plan::SelectOp op, VectorBuilder &b) : op(op), b(b), input(b.row(op.getInput())) {}

  void lowerTile(Value tile);
  Value listRows(Value first, int64_t rows, Value end);
  Row rowAt(Value id) { return {op.getWeight(), {id}, b.index(op.getColumn())}; }

  plan::SelectOp op;
  VectorBuilder &b;
  Row input;
};
} // namespace

/// Lists rows [first, first + rows) from element `end` on; returns the new end. Without
/// branches: every row is written, the end moves on behind active ones.
Value SelectLowering::listRows(Value first, int64_t rows, Value end) {
  int64_t length = cast<MemRefType>(op.getInput().getType()).getShape().back();
  int64_t lastRow = op.getLastRow() - 1;
  SmallVector<Row> now, next;
  SmallVector<Value> ids;
  for (int64_t i = 0; i < rows; ++i) {
    ids.push_back(b.add(first, b.index(i)));
    now.push_back(rowAt(ids.back()));
    next.push_back(rowAt(b.clampIndex(b.add(ids.back(), b.index(rows)), lastRow)));
  }
  for (auto [id, sum] : llvm::zip(ids, dotRows(b, now, input, length, next))) {
    Value pre = op.getBias() ? b.add(sum, b.load(b.row(op.getBias()), id, 1)) : sum;
    Value a = applyRegion(b, op.getActivation(), pre);
    Value number = arith::IndexCastUIOp::create(b, b.getI32Type(), id);
    memref::StoreOp::create(b, number, op.getIds(), end);
    b.store(a, {op.getActs(), {}, {}}, end);
    if (op.getTrace())
      b.store(b.constant(b.getF32Type(), -1.0), {op.getTrace(), {}, b.index(op.getTraceFirst())},
              id);
    Value zero = b.constant(b.getF32Type(), 0.0);
    Value active = arith::CmpFOp::create(b, arith::CmpFPredicate::UGT, a, zero); // NaN too
    end = b.add(end, arith::IndexCastUIOp::create(b, b.getIndexType(), active));
  }
  return end;
}

void SelectLowering::lowerTile(Value tile) {
  int64_t perTile = op.getPerTile();
  Value segment = b.mul(tile, b.index(perTile));
  Value start = b.add(segment, b.index(op.getFirstRow()));
  Value stop =
      b.createOrFold<arith::MinSIOp>(b.add(start, b.index(perTile)), b.index(op.getLastRow()));
  Value blocksEnd = b.floorEnd(start, stop, kDotRows);
  auto listBlocks = [&](Value from, Value to, int64_t rows, Value end) {
    return b
        .loop(from, to, rows, ValueRange{end},
              [&](Value r, ValueRange carried) {
                return SmallVector<Value>{listRows(r, rows, carried[0])};
              })
        .front();
  };
  Value end = listBlocks(start, blocksEnd, kDotRows, segment);
  end = listBlocks(blocksEnd, stop, 1, end);
  Value number = arith::IndexCastUIOp::create(b, b.getI32Type(), b.sub(end, segment));
  b.store(arith::UIToFPOp::create(b, b.getF32Type(), number), {op.getCounts(), {}, {}}, tile);
}

void pi::cpu::lowerSelect(plan::SelectOp op, VectorBuilder &b) {
  SelectLowering lowering(op, b);
  int64_t tiles = cast<MemRefType>(op.getCounts().getType()).getDimSize(0);
  TileRange range = elementsOf(b, op.getBegin(), op.getEnd(), 0, 1, tiles);
  b.loop(range.begin, range.end, 1, [&](Value tile) { lowering.lowerTile(tile); });
}
