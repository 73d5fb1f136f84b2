//===- AttendTest.cpp - plan.attend against softmax in f64 -===//

#include "test/numeric/CompiledKernel.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace pi::test;

namespace {
struct AttendCase {
  int64_t kvHeads, group, dim, capacity, position;
  Dtype cache;
  int64_t vectorBits = 256;
  float queryScale = 1.0f;
};

void checkAttend(const AttendCase &c) {
  int64_t heads = c.kvHeads * c.group;
  SCOPED_TRACE(std::to_string(heads) + "/" + std::to_string(c.kvHeads) + " heads of " +
               std::to_string(c.dim) + " " + nameOf(c.cache) + " at " + std::to_string(c.position));
  std::mt19937_64 random(heads * 1000 + c.dim + c.position);
  GuardedBuffer q({1, heads * c.dim}, Dtype::F32), k({c.kvHeads, c.capacity, c.dim}, c.cache);
  GuardedBuffer v({c.kvHeads, c.capacity, c.dim}, c.cache), o({1, heads * c.dim}, Dtype::F32);
  GuardedBuffer s({heads, c.capacity}, Dtype::F32);
  q.fillRandom(random, c.queryScale);
  k.fillRandom(random);
  v.fillRandom(random);
  // What lies beyond the position must not matter.
  for (int64_t h = 0; h < c.kvHeads; ++h)
    for (int64_t i = (c.position + 1) * c.dim; i < c.capacity * c.dim; ++i) {
      k.set(h * c.capacity * c.dim + i, NAN);
      v.set(h * c.capacity * c.dim + i, NAN);
    }
  const float scale = 0.176776692f;
  std::string body = "plan.attend %arg0, %arg1, %arg2 -> %arg3 scores %arg4 at %position scale "
                     "0.176776692 tiles(%begin to %end) : " +
                     q.memrefType() + ", " + k.memrefType() + ", " + v.memrefType() + ", " +
                     s.memrefType() + " -> " + o.memrefType();
  auto program = CompiledProgram::create(makeModuleText(
      {q.memrefType(), k.memrefType(), v.memrefType(), o.memrefType(), s.memrefType()}, body,
      c.vectorBits));
  ASSERT_TRUE(program);
  EXPECT_TRUE(program->sameForAllSplits({&q, &k, &v, &o, &s}, {3}, c.kvHeads, c.position));

  for (int64_t h = 0; h < heads; ++h) {
    int64_t base = h / c.group * c.capacity * c.dim;
    std::vector<double> weights;
    double largest = -INFINITY, scoreError = 0;
    for (int64_t p = 0; p <= c.position; ++p) {
      double dot = 0, absolute = 0;
      for (int64_t d = 0; d < c.dim; ++d) {
        double product = double(q.get(h * c.dim + d)) * k.get(base + p * c.dim + d);
        dot += product;
        absolute += std::abs(product);
      }
      weights.push_back(dot * scale);
      largest = std::max(largest, weights.back());
      // Error of the dot product, of scaling it, and of subtracting the largest.
      scoreError = std::max(scoreError, (dotBound(c.dim, 8) + 2 * kRound) * absolute * scale);
    }
    double sum = 0;
    for (double &weight : weights)
      sum += weight = std::exp(weight - largest);
    for (int64_t d = 0; d < c.dim; ++d) {
      double expected = 0, absolute = 0;
      for (int64_t p = 0; p <= c.position; ++p) {
        double product = weights[p] / sum * v.get(base + p * c.dim + d);
        expected += product;
        absolute += std::abs(product);
      }
      // An error e of a score (twice: the largest has one too) is a relative error e of
      // its weight, and of the sum; exp is good to 2 roundings; sums over positions.
      double relative = 4 * scoreError + (8 + 2 * (c.position + 1)) * kRound;
      EXPECT_NEAR(o.get(h * c.dim + d), expected, relative * absolute) << h << ", " << d;
    }
  }
}
} // namespace

TEST(Attend, Shapes) {
  for (Dtype type : {Dtype::F32, Dtype::F16}) {
    checkAttend({4, 1, 32, 64, 0, type});     // the first token
    checkAttend({4, 2, 32, 64, 63, type});    // grouped, full cache
    checkAttend({1, 8, 64, 40, 21, type});    // one key/value head for all
    checkAttend({1, 1, 16, 100, 99, type});   // one head
    checkAttend({2, 3, 20, 50, 36, type});    // dim no multiple of 8
    checkAttend({3, 1, 7, 33, 32, type});     // dim less than a vector
    checkAttend({2, 2, 128, 300, 200, type}); // several blocks of positions
    checkAttend({1, 1, 80, 9, 8, type});
  }
}

TEST(Attend, Avx512) {
  if (!hostHasAvx512())
    GTEST_SKIP() << "no AVX-512";
  checkAttend({2, 2, 64, 100, 77, Dtype::F16, 512});
  checkAttend({2, 1, 20, 50, 36, Dtype::F32, 512});
}

// Scores hundreds apart: the exponentials of most underflow, none overflows.
TEST(Attend, LargeScores) { checkAttend({2, 2, 32, 64, 50, Dtype::F32, 256, 300.0f}); }
