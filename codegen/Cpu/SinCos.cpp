//===- SinCos.cpp - Sine and cosine, without a library -===//

#include "codegen/Cpu/SinCos.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace pi::cpu;

// a = k * pi/2 + r with |r| <= pi/4 (Cody and Waite 1980); pi/2 in two f64 parts, each
// product exact inside an fma.
static constexpr double kTwoOverPi = 0.63661977236758134308;
static constexpr double kHalfPiHigh = 1.57079632679489655800;
static constexpr double kHalfPiLow = 6.12323399573676603587e-17;
// Adding it leaves round(a) in the low bits of an f64.
static constexpr double kRoundMagic = 6755399441055744.0; // 1.5 * 2^52
// Polynomials of __kernel_sin and __kernel_cos in FreeBSD's msun (error < 2^-57).
static constexpr double kSin[] = {1.58969099521155010221e-10, -2.50507602534068634195e-08,
                                  2.75573137070700676789e-06, -1.98412698298579493134e-04,
                                  8.33333333332248946124e-03, -1.66666666666666324348e-01};
static constexpr double kCos[] = {-1.13596475577881948265e-11, 2.08757232129817482790e-09,
                                  -2.75573143513906633035e-07, 2.48015872894767294178e-05,
                                  -1.38888888888741095749e-03, 4.16666666666666019037e-02};

static Value polynomial(VectorBuilder &b, Value z, ArrayRef<double> coefficients) {
  Value value = b.constant(z.getType(), coefficients.front());
  for (double coefficient : coefficients.drop_front())
    value = b.fma(value, z, b.constant(z.getType(), coefficient));
  return value;
}

/// `odd ? b : a`, negated where bit 1 of `quadrant` is set, rounded to `f32`.
static Value pick(VectorBuilder &b, Value odd, Value even, Value other, Value quadrant, Type f32) {
  Type i64 = quadrant.getType();
  Value value = arith::SelectOp::create(b, odd, other, even);
  Value signBit = arith::AndIOp::create(b, quadrant, b.intConstant(i64, 2));
  Value sign = arith::ShLIOp::create(b, signBit, b.intConstant(i64, 62));
  Value bits = arith::BitcastOp::create(b, i64, value);
  Value flipped = arith::XOrIOp::create(b, bits, sign);
  return arith::TruncFOp::create(b, f32,
                                 arith::BitcastOp::create(b, value.getType(), flipped).getResult());
}

SinCos pi::cpu::buildSinCos(VectorBuilder &b, Value angle) {
  Type f32 = angle.getType();
  int64_t lanes = VectorBuilder::lanesOf(f32);
  Type f64 = VectorBuilder::getShaped(b.getF64Type(), lanes);
  Type i64 = VectorBuilder::getShaped(b.getI64Type(), lanes);
  auto c = [&](double value) { return b.constant(f64, value); };

  Value a = arith::ExtFOp::create(b, f64, angle);
  Value shifted = b.fma(a, c(kTwoOverPi), c(kRoundMagic));
  Value k = b.sub(shifted, c(kRoundMagic));
  Value r = b.fma(k, c(-kHalfPiHigh), a);
  r = b.fma(k, c(-kHalfPiLow), r);
  Value z = b.mul(r, r);

  Value sin = b.fma(b.mul(z, r), polynomial(b, z, kSin), r);
  Value cosTail = b.fma(b.mul(z, z), polynomial(b, z, kCos), c(1.0));
  Value cos = b.fma(z, c(-0.5), cosTail);

  // The low bits of `shifted` count quarter turns.
  Value quadrant = arith::BitcastOp::create(b, i64, shifted);
  Value one = b.intConstant(i64, 1);
  Value odd = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                    arith::AndIOp::create(b, quadrant, one), b.intConstant(i64, 0));
  Value next = arith::AddIOp::create(b, quadrant, one);
  return {pick(b, odd, sin, cos, quadrant, f32), pick(b, odd, cos, sin, next, f32)};
}
