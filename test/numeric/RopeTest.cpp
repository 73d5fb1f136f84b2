//===- RopeTest.cpp - plan.rope against sines in f64 -===//

#include "test/numeric/CompiledKernel.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace pi::test;

static void checkRope(int64_t heads, int64_t dim, int64_t half, int64_t perTile, int64_t position) {
  SCOPED_TRACE(std::to_string(heads) + " heads of " + std::to_string(dim) + " at " +
               std::to_string(position));
  std::mt19937_64 random(heads + dim);
  GuardedBuffer row({1, heads * dim}, Dtype::F32);
  row.fillRandom(random);
  std::vector<double> before = row.toDoubles();
  std::vector<float> frequencies;
  std::string list;
  for (int64_t i = 0; i < half; ++i) {
    frequencies.push_back(std::pow(10000.0f, -static_cast<float>(i) / static_cast<float>(half)));
    char text[40];
    snprintf(text, sizeof text, "%s%.9e", i ? ", " : "", frequencies.back());
    list += text;
  }
  std::string body = "plan.rope %arg0 at %position dim " + std::to_string(dim) + " frequencies [" +
                     list + "] tiles(%begin to %end) first 0 per_tile " + std::to_string(perTile) +
                     " : " + row.memrefType();
  auto program = CompiledProgram::create(makeModuleText({row.memrefType()}, body));
  ASSERT_TRUE(program);
  EXPECT_TRUE(program->sameForAllSplits({&row}, {0}, (heads + perTile - 1) / perTile, position));
  for (int64_t h = 0; h < heads; ++h)
    for (int64_t d = 0; d < dim; ++d) {
      const double *x = before.data() + h * dim;
      if (d >= 2 * half) {
        EXPECT_EQ(row.get(h * dim + d), x[d]);
        continue;
      }
      int64_t i = d % half;
      float angle = static_cast<float>(position) * frequencies[i];
      // Sine and cosine are rounded once; then two products and a sum are.
      double sin = std::sin(double(angle)), cos = std::cos(double(angle));
      double expected = d < half ? x[i] * cos - x[i + half] * sin : x[i + half] * cos + x[i] * sin;
      double bound = 3.01 * kRound * (std::abs(x[i]) + std::abs(x[i + half]));
      EXPECT_NEAR(row.get(h * dim + d), expected, bound) << "head " << h << " element " << d;
    }
}

TEST(Rope, Shapes) {
  checkRope(8, 32, 16, 2, 0);
  checkRope(8, 32, 16, 3, 1);
  checkRope(1, 64, 32, 1, 1023);
  checkRope(3, 20, 10, 1, 77);
  checkRope(5, 24, 6, 2, 4095); // the last 12 of each head pass through
  checkRope(2, 2, 1, 1, 1000003);
}
