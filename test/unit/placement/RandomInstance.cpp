//===- RandomInstance.cpp - Seeded placement problems ---------------------===//

#include "RandomInstance.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace pi;
using pi::test::Instance;

static std::vector<float> randomFrequencies(std::mt19937_64 &random, int64_t rows, double skew) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<float> frequency;
  for (int64_t i = 0; i < rows; ++i)
    frequency.push_back(float(std::pow(uniform(random), skew)));
  std::sort(frequency.rbegin(), frequency.rend());
  return frequency;
}

Instance pi::test::randomInstance(uint64_t seed, bool aligned) {
  std::mt19937_64 random(seed);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  auto real = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  Instance instance;
  instance.unit = 1 << 14;
  PlacementProblem &problem = instance.problem;
  // Up to a tenth more or less, where sizes need not be multiples.
  auto near = [&](uint64_t bytes) {
    return aligned ? bytes : uint64_t(double(bytes) * real(0.9, 1.1));
  };
  problem.machine = {real(2e4, 9e4), real(3e5, 3e6), real(0.2, 20)};
  int64_t layers = pick(4, 12), rows = pick(8, 40), rowUnits = pick(1, 3);
  double skew = real(1, 12);
  uint64_t all = 0;
  for (int64_t i = 0; i < layers; ++i) {
    PlacementLayer layer;
    layer.frequency = randomFrequencies(random, rows + pick(-3, 3), skew * real(0.5, 2));
    layer.rowBytes = near(rowUnits * instance.unit);
    layer.checkBytes = layer.rowBytes / 3 * pick(0, 1);
    layer.attentionBytes = near(instance.unit * pick(1, 12));
    layer.cacheBytes = near(instance.unit * pick(0, 6));
    layer.cacheReadBytes = layer.cacheBytes / 2;
    all += layer.attentionBytes + layer.cacheBytes + layer.frequency.size() * layer.rowBytes;
    problem.layers.push_back(layer);
  }
  problem.headBytes = near(instance.unit * pick(1, 20));
  problem.scratchBytes = instance.unit * pick(0, 3);
  all += problem.headBytes;
  if (!aligned)
    instance.unit = 1;
  problem.budgetBytes = uint64_t(double(all) * real(0.02, 1.05)) / instance.unit * instance.unit;
  return instance;
}
