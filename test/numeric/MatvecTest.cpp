//===- MatvecTest.cpp - plan.matvec against sums in f64 -===//

#include "test/numeric/CompiledKernel.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace pi::test;

namespace {
struct MatvecCase {
  int64_t rows, length, perTile;
  Dtype weight;
  int64_t vectorBits = 256;
};

std::string matvecText(const MatvecCase &c, const GuardedBuffer &w, const GuardedBuffer &x,
                       const GuardedBuffer &bias, const GuardedBuffer &y) {
  std::string body = "plan.matvec %arg0, %arg1 -> %arg3 extras(%arg2 : " + bias.memrefType() +
                     ") tiles(%begin to %end) first 0 per_tile " + std::to_string(c.perTile) +
                     " {\n^bb0(%sum: f32, %bias: f32):\n%s = arith.addf %sum, %bias : f32\n"
                     "plan.yield %s : f32\n} : " +
                     w.memrefType() + ", " + x.memrefType() + " -> " + y.memrefType();
  return makeModuleText({w.memrefType(), x.memrefType(), bias.memrefType(), y.memrefType()}, body,
                        c.vectorBits);
}

void checkMatvec(const MatvecCase &c, uint64_t seed) {
  SCOPED_TRACE(std::to_string(c.rows) + "x" + std::to_string(c.length) + nameOf(c.weight) +
               " per_tile " + std::to_string(c.perTile));
  std::mt19937_64 random(seed);
  GuardedBuffer w({c.rows, c.length}, c.weight), x({1, c.length}, Dtype::F32);
  GuardedBuffer bias({c.rows}, Dtype::F32), y({1, c.rows}, Dtype::F32);
  w.fillRandom(random);
  x.fillRandom(random);
  bias.fillRandom(random);
  y.fill(NAN);
  auto program = CompiledProgram::create(matvecText(c, w, x, bias, y));
  ASSERT_TRUE(program);
  int64_t tiles = (c.rows + c.perTile - 1) / c.perTile;
  EXPECT_TRUE(program->sameForAllSplits({&w, &x, &bias, &y}, {3}, tiles));
  for (int64_t r = 0; r < c.rows; ++r) {
    double sum = 0, absolute = 0;
    for (int64_t i = 0; i < c.length; ++i) {
      double product = double(w.get(r * c.length + i)) * x.get(i);
      sum += product;
      absolute += std::abs(product);
    }
    sum += bias.get(r);
    // One more rounding for the bias.
    double bound = dotBound(c.length, c.vectorBits / 32) * absolute + kRound * std::abs(sum);
    EXPECT_NEAR(y.get(r), sum, bound) << "row " << r;
  }
}
} // namespace

TEST(Matvec, ShapesAndTypes) {
  uint64_t seed = 1;
  for (Dtype type : {Dtype::F32, Dtype::F16, Dtype::BF16})
    for (MatvecCase c : {MatvecCase{8, 64, 4, type},
                         {1, 32, 1, type},
                         {1, 1, 1, type},
                         {7, 31, 2, type},
                         {33, 100, 5, type},
                         {10, 257, 4, type},
                         {5, 7, 3, type},
                         {64, 1024, 64, type},
                         {13, 40, 100, type}})
      checkMatvec(c, seed++);
}

TEST(Matvec, RandomShapes) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 12; ++i) {
    auto pick = [&](uint64_t n) { return static_cast<int64_t>(1 + random() % n); };
    auto type = static_cast<Dtype>(i % 3);
    checkMatvec({pick(70), pick(300), pick(9), type}, random());
  }
}

TEST(Matvec, Avx512) {
  if (!hostHasAvx512())
    GTEST_SKIP() << "no AVX-512";
  for (Dtype type : {Dtype::F32, Dtype::F16, Dtype::BF16})
    for (MatvecCase c : {MatvecCase{8, 256, 4, type, 512}, {7, 131, 2, type, 512}})
      checkMatvec(c, 3);
}

// Two operations follow each other in tile space, as q, k and v do.
TEST(Matvec, FirstTile) {
  std::mt19937_64 random(4);
  GuardedBuffer w0({6, 40}, Dtype::F16), w1({10, 40}, Dtype::F16), x({1, 40}, Dtype::F32);
  GuardedBuffer y0({1, 6}, Dtype::F32), y1({1, 10}, Dtype::F32);
  for (GuardedBuffer *buffer : {&w0, &w1, &x})
    buffer->fillRandom(random);
  auto op = [&](int w, int y, const GuardedBuffer &weight, const GuardedBuffer &out, int first) {
    return "plan.matvec %arg" + std::to_string(w) + ", %arg2 -> %arg" + std::to_string(y) +
           " tiles(%begin to %end) first " + std::to_string(first) +
           " per_tile 4 {\n^bb0(%sum: f32):\nplan.yield %sum : f32\n} : " + weight.memrefType() +
           ", " + x.memrefType() + " -> " + out.memrefType() + "\n";
  };
  auto program = CompiledProgram::create(makeModuleText(
      {w0.memrefType(), w1.memrefType(), x.memrefType(), y0.memrefType(), y1.memrefType()},
      op(0, 3, w0, y0, 0) + op(1, 4, w1, y1, 2)));
  ASSERT_TRUE(program);
  // Tiles 0 and 1 hold the 6 rows of w0, tiles 2, 3 and 4 the 10 rows of w1.
  program->call({&w0, &w1, &x, &y0, &y1}, 0, 2);
  for (int r = 0; r < 10; ++r)
    EXPECT_EQ(y1.get(r), 0.0f);
  EXPECT_NE(y0.get(5), 0.0f);
  EXPECT_TRUE(program->sameForAllSplits({&w0, &w1, &x, &y0, &y1}, {3, 4}, 5));
  EXPECT_NE(y1.get(9), 0.0f);
}
