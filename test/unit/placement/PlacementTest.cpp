//===- PlacementTest.cpp - Placements against exact optima ----------------===//

#include "compiler/Analysis/Placement.h"
#include "RandomInstance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace pi;
using namespace pi::test;

namespace {

/// The exact optimum, written down a second time: dynamic programming over layers, the
/// side of the residual stream and the units of memory that are left.
double exactOptimum(const Instance &instance) {
  const PlacementProblem &problem = instance.problem;
  const PlacementMachine &machine = problem.machine;
  constexpr double never = std::numeric_limits<double>::infinity();
  double cpu = machine.cpuBytesPerUs, gpu = machine.gpuBytesPerUs, crossing = machine.crossingUs;
  bool hasRoom = problem.budgetBytes >= problem.scratchBytes;
  size_t units = hasRoom ? (problem.budgetBytes - problem.scratchBytes) / instance.unit : 0;
  // reached[side][units used]
  std::vector<std::vector<double>> reached(2, std::vector<double>(units + 1, never));
  reached[0][0] = 0;
  for (const PlacementLayer &layer : problem.layers) {
    std::vector<std::vector<double>> next(2, std::vector<double>(units + 1, never));
    std::vector<double> read;
    double all = 0;
    for (float f : layer.frequency) {
      read.push_back(f > 0.9f ? double(layer.rowBytes)
                              : double(layer.checkBytes) +
                                    double(f) * double(layer.rowBytes - layer.checkBytes));
      all += read.back();
    }
    for (int side = 0; side < 2; ++side) {
      double attention =
          double(layer.attentionBytes + layer.cacheReadBytes) / (side == 0 ? cpu : gpu);
      size_t fixed = side == 0 ? 0 : (layer.attentionBytes + layer.cacheBytes) / instance.unit;
      double hotRead = 0;
      for (size_t hot = 0; hot <= layer.frequency.size(); ++hot) {
        size_t more = fixed + hot * layer.rowBytes / instance.unit;
        bool away = side == 0 ? hot > 0 : hot < layer.frequency.size();
        double time =
            attention + std::max(hotRead / gpu, (all - hotRead) / cpu) + (away ? 2 * crossing : 0);
        for (int before = 0; before < 2; ++before)
          for (size_t used = 0; used + more <= units; ++used)
            next[side][used + more] =
                std::min(next[side][used + more],
                         reached[before][used] + time + (before != side ? crossing : 0));
        if (hot < layer.frequency.size())
          hotRead += read[hot];
      }
    }
    reached = next;
  }
  double best = never;
  size_t headUnits = problem.headBytes / instance.unit;
  for (int side = 0; side < 2; ++side)
    for (size_t used = 0; used <= units; ++used) {
      double head = double(problem.headBytes);
      best = std::min(best, reached[side][used] + head / cpu + (side == 1 ? crossing : 0));
      if (used + headUnits <= units)
        best = std::min(best, reached[side][used] + head / gpu + crossing * (side == 0 ? 2 : 1));
    }
  return best;
}

TEST(Placement, IsWithinOnePercentOfTheExactOptimum) {
  double worst = 0, sum = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Instance instance = randomInstance(seed, /*aligned=*/true);
    Placement placement = placeNeurons(instance.problem);
    PlacementCost cost = evaluate(instance.problem, placement);
    EXPECT_NEAR(cost.totalUs, placement.totalUs, 1e-9 * cost.totalUs) << seed;
    EXPECT_LE(cost.deviceBytes(), instance.problem.budgetBytes) << seed;
    double exact = exactOptimum(instance);
    EXPECT_GE(placement.totalUs, exact * (1 - 1e-9)) << seed << ": better than the optimum?";
    EXPECT_LE(placement.totalUs, exact * 1.01) << seed;
    EXPECT_LE(placement.boundUs, exact * (1 + 1e-9)) << seed << ": the bound is none";
    EXPECT_GT(placement.boundUs, 0) << seed;
    worst = std::max(worst, placement.totalUs / exact - 1);
    sum += placement.totalUs / exact - 1;
  }
  RecordProperty("worst_percent", std::to_string(100 * worst));
  std::printf("from the optimum: worst %.3f %%, mean %.4f %%\n", 100 * worst, 100 * sum / 200);
}

