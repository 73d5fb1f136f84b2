//===- SamplerTest.cpp - Stages of sampling, one by one and together ------===//

#include "runtime/text/Sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <numeric>
#include <random>
#include <vector>

// Counts what the whole test program allocates.
static std::atomic<size_t> allocations{0};
#ifndef PI_TEST_SANITIZED // sanitizers bring their own
void *operator new(size_t bytes) {
  ++allocations;
  void *memory = std::malloc(bytes ? bytes : 1);
  if (!memory)
    std::abort();
  return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
#endif

namespace pi::text::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Everything off: draws from the whole softmax.
SamplerSettings plain() { return {1, 0, 1, 0, 1, 64}; }

/// Probabilities 1/2, 1/4, 1/8, 1/8, in no order of ids.
const std::vector<float> kLogits = {0, std::log(4.0f), 0, std::log(2.0f)};

std::vector<int32_t> keptIds(const SamplerSettings &settings, const std::vector<float> &logits) {
  Sampler sampler(settings, logits.size(), 1);
  sampler.choose(logits.data());
  std::vector<int32_t> ids;
  for (const Sampler::Candidate &candidate : sampler.candidates())
    ids.push_back(candidate.id);
  return ids;
}

std::vector<double> weights(const SamplerSettings &settings, const std::vector<float> &logits) {
  Sampler sampler(settings, logits.size(), 1);
  sampler.choose(logits.data());
  std::vector<double> result;
  for (const Sampler::Candidate &candidate : sampler.candidates())
    result.push_back(candidate.weight);
  return result;
}

using Ids = std::vector<int32_t>;

TEST(Sampler, DefaultsOfLlamaCli) {
  SamplerSettings settings;
  EXPECT_EQ(settings.temperature, 0.8);
  EXPECT_EQ(settings.topK, 40);
  EXPECT_EQ(settings.topP, 0.95);
  EXPECT_EQ(settings.minP, 0.05);
  EXPECT_EQ(settings.repeatPenalty, 1);
  EXPECT_EQ(settings.repeatLastN, 64);
}

TEST(Sampler, TopK) {
  SamplerSettings settings = plain();
  for (int64_t all : {0, -1, 4, 5, 1000}) {
    settings.topK = all;
    EXPECT_EQ(keptIds(settings, kLogits), Ids({0, 1, 2, 3})) << all;
  }
  settings.topK = 1;
  EXPECT_EQ(keptIds(settings, kLogits), Ids({1}));
  settings.topK = 2;
  EXPECT_EQ(keptIds(settings, kLogits), Ids({1, 3}));
  settings.topK = 3; // a tie: the lower id
  EXPECT_EQ(keptIds(settings, kLogits), Ids({1, 3, 0}));
}

TEST(Sampler, TopP) {
  SamplerSettings settings = plain();
  auto kept = [&](double p) {
    settings.topP = p;
    return keptIds(settings, kLogits);
  };
  EXPECT_EQ(kept(0), Ids({1})); // at least one
  EXPECT_EQ(kept(0.49), Ids({1}));
  EXPECT_EQ(kept(0.51), Ids({1, 3})); // the one that crosses is kept
  EXPECT_EQ(kept(0.74), Ids({1, 3}));
  EXPECT_EQ(kept(0.76), Ids({1, 3, 0}));
  EXPECT_EQ(kept(0.99), Ids({1, 3, 0, 2}));
  EXPECT_EQ(kept(1).size(), 4u);
}

TEST(Sampler, MinP) {
  SamplerSettings settings = plain();
  auto kept = [&](double p) {
    settings.minP = p;
    return keptIds(settings, kLogits);
  };
  EXPECT_EQ(kept(0.2), Ids({0, 1, 2, 3}));
  EXPECT_EQ(kept(0.3), Ids({1, 3})); // 1/8 is a quarter of 1/2
  EXPECT_EQ(kept(0.6), Ids({1}));
  EXPECT_EQ(kept(1), Ids({1}));
  EXPECT_EQ(keptIds(settings, {3, 3, 2}), Ids({0, 1})); // all that are the likeliest
}

TEST(Sampler, Temperature) {
  SamplerSettings settings = plain();
  auto expect = [&](double temperature, std::vector<double> expected) {
    settings.temperature = temperature;
    std::vector<double> got = weights(settings, kLogits);
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_NEAR(got[i], expected[i], 1e-6) << temperature << " " << i;
  };
  expect(1, {0.25, 1, 0.25, 0.5});
  expect(2, {0.5, 1, 0.5, std::sqrt(0.5)});
  expect(0.5, {0.0625, 1, 0.0625, 0.25});
  expect(1e-30, {0, 1, 0, 0});
  settings.temperature = 1e-30;
  Sampler sampler(settings, 4, 9);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(sampler.choose(kLogits.data()), 1);
}

TEST(Sampler, OrderOfStages) {
  // Top-p counts what top-k has left: of 1/2 and 1/4, 2/3 and 1/3.
  SamplerSettings settings = plain();
  settings.topP = 0.6;
  EXPECT_EQ(keptIds(settings, kLogits), Ids({1, 3}));
  settings.topK = 2;
  EXPECT_EQ(keptIds(settings, kLogits), Ids({1}));
  // Top-p and min-p see the probabilities before the temperature.
  for (double temperature : {0.01, 1.0, 50.0}) {
    settings = plain();
    settings.temperature = temperature;
    settings.minP = 0.3;
    EXPECT_EQ(keptIds(settings, kLogits), Ids({1, 3}));
    settings.minP = 0;
    settings.topP = 0.74;
    EXPECT_EQ(keptIds(settings, kLogits), Ids({1, 3}));
  }
  // Min-p takes nothing from what top-p counts: 0.5 + 0.25 is less than 0.8 of all.
  settings = plain();
  settings.topP = 0.8;
  settings.minP = 0.3;
  EXPECT_EQ(keptIds(settings, kLogits), Ids({1, 3}));
}

TEST(Sampler, RepeatPenalty) {
  SamplerSettings settings = plain();
  settings.temperature = 0;
  settings.repeatPenalty = 2;
  const float logits[] = {2, -2, 1.5f, 0};
  Sampler sampler(settings, 4, 1);
  EXPECT_EQ(sampler.choose(logits), 0);
  for (int32_t id : {0, 0, 1, 3}) // each once, however often it came
    sampler.accept(id);
  EXPECT_EQ(sampler.choose(logits), 2);
  EXPECT_EQ(sampler.candidates()[0].logit, 1.5f);
  sampler.forget();
  EXPECT_EQ(sampler.choose(logits), 0);
  sampler.accept(-1); // outside of the vocabulary: noted nowhere
  sampler.accept(4);
  EXPECT_EQ(sampler.choose(logits), 0);

  settings.temperature = 1;
  Sampler drawing(settings, 4, 1);
  for (int32_t id : {0, 0, 1, 3})
    drawing.accept(id);
  drawing.choose(logits);
  std::vector<float> after;
  for (const Sampler::Candidate &candidate : drawing.candidates())
    after.push_back(candidate.logit);
  EXPECT_EQ(after, std::vector<float>({1, -4, 1.5f, 0})); // negative ones are multiplied
}

TEST(Sampler, RepeatWindow) {
  SamplerSettings settings = plain();
  settings.temperature = 0;
  settings.repeatPenalty = 4;
  const float logits[] = {4, 3, 2, 1.5f};
  auto choose = [&](int64_t lastN) {
    settings.repeatLastN = lastN;
    Sampler sampler(settings, 4, 1);
    for (int32_t id : {0, 1, 2})
      sampler.accept(id);
    return sampler.choose(logits);
  };
  EXPECT_EQ(choose(0), 0); // off
  EXPECT_EQ(choose(1), 0); // 2 alone
  EXPECT_EQ(choose(2), 0);
  EXPECT_EQ(choose(3), 3);
  EXPECT_EQ(choose(100), 3);
  settings.repeatLastN = 2;
  Sampler sampler(settings, 4, 1);
  for (int32_t id : {3, 3, 2, 0, 1}) // the ring has gone round
    sampler.accept(id);
  EXPECT_EQ(sampler.choose(logits), 2);
}

TEST(Sampler, BadLogits) {
  for (double temperature : {0.0, 1.0})
    for (int64_t topK : {0, 2}) {
      SamplerSettings settings = plain();
      settings.temperature = temperature;
      settings.topK = topK;
      Sampler sampler(settings, 3, 1);
      auto choose = [&](std::vector<float> logits) { return sampler.choose(logits.data()); };
      EXPECT_EQ(choose({1, NAN, 2}), -1);
      EXPECT_EQ(choose({NAN, 1, 2}), -1);
      EXPECT_EQ(choose({1, kInfinity, 2}), -1);
      EXPECT_EQ(choose({-kInfinity, -kInfinity, -kInfinity}), -1);
      for (int i = 0; i < 50; ++i)
        EXPECT_EQ(choose({-kInfinity, -kInfinity, 2}), 2);
      EXPECT_GE(choose({-3e38f, 3e38f, 3e38f}), 1); // no overflow
    }
  EXPECT_EQ(Sampler(plain(), 0, 1).choose(nullptr), -1);
}

TEST(Sampler, UniformIsSpecified) {
  std::mt19937_64 random(5489); // the standard gives its values
  EXPECT_EQ(uniform(random), double(14514284786278117030ull >> 11) / 9007199254740992.0);
  std::mt19937_64 other(7);
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    double value = uniform(other);
    ASSERT_TRUE(value >= 0 && value < 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);
}

std::vector<float> randomLogits(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<float> logits(count);
  for (float &logit : logits)
    logit = float(std::floor(uniform(random) * 400) / 20 - 8); // many ties
  return logits;
}

/// What the stages keep, by full sorts, as llama.cpp does.
Ids keptBySorting(const SamplerSettings &settings, const std::vector<float> &logits) {
  Ids ids(logits.size());
  std::iota(ids.begin(), ids.end(), 0);
  auto logit = [&](int32_t id) { return logits[size_t(id)]; };
  std::sort(ids.begin(), ids.end(),
            [&](int a, int b) { return logit(a) != logit(b) ? logit(a) > logit(b) : a < b; });
  if (settings.topK > 0 && size_t(settings.topK) < ids.size())
    ids.resize(size_t(settings.topK));
  double total = 0, sum = 0;
  for (int32_t id : ids)
    total += std::exp(double(logit(id)));
  for (size_t i = 0; i < ids.size() && settings.topP < 1; ++i) {
    sum += std::exp(double(logit(ids[i]))) / total;
    if (sum >= settings.topP)
      ids.resize(i + 1);
  }
  size_t end = 0;
  while (end < ids.size() &&
         std::exp(double(logit(ids[end])) - double(logit(ids[0]))) >= settings.minP)
    ++end;
  ids.resize(end);
  return ids;
}

TEST(Sampler, KeepsWhatFullSortsKeep) {
  std::vector<float> logits = randomLogits(5000, 3);
  for (int64_t topK : {0, 1, 40, 700, 4999, 5000})
    for (double topP : {0.0, 0.3, 0.9, 0.999, 1.0})
      for (double minP : {0.0, 0.05, 0.5}) {
        SamplerSettings settings{1, topK, topP, minP, 1, 0};
        Ids got = keptIds(settings, logits), expected = keptBySorting(settings, logits);
        std::sort(got.begin(), got.end());
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(got, expected) << topK << " " << topP << " " << minP;
      }
}

/// Chi-square of `draws` against the weights of the candidates.
double chiSquare(const SamplerSettings &settings, const std::vector<float> &logits, size_t draws) {
  Sampler sampler(settings, logits.size(), 20240229);
  std::vector<double> counts(logits.size());
  for (size_t i = 0; i < draws; ++i)
    counts[size_t(sampler.choose(logits.data()))] += 1;
  double total = 0, result = 0;
  for (const Sampler::Candidate &candidate : sampler.candidates())
    total += candidate.weight;
  for (const Sampler::Candidate &candidate : sampler.candidates()) {
    double expected = double(draws) * candidate.weight / total;
    double difference = counts[size_t(candidate.id)] - expected;
    result += difference * difference / expected;
    counts[size_t(candidate.id)] = 0;
  }
  for (double other : counts)
    EXPECT_EQ(other, 0); // nothing else was drawn
  return result;
}

TEST(Sampler, DrawsFollowTheProbabilities) {
  std::vector<float> logits;
  for (int i = 0; i < 12; ++i)
    logits.push_back(float(i * 5 % 12) * 0.25f);
  // Bounds: 0.999 quantiles of chi-square with 11, 11, 5 and 3 degrees of freedom.
  SamplerSettings settings = plain();
  EXPECT_LT(chiSquare(settings, logits, 100000), 31.26);
  settings.temperature = 0.7;
  EXPECT_LT(chiSquare(settings, logits, 100000), 31.26);
  settings.topK = 6;
  EXPECT_LT(chiSquare(settings, logits, 100000), 20.52);
  settings.minP = 0.4;
  EXPECT_LT(chiSquare(settings, logits, 100000), 16.27);
}

TEST(Sampler, RepeatableForASeed) {
  std::vector<float> logits = randomLogits(300, 5);
  auto draw = [&](uint64_t seed) {
    SamplerSettings settings = plain();
    settings.topK = 20;
    Sampler sampler(settings, logits.size(), seed);
    Ids ids;
    for (int i = 0; i < 8; ++i)
      ids.push_back(sampler.choose(logits.data()));
    return ids;
  };
  EXPECT_EQ(draw(1), draw(1));
  EXPECT_NE(draw(1), draw(2));
  EXPECT_EQ(draw(42), Ids({58, 18, 58, 267, 224, 267, 262, 222})); // on every machine
}

TEST(Sampler, AllocatesNothing) {
  constexpr size_t vocab = 3000;
  std::vector<float> logits = randomLogits(vocab, 8);
  for (SamplerSettings settings :
       {SamplerSettings(), SamplerSettings{0, 40, 0.9, 0, 1.1, 64},
        SamplerSettings{1, 0, 0.99, 0, 1.1, 5}, SamplerSettings{1, 5000, 1, 0, 1, 64}}) {
    Sampler sampler(settings, vocab, 1);
    size_t before = allocations;
    for (int i = 0; i < 200; ++i)
      sampler.accept(sampler.choose(logits.data()));
    EXPECT_EQ(allocations, before);
  }
}

} // namespace
} // namespace pi::text::test
