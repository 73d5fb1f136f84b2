//===- VectorLoops.cpp - Loops over rows in vectors of f32 -===//

#include "codegen/Cpu/VectorLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pi::cpu;

//===----------------------------------------------------------------------===//
// Types and arithmetic
//===----------------------------------------------------------------------===//

Type VectorBuilder::getShaped(Type element, int64_t n) {
  return n == 1 ? element : Type(VectorType::get({n}, element));
}

int64_t VectorBuilder::lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

Value VectorBuilder::index(int64_t value) { return arith::ConstantIndexOp::create(*this, value); }

/// `attr` as constant of `type`, splat where that is a vector.
static Value makeConstant(VectorBuilder &b, Type type, TypedAttr attr) {
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return arith::ConstantOp::create(b, attr);
}

Value VectorBuilder::constant(Type type, double value) {
  return makeConstant(*this, type, FloatAttr::get(getElementTypeOrSelf(type), value));
}

Value VectorBuilder::intConstant(Type type, int64_t value) {
  return makeConstant(*this, type, IntegerAttr::get(getElementTypeOrSelf(type), value));
}

Value VectorBuilder::splat(Value scalar, int64_t n) {
  if (n == 1)
    return scalar;
  return vector::BroadcastOp::create(*this, getShaped(scalar.getType(), n), scalar);
}

template <typename FloatOp, typename IntOp>
static Value binary(VectorBuilder &b, Value lhs, Value rhs) {
  if (isa<FloatType>(getElementTypeOrSelf(lhs.getType())))
    return FloatOp::create(b, lhs, rhs);
  return b.createOrFold<IntOp>(lhs, rhs);
}

Value VectorBuilder::add(Value a, Value b) {
  return binary<arith::AddFOp, arith::AddIOp>(*this, a, b);
}
Value VectorBuilder::sub(Value a, Value b) {
  return binary<arith::SubFOp, arith::SubIOp>(*this, a, b);
}
Value VectorBuilder::mul(Value a, Value b) {
  return binary<arith::MulFOp, arith::MulIOp>(*this, a, b);
}
Value VectorBuilder::div(Value a, Value b) { return arith::DivFOp::create(*this, a, b); }
Value VectorBuilder::fma(Value a, Value b, Value c) { return math::FmaOp::create(*this, a, b, c); }

Value VectorBuilder::max(Value a, Value b) {
  Value greater = arith::CmpFOp::create(*this, arith::CmpFPredicate::OGT, b, a);
  return arith::SelectOp::create(*this, greater, b, a);
}

