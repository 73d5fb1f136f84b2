//===- PlacementCosts.cpp - Time and memory of placements -===//

#include "compiler/Analysis/PlacementCosts.h"

#include <numeric>

using namespace pi;

LayerModel::LayerModel(const PlacementLayer &layer, const PlacementMachine &machine)
    : layer(&layer), machine(&machine), readBefore(layer.frequency.size() + 1) {
  for (int64_t i = 0; i < rows(); ++i)
    readBefore[i + 1] = readBefore[i] + expectedReadBytes(layer, i);
  // cpuUs falls and gpuUs grows: the last point where the CPU is no quicker, or the next.
  int64_t low = 0, high = rows();
  while (low < high) {
    int64_t middle = (low + high + 1) / 2;
    if (gpuUs(middle) <= cpuUs(middle))
      low = middle;
    else
      high = middle - 1;
  }
  most = low < rows() && rowsUs(low + 1) < rowsUs(low) ? low + 1 : low;
}

double LayerModel::attentionUs(Side side) const {
  double bytes = static_cast<double>(layer->attentionBytes + layer->cacheReadBytes);
  return bytes / (side == Side::Cpu ? machine->cpuBytesPerUs : machine->gpuBytesPerUs);
}

int64_t LayerModel::rowsWorth(double usPerByte) const {
  double worth = usPerByte * static_cast<double>(layer->rowBytes) * machine->cpuBytesPerUs;
  int64_t low = 0, high = most; // read bytes fall with the row
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (readBytes(middle) > worth)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool Placement::usesGpu() const {
  return head == Side::Gpu || std::any_of(layers.begin(), layers.end(), [](auto &layer) {
           return layer.attention == Side::Gpu || layer.hotRows > 0;
         });
}

/// Adds the parts of one layer; `before` is where the residual stream comes from.
static LayerCost evaluateLayer(const PlacementProblem &problem, size_t index,
                               const LayerPlacement &placed, Side before, PlacementCost &cost) {
  const PlacementLayer &layer = problem.layers[index];
  LayerModel model(layer, problem.machine);
  LayerCost part;
  part.cpuUs = model.cpuUs(placed.hotRows);
  part.gpuUs = model.gpuUs(placed.hotRows);
  cost.totalUs += model.totalUs(placed.attention, placed.hotRows);
  (placed.attention == Side::Cpu ? part.cpuUs : part.gpuUs) += model.attentionUs(placed.attention);
  part.crossingUs = model.crossingUs(placed.attention, placed.hotRows);
  if (placed.attention != before) {
    part.crossingUs += problem.machine.crossingUs;
    cost.totalUs += problem.machine.crossingUs;
  }
  auto hotEnd = layer.frequency.begin() + placed.hotRows;
  double all = std::accumulate(layer.frequency.begin(), layer.frequency.end(), 0.0);
  double hot = std::accumulate(layer.frequency.begin(), hotEnd, 0.0);
  part.coverage = all > 0 ? hot / all : 0;
  part.deviceBytes = model.deviceBytes(placed.attention, placed.hotRows);
  uint64_t caches = placed.attention == Side::Gpu ? layer.cacheBytes : 0;
  cost.cacheBytes += caches;
  cost.weightBytes += part.deviceBytes - caches;
  cost.cpuUs += part.cpuUs;
  cost.gpuUs += part.gpuUs;
  cost.crossingUs += part.crossingUs;
  return part;
}

PlacementCost pi::evaluate(const PlacementProblem &problem, const Placement &placement) {
  PlacementCost cost;
  Side home = Side::Cpu; // of the embedding
  for (size_t i = 0; i < problem.layers.size(); ++i) {
    cost.layers.push_back(evaluateLayer(problem, i, placement.layers[i], home, cost));
    home = placement.layers[i].attention;
  }
  const PlacementMachine &machine = problem.machine;
  bool headOnGpu = placement.head == Side::Gpu;
  cost.headUs = static_cast<double>(problem.headBytes) /
                (headOnGpu ? machine.gpuBytesPerUs : machine.cpuBytesPerUs);
  (headOnGpu ? cost.gpuUs : cost.cpuUs) += cost.headUs;
  double crossings = (placement.head != home) + headOnGpu; // and the logits back
  cost.crossingUs += crossings * machine.crossingUs;
  cost.totalUs += cost.headUs + crossings * machine.crossingUs;
  if (headOnGpu)
    cost.weightBytes += problem.headBytes;
  cost.scratchBytes = placement.usesGpu() ? problem.scratchBytes : 0;
  return cost;
}

PlacementProblem pi::makeDense(const PlacementProblem &problem) {
  PlacementProblem dense = problem;
  for (PlacementLayer &layer : dense.layers)
    std::fill(layer.frequency.begin(), layer.frequency.end(), 1.0f);
  return dense;
}

Placement pi::placeLayers(const PlacementProblem &problem) {
  Placement placement;
  placement.layers.resize(problem.layers.size());
  uint64_t used = problem.scratchBytes + problem.headBytes;
  if (used <= problem.budgetBytes) {
    placement.head = Side::Gpu;
    for (size_t i = problem.layers.size(); i-- > 0;) {
      const PlacementLayer &layer = problem.layers[i];
      auto rows = static_cast<int64_t>(layer.frequency.size());
      uint64_t bytes = layer.attentionBytes + layer.cacheBytes + rows * layer.rowBytes;
      if (bytes > problem.budgetBytes - used)
        break;
      used += bytes;
      placement.layers[i] = {Side::Gpu, rows};
    }
  }
  placement.totalUs = evaluate(problem, placement).totalUs;
  return placement;
}

int64_t pi::leastHotRows(const PlacementLayer &layer, const PlacementMachine &machine) {
  double gain = 0;
  auto rows = static_cast<int64_t>(layer.frequency.size());
  for (int64_t i = 0; i < rows; ++i) {
    gain += expectedReadBytes(layer, i) * (1 / machine.cpuBytesPerUs - 1 / machine.gpuBytesPerUs);
    if (gain >= 2 * machine.crossingUs)
      return i + 1;
  }
  return rows + 1;
}

uint64_t pi::smallestBudget(const PlacementProblem &problem) {
  uint64_t least = problem.headBytes;
  for (const PlacementLayer &layer : problem.layers) {
    if (uint64_t attention = layer.attentionBytes + layer.cacheBytes)
      least = std::min(least, attention);
    if (!layer.frequency.empty())
      least = std::min(least, layer.rowBytes);
  }
  return problem.scratchBytes + least;
}
