//===- NeuronsTest.cpp - plan.neurons against dense sums in f64 -===//

#include "test/numeric/CompiledKernel.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <sys/mman.h>

using namespace pi::test;

namespace {
enum class Kind { Gated, Plain, Bias };

struct NeuronsCase {
  Kind kind;
  int64_t neurons, features, first, last, perTile;
  Dtype type;
  int64_t vectorBits = 256;
  bool traced = true;
};

/// The buffers of one case; `gate` and `bias` are unused where the kind has none.
struct NeuronsBuffers {
  explicit NeuronsBuffers(const NeuronsCase &c)
      : x({1, c.features}, Dtype::F32), gate({c.neurons, c.features}, c.type),
        up({c.neurons, c.features}, c.type), bias({c.neurons}, Dtype::F32),
        down({c.neurons, c.features}, c.type),
        partial({(c.last - c.first + c.perTile - 1) / c.perTile, c.features}, Dtype::F32),
        counts({(c.last - c.first + c.perTile - 1) / c.perTile}, Dtype::F32),
        trace({c.neurons}, Dtype::F32) {}
  std::vector<GuardedBuffer *> all() {
    return {&x, &gate, &up, &bias, &down, &partial, &counts, &trace};
  }

  GuardedBuffer x, gate, up, bias, down, partial, counts, trace;
};

std::string neuronsText(const NeuronsCase &c, NeuronsBuffers &b) {
  bool gated = c.kind == Kind::Gated, biased = c.kind == Kind::Bias;
  std::string body = "plan.neurons %arg0" + std::string(gated ? " gate %arg1" : "") + " up %arg2" +
                     (biased ? " up_bias %arg3" : "") + " down %arg4 -> %arg5 counts %arg6" +
                     (c.traced ? " trace %arg7" : "") + " rows(" + std::to_string(c.first) +
                     " to " + std::to_string(c.last) + ") tiles(%begin to %end) per_tile " +
                     std::to_string(c.perTile) +
                     " {\n^bb0(%pre: f32):\n%zero = arith.constant 0.0 : f32\n"
                     "%a = arith.maximumf %pre, %zero : f32\nplan.yield %a : f32\n} : " +
                     b.x.memrefType() + (gated ? " gate " + b.gate.memrefType() : "") + " up " +
                     b.up.memrefType() + (biased ? " up_bias " + b.bias.memrefType() : "") +
                     " down " + b.down.memrefType() + " -> " + b.partial.memrefType() + " counts " +
                     b.counts.memrefType() + (c.traced ? " trace " + b.trace.memrefType() : "");
  std::vector<std::string> types;
  for (GuardedBuffer *buffer : b.all())
    types.push_back(buffer->memrefType());
  return makeModuleText(types, body, c.vectorBits);
}

double dot(const GuardedBuffer &matrix, int64_t row, const GuardedBuffer &x, double *absolute) {
  int64_t n = static_cast<int64_t>(x.getNumElements());
  double sum = 0;
  *absolute = 0;
  for (int64_t i = 0; i < n; ++i) {
    double product = double(matrix.get(row * n + i)) * x.get(i);
    sum += product;
    *absolute += std::abs(product);
  }
  return sum;
}

void compare(const NeuronsCase &c, NeuronsBuffers &b) {
  int64_t lanes = c.vectorBits / 32;
  double bound = dotBound(c.features, lanes) + 2 * kRound;
  for (int64_t t = 0; t < (c.last - c.first + c.perTile - 1) / c.perTile; ++t) {
    std::vector<double> expected(c.features), error(c.features);
    int64_t begin = c.first + t * c.perTile, surelyActive = 0, maybeActive = 0;
    for (int64_t r = begin; r < std::min(begin + c.perTile, c.last); ++r) {
      double preAbsolute, upAbsolute = 1, up = 1;
      double pre = dot(c.kind == Kind::Gated ? b.gate : b.up, r, b.x, &preAbsolute);
      if (c.kind == Kind::Bias)
        pre += b.bias.get(r), preAbsolute += std::abs(b.bias.get(r));
      if (c.kind == Kind::Gated)
        up = dot(b.up, r, b.x, &upAbsolute);
      surelyActive += pre > bound * preAbsolute;
      maybeActive += pre > -bound * preAbsolute;
      double a = std::max(pre, 0.0) * up;
      // Both factors are off by at most `bound` of their absolute sums. A neuron whose
      // sum is within the bound of zero may fall on either side: its share is as small.
      double aError = pre < -bound * preAbsolute
                          ? 0
                          : bound * (preAbsolute * std::abs(up) + std::abs(pre) * upAbsolute +
                                     preAbsolute * upAbsolute * bound);
      if (c.traced && pre > bound * preAbsolute)
        EXPECT_NEAR(b.trace.get(r), std::abs(a), aError * 1.01) << "row " << r;
      if (c.traced && pre < -bound * preAbsolute)
        EXPECT_EQ(b.trace.get(r), -1) << "row " << r;
      for (int64_t f = 0; f < c.features; ++f) {
        double d = b.down.get(r * c.features + f);
        expected[f] += a * d;
        error[f] += (aError + std::abs(a) * kRound * (c.perTile + 1)) * std::abs(d);
      }
    }
    EXPECT_GE(b.counts.get(t), surelyActive) << "tile " << t;
    EXPECT_LE(b.counts.get(t), maybeActive) << "tile " << t;
    for (int64_t f = 0; f < c.features; ++f)
      EXPECT_NEAR(b.partial.get(t * c.features + f), expected[f], error[f] * 1.01)
          << "tile " << t << " feature " << f;
  }
}

void checkNeurons(const NeuronsCase &c, uint64_t seed) {
  SCOPED_TRACE(std::to_string(c.neurons) + "x" + std::to_string(c.features) + nameOf(c.type) +
               " kind " + std::to_string(static_cast<int>(c.kind)) + " per_tile " +
               std::to_string(c.perTile));
  std::mt19937_64 random(seed);
  NeuronsBuffers b(c);
  for (GuardedBuffer *buffer : b.all())
    buffer->fillRandom(random); // the partial sums too: they are set, not added to
  auto program = CompiledProgram::create(neuronsText(c, b));
  ASSERT_TRUE(program);
  int64_t tiles = (c.last - c.first + c.perTile - 1) / c.perTile;
  EXPECT_TRUE(program->sameForAllSplits(b.all(), {5, 6, 7}, tiles));
  compare(c, b);
}
} // namespace