/// F(p) = p^a, with F(0.8 of the activations) at share `at80`: the frequency of a row at
/// place i of n is the curve's slope, scaled so that `active` of all rows are active.
std::vector<float> powerLaw(int64_t rows, double at80, double active) {
  double exponent = std::log(0.8) / std::log(at80);
  std::vector<float> frequency;
  for (int64_t i = 0; i < rows; ++i) {
    double share = std::pow(double(i + 1) / double(rows), exponent) -
                   std::pow(double(i) / double(rows), exponent);
    frequency.push_back(float(std::min(1.0, share * double(rows) * active)));
  }
  return frequency;
}

/// A model of real size; `bits` per weight.
PlacementProblem realModel(int64_t layers, int64_t hidden, int64_t rows, int64_t matrices,
                           int64_t kvWidth, int64_t vocab, double at80, double active, double bits,
                           double budgetGiB) {
  PlacementProblem problem;
  problem.machine = {67200, 1008000, 2};
  auto bytes = [&](double weights) { return uint64_t(weights * bits / 8); };
  for (int64_t i = 0; i < layers; ++i) {
    PlacementLayer layer;
    // Skew falls and rises over depth; the middle is flat.
    double depth = std::fabs(2 * double(i) / double(layers - 1) - 1);
    layer.frequency = powerLaw(rows, at80 * (1.6 - 0.8 * depth), active);
    layer.rowBytes = bytes(double(matrices * hidden));
    layer.checkBytes = bytes(double(hidden));
    layer.attentionBytes = bytes(double(hidden) * double(2 * hidden + 2 * kvWidth));
    layer.cacheBytes = 2 * kvWidth * 2 * 2048;
    layer.cacheReadBytes = layer.cacheBytes / 2;
    problem.layers.push_back(layer);
  }
  problem.headBytes = bytes(double(hidden * vocab));
  problem.scratchBytes = 64 << 20;
  problem.budgetBytes = uint64_t(budgetGiB * (1 << 30));
  return problem;
}

TEST(Placement, OfRealModelsIsWithinOnePercentOfTheBound) {
  struct Shape {
    const char *name;
    int64_t layers, hidden, rows, matrices, kvWidth, vocab;
    double at80, active;
  };
  const Shape shapes[] = {
      {"OPT-30B", 48, 7168, 28672, 2, 7168, 50272, 0.17, 0.03},
      {"Falcon-40B", 60, 8192, 32768, 2, 512, 65024, 0.17, 0.05},
      {"LLaMA-70B", 80, 8192, 28672, 3, 1024, 32000, 0.26, 0.18},
  };
  for (const Shape &s : shapes)
    for (double bits : {16.0, 4.5})
      for (double budget : {10.0, 22.5}) {
        PlacementProblem problem = realModel(s.layers, s.hidden, s.rows, s.matrices, s.kvWidth,
                                             s.vocab, s.at80, s.active, bits, budget);
        Placement placement = placeNeurons(problem);
        EXPECT_LE(placement.gap(), 0.01) << s.name << " " << bits << " bits " << budget << " GiB";
        PlacementCost cost = evaluate(problem, placement);
        EXPECT_LE(cost.deviceBytes(), problem.budgetBytes);
        Placement whole = placeLayers(makeDense(problem));
        EXPECT_LT(placement.totalUs, evaluate(problem, whole).totalUs) << s.name;
        std::printf("%s, %.1f bits, %.1f GiB: %.0f us, gap %.4f %%, whole layers %.0f us\n", s.name,
                    bits, budget, placement.totalUs, 100 * placement.gap(), whole.totalUs);
      }
}

/// Three equal layers of four rows, ten bytes each, of which two are read to check.
PlacementProblem smallProblem(uint64_t budget, double crossing = 0.01) {
  PlacementProblem problem;
  problem.machine = {1, 10, crossing};
  PlacementLayer layer;
  layer.frequency = {1.0f, 0.5f, 0.5f, 0.0f};
  layer.rowBytes = 10;
  layer.checkBytes = 2;
  layer.attentionBytes = 30;
  layer.cacheBytes = 10;
  layer.cacheReadBytes = 5;
  problem.layers = {layer, layer, layer};
  problem.headBytes = 40;
  problem.scratchBytes = 7;
  problem.budgetBytes = budget;
  return problem;
}

