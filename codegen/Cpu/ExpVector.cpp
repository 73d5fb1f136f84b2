//===- ExpVector.cpp - e to the x, without a library -===//

#include "codegen/Cpu/ExpVector.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace pi::cpu;

// e^x = 2^n e^r with n = round(x / ln 2), |r| <= ln 2 / 2. The polynomial for
// (e^r - 1 - r) / r^2 is that of expf in S. Moshier's Cephes library.
static constexpr double kLog2e = 1.44269504088896341;
static constexpr double kLn2High = 0.693359375; // 12 bits: n * kLn2High is exact
static constexpr double kLn2Low = -2.12194440e-4;
static constexpr double kPoly[] = {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
                                   4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1};
// Adding it leaves round(x) in the low bits of an f32.
static constexpr double kRoundMagic = 12582912.0; // 1.5 * 2^23
// Beyond these bounds the result is 0 or infinity.
static constexpr double kLowest = -104.0, kHighest = 89.0;

/// 2^n for n in [-126, 127].
static Value exp2OfInt(VectorBuilder &b, Value n, Type f32) {
  Value biased = arith::AddIOp::create(b, n, b.intConstant(n.getType(), 127));
  Value bits = arith::ShLIOp::create(b, biased, b.intConstant(n.getType(), 23));
  return arith::BitcastOp::create(b, f32, bits);
}

Value pi::cpu::buildExp(VectorBuilder &b, Value x) {
  Type f32 = x.getType();
  Type i32 = VectorBuilder::getShaped(b.getI32Type(), VectorBuilder::lanesOf(f32));
  auto c = [&](double value) { return b.constant(f32, value); };
  // A comparison with NaN is false, so NaN passes both.
  Value low = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, c(kLowest));
  x = arith::SelectOp::create(b, low, c(kLowest), x);
  Value high = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, x, c(kHighest));
  x = arith::SelectOp::create(b, high, c(kHighest), x);

  Value shifted = b.fma(x, c(kLog2e), c(kRoundMagic));
  Value rounded = b.sub(shifted, c(kRoundMagic));
  Value r = b.fma(rounded, c(-kLn2High), x);
  r = b.fma(rounded, c(-kLn2Low), r);

  Value poly = c(kPoly[0]);
  for (double coefficient : ArrayRef(kPoly).drop_front())
    poly = b.fma(poly, r, c(coefficient));
  Value y = b.add(b.fma(b.mul(r, r), poly, r), c(1.0));

  // n from the bits of `shifted`; in two factors, since 2^n alone may be subnormal.
  Value bits = arith::BitcastOp::create(b, i32, shifted);
  Value magicBits = b.intConstant(i32, 0x4b400000);
  Value n = arith::SubIOp::create(b, bits, magicBits);
  Value half = arith::ShRSIOp::create(b, n, b.intConstant(i32, 1));
  Value rest = arith::SubIOp::create(b, n, half);
  return b.mul(b.mul(y, exp2OfInt(b, half, f32)), exp2OfInt(b, rest, f32));
}