TEST(Neurons, KindsShapesAndTypes) {
  uint64_t seed = 1;
  for (Kind kind : {Kind::Gated, Kind::Plain, Kind::Bias})
    for (Dtype type : {Dtype::F32, Dtype::F16, Dtype::BF16})
      for (NeuronsCase c : {NeuronsCase{kind, 32, 64, 0, 32, 16, type},
                            {kind, 1, 8, 0, 1, 4, type},
                            {kind, 37, 33, 0, 37, 5, type},
                            {kind, 50, 100, 7, 43, 9, type}, // a group inside the layer
                            {kind, 20, 5, 0, 20, 20, type}})
        checkNeurons(c, seed++);
  for (Kind kind : {Kind::Gated, Kind::Plain})
    checkNeurons({kind, 37, 33, 0, 37, 5, Dtype::F16, 256, /*traced=*/false}, seed++);
}

TEST(Neurons, Avx512) {
  if (!hostHasAvx512())
    GTEST_SKIP() << "no AVX-512";
  checkNeurons({Kind::Gated, 64, 200, 0, 64, 16, Dtype::F16, 512}, 1);
  checkNeurons({Kind::Bias, 30, 77, 3, 29, 7, Dtype::F32, 512, /*traced=*/false}, 2);
}

TEST(Neurons, NoneActive) {
  NeuronsCase c{Kind::Gated, 16, 32, 0, 16, 8, Dtype::F32};
  std::mt19937_64 random(9);
  NeuronsBuffers b(c);
  b.x.fill(1.0f);
  b.gate.fill(-1.0f);
  b.up.fillRandom(random);
  b.down.fillRandom(random);
  b.partial.fill(5.0f);
  auto program = CompiledProgram::create(neuronsText(c, b));
  ASSERT_TRUE(program);
  program->call(b.all(), 0, 2);
  for (size_t i = 0; i < b.partial.getNumElements(); ++i)
    EXPECT_EQ(b.partial.get(i), 0.0f);
}