TEST(Placement, PredictsByHand) {
  PlacementProblem problem = smallProblem(1000, 0.25);
  Placement placement;
  placement.layers = {{Side::Gpu, 2}, {Side::Cpu, 0}, {Side::Cpu, 1}};
  placement.head = Side::Gpu;
  PlacementCost cost = evaluate(problem, placement);
  // Rows read 10 (always on), 6, 6 and 2 bytes; attention 35; the head 40.
  EXPECT_DOUBLE_EQ(cost.layers[0].cpuUs, 8);
  EXPECT_DOUBLE_EQ(cost.layers[0].gpuUs, 1.6 + 3.5);
  EXPECT_DOUBLE_EQ(cost.layers[0].crossingUs, 0.25 + 0.5); // to the GPU; rows away and back
  EXPECT_DOUBLE_EQ(cost.layers[0].coverage, 0.75);
  EXPECT_EQ(cost.layers[0].deviceBytes, 60u);
  EXPECT_DOUBLE_EQ(cost.layers[1].cpuUs, 24 + 35);
  EXPECT_DOUBLE_EQ(cost.layers[1].crossingUs, 0.25);
  EXPECT_DOUBLE_EQ(cost.layers[2].cpuUs, 14 + 35);
  EXPECT_DOUBLE_EQ(cost.layers[2].gpuUs, 1);
  EXPECT_DOUBLE_EQ(cost.layers[2].crossingUs, 0.5);
  EXPECT_DOUBLE_EQ(cost.headUs, 4);
  EXPECT_DOUBLE_EQ(cost.totalUs, (3.5 + 8 + 0.75) + (59 + 0.25) + (35 + 14 + 0.5) + 4 + 0.5);
  EXPECT_EQ(cost.weightBytes, 50u + 10 + 40);
  EXPECT_EQ(cost.cacheBytes, 10u);
  EXPECT_EQ(cost.deviceBytes(), 100u + 10 + 7);
}

TEST(Placement, GoesToTheCpuWhereNothingPays) {
  Placement placement = placeNeurons(smallProblem(1000, 500));
  EXPECT_FALSE(placement.usesGpu());
  EXPECT_DOUBLE_EQ(placement.totalUs, 3 * (24 + 35) + 40);
  EXPECT_NEAR(placement.gap(), 0, 1e-9);
  EXPECT_FALSE(placeNeurons(smallProblem(7)).usesGpu()) << "room for the scratch alone";
  EXPECT_FALSE(placeNeurons(smallProblem(0)).usesGpu());
  EXPECT_EQ(smallestBudget(smallProblem(0)), 17u);
  EXPECT_TRUE(placeNeurons(smallProblem(17)).usesGpu());
}

TEST(Placement, TakesEverythingWhereThereIsRoom) {
  Placement placement = placeNeurons(smallProblem(1000, 1));
  for (const LayerPlacement &layer : placement.layers) {
    EXPECT_EQ(layer.attention, Side::Gpu);
    EXPECT_EQ(layer.hotRows, 4);
  }
  EXPECT_EQ(placement.head, Side::Gpu);
}

TEST(Placement, OfEqualLayersTakesTheFirst) {
  // Room for one attention block and no more.
  Placement placement = placeNeurons(smallProblem(7 + 49, 0.001));
  Placement again = placeNeurons(smallProblem(7 + 49, 0.001));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(placement.layers[i].attention, again.layers[i].attention);
    EXPECT_EQ(placement.layers[i].hotRows, again.layers[i].hotRows);
  }
}

TEST(Placement, LeastHotRowsPayForTheirCrossings) {
  PlacementProblem problem = smallProblem(0, 1);
  // Gains of the rows: 9, 5.4, 5.4, 1.8.
  problem.machine.crossingUs = 4.5;
  EXPECT_EQ(leastHotRows(problem.layers[0], problem.machine), 1);
  problem.machine.crossingUs = 4.51;
  EXPECT_EQ(leastHotRows(problem.layers[0], problem.machine), 2);
  problem.machine.crossingUs = 11;
  EXPECT_EQ(leastHotRows(problem.layers[0], problem.machine), 5);
}

TEST(Placement, OfWholeLayersTakesTheLast) {
  Placement placement = placeLayers(makeDense(smallProblem(7 + 40 + 2 * 80)));
  EXPECT_EQ(placement.head, Side::Gpu);
  EXPECT_EQ(placement.layers[0].hotRows, 0);
  EXPECT_EQ(placement.layers[0].attention, Side::Cpu);
  EXPECT_EQ(placement.layers[1].hotRows, 4);
  EXPECT_EQ(placement.layers[2].attention, Side::Gpu);
  EXPECT_FALSE(placeLayers(smallProblem(46)).usesGpu());
}

} // namespace
