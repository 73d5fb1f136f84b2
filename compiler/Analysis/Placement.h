//===- Placement.h - Which blocks and neurons go to the GPU -===//
// Minimises the predicted time of a token under an exact budget of device memory. Pure:
// numbers in, numbers out, without MLIR; where they come from and what is done with the
// result is not here.

#ifndef PI_COMPILER_ANALYSIS_PLACEMENT_H
#define PI_COMPILER_ANALYSIS_PLACEMENT_H

#include <cstdint>
#include <vector>

namespace pi {

/// Where something is computed.
enum class Side : uint8_t { Cpu, Gpu };

/// One layer: attention, then a feed-forward block of `frequency.size()` neurons (rows).
struct PlacementLayer {
  /// [rows], in [0, 1], descending: share of tokens at which the row is active.
  std::vector<float> frequency;
  uint64_t rowBytes = 0;       ///< of a row in memory: gate, up, down, bias
  uint64_t checkBytes = 0;     ///< of them read for every token, to see whether it is active
  uint64_t attentionBytes = 0; ///< weights of attention and norms
  uint64_t cacheBytes = 0;     ///< KV cache
  uint64_t cacheReadBytes = 0; ///< of it read for a token, as is expected
};

/// What it runs on. Bandwidths are of weights, in bytes per microsecond.
struct PlacementMachine {
  double cpuBytesPerUs = 0;
  double gpuBytesPerUs = 0;
  double crossingUs = 0; ///< from one side to the other, once
};

struct PlacementProblem {
  std::vector<PlacementLayer> layers;
  PlacementMachine machine;
  uint64_t headBytes = 0;    ///< output head and final norm, read for every token
  uint64_t scratchBytes = 0; ///< device memory for activations, if anything is on the GPU
  uint64_t budgetBytes = 0;  ///< device memory for everything
};

/// Rows that are active at more than this share of tokens are computed without a check.
inline constexpr float kAlwaysOn = 0.9f;

/// What becomes of one layer. `hotRows` rows, the first, are on the GPU.
struct LayerPlacement {
  Side attention = Side::Cpu;
  int64_t hotRows = 0;
};

/// A placement and what it is predicted to do, per token.
struct Placement {
  std::vector<LayerPlacement> layers;
  Side head = Side::Cpu;
  double totalUs = 0;
  /// The time no placement can beat, by Lagrangian relaxation; 0 where it was not computed.
  double boundUs = 0;

  bool usesGpu() const;
  double gap() const { return boundUs > 0 ? totalUs / boundUs - 1 : 0; }
};

/// Parts of a placement's time and memory, for those who explain it.
struct LayerCost {
  double cpuUs = 0, gpuUs = 0; ///< what each side computes
  double crossingUs = 0;       ///< within the layer, and from the layer before
  double coverage = 0;         ///< share of all activations that hot rows have; 0 without any
  uint64_t deviceBytes = 0;
};
struct PlacementCost {
  std::vector<LayerCost> layers;
  double headUs = 0, crossingUs = 0; ///< crossings: of all layers, to the head and back
  double cpuUs = 0, gpuUs = 0;       ///< busy, over all layers and the head
  double totalUs = 0;
  uint64_t weightBytes = 0, cacheBytes = 0, scratchBytes = 0; ///< on the device
  uint64_t deviceBytes() const { return weightBytes + cacheBytes + scratchBytes; }
};

/// Predicts. Per layer: attention at its side, then both sides compute their rows at once;
/// rows on the other side than attention cost two crossings, a layer whose attention is
/// on the other side than that of the layer before one; so does the head; the token's
/// embedding comes from the CPU, and the logits go there.
PlacementCost evaluate(const PlacementProblem &problem, const Placement &placement);

/// The best placement found, with its bound. Deterministic; rows of equal use go by index.
/// With no room for anything that pays, everything is on the CPU. Takes
/// O(layers^2 log rows) a round of local search.
Placement placeNeurons(const PlacementProblem &problem);

/// As llama.cpp does: the last layers whole on the GPU, with the head before them, as many
/// as fit, the rest on the CPU; every row is read.
Placement placeLayers(const PlacementProblem &problem);

/// The problem with every row read for every token, as a dense program does.
PlacementProblem makeDense(const PlacementProblem &problem);

/// The fewest hot rows of a layer that pay for two crossings: C rows with
/// C * (a row's time on the CPU - on the GPU) >= the crossings. More than the layer's
/// rows where none do.
int64_t leastHotRows(const PlacementLayer &layer, const PlacementMachine &machine);

/// The smallest budget with which anything can be on the device.
uint64_t smallestBudget(const PlacementProblem &problem);

} // namespace pi

#endif // PI_COMPILER_ANALYSIS_PLACEMENT_H