// As in a dense sum: where a factor is NaN, so is the result.
TEST(Neurons, NanReachesTheOutput) {
  const float nan = std::nanf("");
  for (Kind kind : {Kind::Gated, Kind::Plain, Kind::Bias})
    for (int place = 0; place < 4; ++place) { // x, the gate or up, bias or up, down
      SCOPED_TRACE(std::to_string(static_cast<int>(kind)) + ", " + std::to_string(place));
      NeuronsCase c{kind, 16, 40, 0, 16, 8, Dtype::F32};
      std::mt19937_64 random(11);
      NeuronsBuffers b(c);
      for (GuardedBuffer *buffer : b.all())
        buffer->fillRandom(random);
      const int64_t row = 3; // of the first tile; active, but for NaN
      for (int64_t f = 0; f < c.features; ++f)
        for (GuardedBuffer *matrix : {&b.gate, &b.up})
          matrix->set(row * c.features + f, b.x.get(f));
      b.bias.set(row, 1.0f);
      GuardedBuffer &first = kind == Kind::Gated ? b.gate : b.up;
      GuardedBuffer &second = kind == Kind::Bias ? b.bias : b.up;
      if (place == 0)
        b.x.set(5, nan);
      else if (place == 1)
        first.set(row * c.features + 7, nan);
      else if (place == 2)
        second.set(kind == Kind::Bias ? row : row * c.features + 9, nan);
      else
        b.down.set(row * c.features + 11, nan);
      auto program = CompiledProgram::create(neuronsText(c, b));
      ASSERT_TRUE(program);
      program->call(b.all(), 0, 2);
      for (int64_t t = 0; t < 2; ++t)
        for (int64_t f = 0; f < c.features; ++f) {
          bool isNan = place == 0 || (t == 0 && (place != 3 || f == 11));
          EXPECT_EQ(std::isnan(b.partial.get(t * c.features + f)), isNan) << t << " " << f;
        }
    }
}

// A row of 1024 f32 is a page: those of inactive neurons are made inaccessible.
TEST(Neurons, InactiveRowsAreNotRead) {
  NeuronsCase c{Kind::Gated, 24, 1024, 0, 24, 8, Dtype::F32};
  std::mt19937_64 random(10);
  NeuronsBuffers b(c);
  for (GuardedBuffer *buffer : b.all())
    buffer->fillRandom(random);
  auto program = CompiledProgram::create(neuronsText(c, b));
  ASSERT_TRUE(program);
  const size_t rowBytes = 4096;
  int inactive = 0;
  auto protect = [&](int access) {
    for (int64_t r = 0; r < c.neurons; ++r) {
      double absolute;
      if (dot(b.gate, r, b.x, &absolute) > 0)
        continue;
      ++inactive;
      mprotect(static_cast<char *>(b.up.data()) + r * rowBytes, rowBytes, access);
      mprotect(static_cast<char *>(b.down.data()) + r * rowBytes, rowBytes, access);
    }
  };
  protect(PROT_NONE);
  EXPECT_GT(inactive, 4);
  program->call(b.all(), 0, 3);
  protect(PROT_READ);
  compare(c, b);
}
