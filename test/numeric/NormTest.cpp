//===- NormTest.cpp - plan.norm against f64 -===//

#include "test/numeric/CompiledKernel.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace pi::test;

namespace {
void checkNorm(bool layer, bool hasBias, int64_t n, float offset, uint64_t seed) {
  SCOPED_TRACE((layer ? "layer " : "rms ") + std::to_string(n));
  std::mt19937_64 random(seed);
  GuardedBuffer x({1, n}, Dtype::F32), w({n}, Dtype::F32), bias({n}, Dtype::F32);
  GuardedBuffer y({1, n}, Dtype::F32);
  x.fillRandom(random, 2.0f);
  for (int64_t i = 0; i < n; ++i)
    x.set(i, x.get(i) + offset);
  w.fillRandom(random);
  bias.fillRandom(random);
  std::string body = std::string("plan.norm ") + (layer ? "<layer>" : "<rms>") +
                     " %arg0 weight %arg1" + (hasBias ? " bias %arg2" : "") +
                     " eps 1.0e-5 -> %arg3 : " + x.memrefType() + ", " + w.memrefType() +
                     (hasBias ? ", " + bias.memrefType() : "") + " -> " + y.memrefType();
  auto program = CompiledProgram::create(
      makeModuleText({x.memrefType(), w.memrefType(), bias.memrefType(), y.memrefType()}, body));
  ASSERT_TRUE(program);
  program->call({&x, &w, &bias, &y}, 0, 1);

  double mean = 0, squares = 0;
  for (double value : x.toDoubles())
    mean += layer ? value / n : 0;
  double largest = 0;
  for (double value : x.toDoubles()) {
    squares += (value - mean) * (value - mean);
    largest = std::max(largest, std::abs(value));
  }
  double root = std::sqrt(squares / n + double(1.0e-5f));
  for (int64_t i = 0; i < n; ++i) {
    double expected = (x.get(i) - mean) / root * w.get(i) + (hasBias ? bias.get(i) : 0);
    // The mean is off by at most dotBound * largest, which moves every element by that
    // over root; the scale's relative error is half the squares' plus a few roundings.
    double meanError = layer ? (dotBound(n, 8) + 2 * kRound) * largest / root : 0;
    double bound = std::abs(w.get(i)) * meanError * 2 +
                   (dotBound(n, 8) + 8 * kRound) * (std::abs(expected) + std::abs(bias.get(i)));
    EXPECT_NEAR(y.get(i), expected, bound) << i;
  }
}
} // namespace

TEST(Norm, Rms) {
  for (int64_t n : {1, 7, 8, 31, 32, 96, 100, 256, 1000})
    checkNorm(false, false, n, 0.0f, n);
}

TEST(Norm, Layer) {
  for (int64_t n : {1, 7, 8, 31, 32, 96, 100, 256, 1000})
    for (bool bias : {false, true})
      checkNorm(true, bias, n, 3.0f, n);
}

// A large mean: E[x^2] - E[x]^2 would lose all digits of the variance.
TEST(Norm, LayerTwoPasses) { checkNorm(true, true, 257, 1000.0f, 5); }

// Every thread normalises into its own scratch, then computes its rows of the matrix.
TEST(Norm, IntoLocal) {
  std::mt19937_64 random(6);
  const int64_t n = 100, rows = 21;
  GuardedBuffer x({1, n}, Dtype::F32), w({n}, Dtype::F32), m({rows, n}, Dtype::F16);
  GuardedBuffer y({1, rows}, Dtype::F32);
  for (GuardedBuffer *buffer : {&x, &w, &m})
    buffer->fillRandom(random);
  std::string local = "memref<1x100xf32>";
  std::string body = "%n = plan.local : " + local +
                     "\nplan.norm <rms> %arg0 weight %arg1 eps 1.0e-5 -> %n : " + x.memrefType() +
                     ", " + w.memrefType() + " -> " + local +
                     "\nplan.matvec %arg2, %n -> %arg3 tiles(%begin to %end) first 0 per_tile 4 "
                     "{\n^bb0(%sum: f32):\nplan.yield %sum : f32\n} : " +
                     m.memrefType() + ", " + local + " -> " + y.memrefType();
  auto program = CompiledProgram::create(
      makeModuleText({x.memrefType(), w.memrefType(), m.memrefType(), y.memrefType()}, body));
  ASSERT_TRUE(program);
  EXPECT_TRUE(program->sameForAllSplits({&x, &w, &m, &y}, {3}, 6));

  double squares = 0;
  for (double value : x.toDoubles())
    squares += value * value;
  double root = std::sqrt(squares / n + double(1.0e-5f));
  for (int64_t r = 0; r < rows; ++r) {
    double sum = 0, absolute = 0;
    for (int64_t i = 0; i < n; ++i) {
      double product = x.get(i) / root * w.get(i) * m.get(r * n + i);
      sum += product;
      absolute += std::abs(product);
    }
    // The norm's error (see checkNorm) and the dot product's.
    EXPECT_NEAR(y.get(r), sum, (2 * dotBound(n, 8) + 8 * kRound) * absolute) << r;
  }
}
