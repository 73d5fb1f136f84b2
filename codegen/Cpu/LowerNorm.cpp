//===- LowerNorm.cpp - plan.norm to passes over a row -===//
// Every thread computes the whole row: the order of operations depends on its length
// only, so all get the same bits.

#include "codegen/Cpu/DotRows.h"
#include "codegen/Cpu/LowerTileOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace pi;
using namespace pi::cpu;

/// 1 / sqrt(squares / length + eps).
static Value inverseRoot(VectorBuilder &b, Value squares, int64_t length, double eps) {
  Type f32 = b.getF32Type();
  Value mean = b.div(squares, b.constant(f32, length));
  Value root = math::SqrtOp::create(b, b.add(mean, b.constant(f32, eps)));
  return b.div(b.constant(f32, 1.0), root);
}

static void lowerRms(plan::NormOp op, VectorBuilder &b, int64_t length) {
  Row input = b.row(op.getInput()), weight = b.row(op.getWeight()), output = b.row(op.getOutput());
  Value squares = dotRows(b, {input}, input, length).front();
  Value scale = inverseRoot(b, squares, length, op.getEps().convertToDouble());
  b.forChunks(b.index(0), b.index(length), [&](Value j, int64_t n) {
    Value x = b.mul(b.load(input, j, n), b.splat(scale, n));
    b.store(b.mul(x, b.load(weight, j, n)), output, j);
  });
}

/// Two passes: the mean first, then the squared distances from it.
static void lowerLayer(plan::NormOp op, VectorBuilder &b, int64_t length) {
  Row input = b.row(op.getInput()), weight = b.row(op.getWeight()), output = b.row(op.getOutput());
  Value begin = b.index(0), end = b.index(length);
  auto join = [&](Value l, Value r) { return b.add(l, r); };
  auto sumStep = [&](Value j, int64_t n, ValueRange sums) {
    return SmallVector<Value>{b.add(sums[0], b.load(input, j, n))};
  };
  Value sum = b.reduce(begin, end, 1, 0.0, sumStep, join).front();
  Value mean = b.div(sum, b.constant(b.getF32Type(), length));
  auto squareStep = [&](Value j, int64_t n, ValueRange sums) {
    Value distance = b.sub(b.load(input, j, n), b.splat(mean, n));
    return SmallVector<Value>{b.fma(distance, distance, sums[0])};
  };
  Value squares = b.reduce(begin, end, 1, 0.0, squareStep, join).front();
  Value scale = inverseRoot(b, squares, length, op.getEps().convertToDouble());

  Row bias;
  if (op.getBias())
    bias = b.row(op.getBias());
  b.forChunks(begin, end, [&](Value j, int64_t n) {
    Value x = b.sub(b.load(input, j, n), b.splat(mean, n));
    Value scaled = b.mul(x, b.splat(scale, n));
    Value y = b.mul(scaled, b.load(weight, j, n));
    b.store(bias.memref ? b.add(y, b.load(bias, j, n)) : y, output, j);
  });
}

void pi::cpu::lowerNorm(plan::NormOp op, VectorBuilder &b) {
  int64_t length = cast<MemRefType>(op.getInput().getType()).getNumElements();
  if (op.getKind() == plan::NormKind::Rms)
    lowerRms(op, b, length);
  else
    lowerLayer(op, b, length);
}
