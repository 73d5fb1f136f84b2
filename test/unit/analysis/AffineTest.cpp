//===- AffineTest.cpp - Integers affine in the past length -===//

#include "compiler/Analysis/Affine.h"

#include <gtest/gtest.h>

using pi::Affine;

TEST(Affine, ArithmeticAndSigns) {
  Affine p{0, 1}, one{1, 0};
  EXPECT_EQ(p + one, (Affine{1, 1}));
  EXPECT_EQ((p + one) * 3 - p, (Affine{3, 2}));
  EXPECT_EQ(pi::multiply(p, {4, 0}), (Affine{0, 4}));
  EXPECT_EQ(pi::multiply(p, p), std::nullopt);
  EXPECT_TRUE(p.isNonNegative());
  EXPECT_FALSE(p.isPositive()); // P may be 0
  EXPECT_TRUE((p + one).isPositive());
  EXPECT_FALSE((Affine{5, -1}).isNonNegative()); // negative from P = 6 on
}