Value VectorBuilder::clampIndex(Value value, int64_t limit) {
  Value atLeastZero = createOrFold<arith::MaxSIOp>(value, index(0));
  return createOrFold<arith::MinSIOp>(atLeastZero, index(limit));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Row VectorBuilder::row(Value memref) {
  Row row{memref, {}, {}};
  if (cast<MemRefType>(memref.getType()).getRank() == 2)
    row.lead.push_back(index(0));
  return row;
}

static SmallVector<Value, 4> indicesOf(VectorBuilder &b, const Row &row, Value j) {
  SmallVector<Value, 4> indices(row.lead.begin(), row.lead.end());
  indices.push_back(row.offset ? b.add(row.offset, j) : j);
  return indices;
}

/// bf16 to f32, in integers: where LLVM keeps a vector of bf16 from one basic block to the
/// next, x86-64-v3 takes it apart and calls a library function.
static Value widenBf16(VectorBuilder &b, Value value) {
  int64_t n = VectorBuilder::lanesOf(value.getType());
  Type i16 = VectorBuilder::getShaped(b.getIntegerType(16), n);
  Type i32 = VectorBuilder::getShaped(b.getI32Type(), n);
  Value bits = arith::ExtUIOp::create(b, i32, arith::BitcastOp::create(b, i16, value));
  Value high = arith::ShLIOp::create(b, bits, b.intConstant(i32, 16));
  return arith::BitcastOp::create(b, b.getF32(n), high);
}

Value VectorBuilder::load(const Row &row, Value j, int64_t n) {
  SmallVector<Value, 4> indices = indicesOf(*this, row, j);
  Value value;
  if (n == 1)
    value = memref::LoadOp::create(*this, row.memref, indices);
  else
    value = vector::LoadOp::create(*this, VectorType::get({n}, row.getElementType()), row.memref,
                                   indices);
  if (row.getElementType().isBF16())
    return widenBf16(*this, value);
  if (!row.getElementType().isF32())
    value = arith::ExtFOp::create(*this, getF32(n), value);
  return value;
}

/// f32 to bf16, round to nearest even, in integers: x86-64-v3 has no instruction for
/// it and LLVM would call a library function. NaN keeps its sign and becomes quiet.
static Value roundToBf16(VectorBuilder &b, Value value) {
  int64_t n = VectorBuilder::lanesOf(value.getType());
  Type i32 = VectorBuilder::getShaped(b.getI32Type(), n);
  Value bits = arith::BitcastOp::create(b, i32, value);
  Value c16 = b.intConstant(i32, 16);
  Value high = arith::ShRUIOp::create(b, bits, c16);
  Value odd = arith::AndIOp::create(b, high, b.intConstant(i32, 1));
  Value bias = arith::AddIOp::create(b, odd, b.intConstant(i32, 0x7fff));
  Value rounded = arith::ShRUIOp::create(b, arith::AddIOp::create(b, bits, bias), c16);
  Value quiet = arith::OrIOp::create(b, high, b.intConstant(i32, 0x40));
  Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  Value chosen = arith::SelectOp::create(b, isNan, quiet, rounded);
  Value narrow =
      arith::TruncIOp::create(b, VectorBuilder::getShaped(b.getIntegerType(16), n), chosen);
  return arith::BitcastOp::create(b, VectorBuilder::getShaped(b.getBF16Type(), n), narrow);
}

void VectorBuilder::store(Value value, const Row &row, Value j) {
  int64_t n = lanesOf(value.getType());
  Type element = row.getElementType();
  if (element.isBF16())
    value = roundToBf16(*this, value);
  else if (!element.isF32())
    value = arith::TruncFOp::create(*this, getShaped(element, n), value);
  SmallVector<Value, 4> indices = indicesOf(*this, row, j);
  if (n == 1)
    memref::StoreOp::create(*this, value, row.memref, indices);
  else
    vector::StoreOp::create(*this, value, row.memref, indices);
}

void VectorBuilder::prefetch(const Row &row, Value j) {
  memref::PrefetchOp::create(*this, row.memref, indicesOf(*this, row, j), /*isWrite=*/false,
                             /*localityHint=*/3, /*isDataCache=*/true);
}

Value VectorBuilder::scratch(MemRefType type) {
  auto *function = getInsertionBlock()->getParentOp();
  if (!isa<func::FuncOp>(function))
    function = function->getParentOfType<func::FuncOp>();
  InsertionGuard guard(*this);
  setInsertionPointToStart(&function->getRegion(0).front());
  return memref::AllocaOp::create(*this, type, getI64IntegerAttr(64));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> VectorBuilder::loop(Value begin, Value end, int64_t step, ValueRange inits,
                                       LoopBody body) {
  auto op = scf::ForOp::create(*this, begin, end, index(step), inits);
  InsertionGuard guard(*this);
  setInsertionPointToStart(op.getBody());
  SmallVector<Value> next = body(op.getInductionVar(), op.getRegionIterArgs());
  if (!inits.empty())
    scf::YieldOp::create(*this, next);
  return SmallVector<Value>(op.getResults());
}

void VectorBuilder::loop(Value begin, Value end, int64_t step,
                         llvm::function_ref<void(Value)> body) {
  loop(begin, end, step, ValueRange(), [&](Value iv, ValueRange) {
    body(iv);
    return SmallVector<Value>();
  });
}

Value VectorBuilder::floorEnd(Value begin, Value end, int64_t step) {
  if (step == 1)
    return end;
  Value length = sub(end, begin);
  Value rest = createOrFold<arith::RemSIOp>(length, index(step));
  return sub(end, rest);
}

void VectorBuilder::forChunks(Value begin, Value end,
                              llvm::function_ref<void(Value, int64_t)> body) {
  Value vectorEnd = floorEnd(begin, end, lanes);
  loop(begin, vectorEnd, lanes, [&](Value j) { body(j, lanes); });
  loop(vectorEnd, end, 1, [&](Value j) { body(j, 1); });
}

void VectorBuilder::forRowBlocks(Value begin, Value end, int64_t blockRows,
                                 llvm::function_ref<void(Value, int64_t)> body) {
  Value blockEnd = floorEnd(begin, end, blockRows);
  loop(begin, blockEnd, blockRows, [&](Value r) { body(r, blockRows); });
  if (blockRows > 1)
    loop(blockEnd, end, 1, [&](Value r) { body(r, 1); });
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Halves the vector until one lane is left: an order the code fixes, unlike a
/// reduction that LLVM may reassociate differently from one loop to another.
Value VectorBuilder::joinLanes(Value value, Combine combine) {
  for (int64_t half = lanesOf(value.getType()) / 2; half >= 1; half /= 2) {
    auto low = llvm::to_vector(llvm::seq<int64_t>(0, half));
    auto high = llvm::to_vector(llvm::seq<int64_t>(half, 2 * half));
    Value a = vector::ShuffleOp::create(*this, value, value, low);
    Value b = vector::ShuffleOp::create(*this, value, value, high);
    value = combine(a, b);
  }
  return vector::ExtractOp::create(*this, value, ArrayRef<int64_t>{0});
}

SmallVector<Value> VectorBuilder::reduce(Value begin, Value end, int64_t results, double init,
                                         ReduceStep step, Combine combine, int64_t cut,
                                         Beside beside) {
  // Accumulators in the order [part][result].
  SmallVector<Value> accumulators(kParts * results, constant(getF32(lanes), init));
  Value roundsEnd = floorEnd(begin, end, kParts * lanes);
  auto rounds = [&](Value from, Value to, bool behindCut) {
    accumulators = loop(from, to, kParts * lanes, accumulators, [&](Value j, ValueRange carried) {
      if (beside)
        beside(j, behindCut);
      SmallVector<Value> next;
      for (int64_t part = 0; part < kParts; ++part) {
        Value column = part == 0 ? j : add(j, index(part * lanes));
        llvm::append_range(next, step(column, lanes, carried.slice(part * results, results)));
      }
      return next;
    });
  };
  Value middle = cut == 0 ? begin : add(begin, index(cut));
  if (cut != 0)
    rounds(begin, middle, false);
  rounds(middle, roundsEnd, true);
  // Vectors that do not fill a round go to the first accumulator.
  Value vectorEnd = floorEnd(roundsEnd, end, lanes);
  SmallVector<Value> first =
      loop(roundsEnd, vectorEnd, lanes, ArrayRef(accumulators).take_front(results),
           [&](Value j, ValueRange carried) { return step(j, lanes, carried); });
  SmallVector<Value> sums;
  for (int64_t r = 0; r < results; ++r) {
    static_assert(kParts == 4, "joined pairwise");
    Value low = combine(first[r], accumulators[results + r]);
    Value high = combine(accumulators[2 * results + r], accumulators[3 * results + r]);
    sums.push_back(joinLanes(combine(low, high), combine));
  }
  return loop(vectorEnd, end, 1, sums,
              [&](Value j, ValueRange carried) { return step(j, 1, carried); });
}
