//===- ImpactTest.cpp - What follows from the counts of a layer -===//

#include "compiler/Profile/Impact.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace pi;

static LayerProfile makeLayer() {
  LayerProfile layer;
  layer.hidden = 4;
  layer.counts = {10, 0, 60, 10, 20};
  layer.mass = {1u << 24, 0, 3u << 23, 1u << 25, 1u << 22};
  return layer;
}

TEST(Impact, FrequencyIsAShareOfTokens) {
  EXPECT_EQ(getFrequency(makeLayer(), 100), (std::vector<double>{0.1, 0, 0.6, 0.1, 0.2}));
  EXPECT_EQ(getFrequency(makeLayer(), 0), std::vector<double>(5, 0.0));
}

TEST(Impact, ContributionIsMassTimesNorm) {
  LayerProfile layer = makeLayer();
  EXPECT_EQ(getContribution(layer), (std::vector<double>{1, 0, 1.5, 2, 0.25}));
  layer.downNorms = {2, 3, 4, 0, 1};
  EXPECT_EQ(getContribution(layer), (std::vector<double>{2, 0, 6, 0, 0.25}));
}

TEST(Impact, HottestFirstTiesByIndex) {
  LayerProfile layer = makeLayer();
  EXPECT_EQ(sortByHotness(layer.counts), (std::vector<uint32_t>{2, 4, 0, 3, 1}));
  EXPECT_EQ(sortByHotness(getContribution(layer)), (std::vector<uint32_t>{3, 2, 0, 4, 1}));
  std::vector<uint64_t> equal(1000, 7);
  std::vector<uint32_t> order = sortByHotness(equal);
  for (uint32_t i = 0; i < 1000; ++i)
    ASSERT_EQ(order[i], i);
}

TEST(Impact, CoverageOfTheHottest) {
  LayerProfile layer = makeLayer();
  std::vector<double> curve = getCoverageCurve(layer.counts);
  EXPECT_EQ(curve, (std::vector<double>{0, 0.6, 0.8, 0.9, 1, 1}));
  EXPECT_EQ(getCoverageCurve(std::vector<uint64_t>(2)), (std::vector<double>{1, 1, 1}));
}

TEST(Impact, FewestNeuronsForAShare) {
  LayerProfile layer = makeLayer();
  EXPECT_EQ(countForCoverage(layer.counts, 0), 0u);
  EXPECT_EQ(countForCoverage(layer.counts, 0.8), 2u); // just reached
  EXPECT_EQ(countForCoverage(layer.counts, 0.81), 3u);
  EXPECT_EQ(countForCoverage(layer.counts, 0.95), 4u);
  EXPECT_EQ(countForCoverage(layer.counts, 1), 4u);
  EXPECT_EQ(countForCoverage(std::vector<uint64_t>(3), 0.9), 0u);
}

TEST(Impact, SparsityIsTheShareNotActive) {
  EXPECT_DOUBLE_EQ(getSparsity(makeLayer(), 100), 0.8);
  EXPECT_TRUE(std::isnan(getSparsity(makeLayer(), 0)));
}

TEST(Impact, Summary) {
  LayerProfile layer = makeLayer();
  layer.layer = 7;
  HotnessSummary summary = summarise(layer, 100);
  EXPECT_EQ(summary.layer, 7u);
  EXPECT_EQ(summary.neurons, 5u);
  EXPECT_EQ(summary.covering, (std::array<uint64_t, 3>{2, 3, 4}));
  EXPECT_DOUBLE_EQ(summary.coveringShare(1), 0.6);
  EXPECT_DOUBLE_EQ(summary.sparsity, 0.8);
  EXPECT_DOUBLE_EQ(summary.hottest, 0.6);
  EXPECT_EQ(summary.never, 1u);
  EXPECT_EQ(summarise(layer, 0).hottest, 0);
}
