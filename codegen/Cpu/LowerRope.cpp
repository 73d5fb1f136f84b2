//===- LowerRope.cpp - plan.rope to rotations of pairs -===//

#include "codegen/Cpu/LowerTileOps.h"
#include "codegen/Cpu/SinCos.h"
#include "codegen/Cpu/TileRange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace pi;
using namespace pi::cpu;

/// A constant table of the frequencies, shared by all kernels with the same ones.
static Value frequencyTable(plan::RopeOp op, VectorBuilder &b) {
  ArrayRef<float> frequencies = op.getFrequencies();
  auto module = op->getParentOfType<ModuleOp>();
  auto type = MemRefType::get({static_cast<int64_t>(frequencies.size())}, b.getF32Type());
  Attribute value = DenseElementsAttr::get(
      RankedTensorType::get(type.getShape(), type.getElementType()), frequencies);
  memref::GlobalOp table;
  for (auto global : module.getOps<memref::GlobalOp>())
    if (global.getInitialValueAttr() == value)
      table = global;
  if (!table) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    table = memref::GlobalOp::create(b, "rope.frequencies", b.getStringAttr("private"), type, value,
                                     /*constant=*/true, b.getI64IntegerAttr(64));
    SymbolTable(module).insert(table);
  }
  return memref::GetGlobalOp::create(b, type, table.getSymName());
}

void pi::cpu::lowerRope(plan::RopeOp op, VectorBuilder &b) {
  int64_t dim = op.getDim(), half = op.getFrequencies().size();
  int64_t heads = cast<MemRefType>(op.getRow().getType()).getNumElements() / dim;
  TileRange range =
      elementsOf(b, op.getBegin(), op.getEnd(), op.getFirst(), op.getPerTile(), heads);
  auto tableType = MemRefType::get({half}, b.getF32Type());
  Row sines{b.scratch(tableType), {}, {}}, cosines{b.scratch(tableType), {}, {}};

  // A thread without heads needs no angles.
  Value some = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, range.begin, range.end);
  auto guard = scf::IfOp::create(b, some, /*withElseRegion=*/false);
  b.setInsertionPointToStart(&guard.getThenRegion().front());
  Row frequencies{frequencyTable(op, b), {}, {}};
  Value position = arith::IndexCastOp::create(b, b.getI64Type(), op.getPosition());
  Value p = arith::SIToFPOp::create(b, b.getF32Type(), position);
  // The angle is rounded to f32, as the reference does.
  b.forChunks(b.index(0), b.index(half), [&](Value i, int64_t n) {
    SinCos turn = buildSinCos(b, b.mul(b.splat(p, n), b.load(frequencies, i, n)));
    b.store(turn.sin, sines, i);
    b.store(turn.cos, cosines, i);
  });
  b.loop(range.begin, range.end, 1, [&](Value head) {
    Row low = b.row(op.getRow()), high = low;
    low.offset = b.mul(head, b.index(dim));
    high.offset = b.add(low.offset, b.index(half));
    b.forChunks(b.index(0), b.index(half), [&](Value i, int64_t n) {
      Value x = b.load(low, i, n), y = b.load(high, i, n);
      Value sin = b.load(sines, i, n), cos = b.load(cosines, i, n);
      b.store(b.sub(b.mul(x, cos), b.mul(y, sin)), low, i);
      b.store(b.add(b.mul(y, cos), b.mul(x, sin)), high, i);
    });
  });
}
