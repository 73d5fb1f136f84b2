//===- Tiling.cpp - How much of a kernel's work is one tile -===//

#include "compiler/Conversion/NeuronToPlan/Tiling.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

static constexpr int64_t kMatvecTiles = 128;
static constexpr int64_t kRowGroup = 4;
static constexpr int64_t kMinNeuronTiles = 16;
static constexpr int64_t kMaxNeuronTiles = 64;
static constexpr int64_t kNeuronsPerTile = 64;
static constexpr int64_t kMaxApplyTiles = 32;
static constexpr int64_t kNeuronsPerApplyTile = 16;

int64_t pi::matvecRowsPerTile(int64_t rows) {
  return llvm::alignTo(llvm::divideCeil(rows, kMatvecTiles), kRowGroup);
}

int64_t pi::neuronsPerTile(int64_t neurons) {
  int64_t tiles = std::clamp(neurons / kNeuronsPerTile, kMinNeuronTiles, kMaxNeuronTiles);
  return llvm::alignTo(llvm::divideCeil(neurons, tiles), kRowGroup);
}

int64_t pi::applyTiles(int64_t neurons) {
  return std::clamp<int64_t>(neurons / kNeuronsPerApplyTile, 1, kMaxApplyTiles);
}
