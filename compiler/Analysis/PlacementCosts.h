//===- PlacementCosts.h - Time and memory of parts of a placement -===//
// What the solver and the predictions share.

#ifndef PI_COMPILER_ANALYSIS_PLACEMENTCOSTS_H
#define PI_COMPILER_ANALYSIS_PLACEMENTCOSTS_H

#include "compiler/Analysis/Placement.h"

#include <algorithm>

namespace pi {

/// Bytes that row `i` of a layer is expected to read for a token.
inline double expectedReadBytes(const PlacementLayer &layer, int64_t i) {
  double frequency = layer.frequency[i];
  if (frequency > kAlwaysOn)
    return static_cast<double>(layer.rowBytes);
  return static_cast<double>(layer.checkBytes) +
         frequency * static_cast<double>(layer.rowBytes - layer.checkBytes);
}

/// A layer with prefix sums.
class LayerModel {
public:
  LayerModel(const PlacementLayer &layer, const PlacementMachine &machine);

  int64_t rows() const { return static_cast<int64_t>(readBefore.size()) - 1; }
  /// Of row `i`.
  double readBytes(int64_t i) const { return readBefore[i + 1] - readBefore[i]; }
  double gpuUs(int64_t hot) const { return readBefore[hot] / machine->gpuBytesPerUs; }
  double cpuUs(int64_t hot) const {
    return (readBefore.back() - readBefore[hot]) / machine->cpuBytesPerUs;
  }
  double rowsUs(int64_t hot) const { return std::max(cpuUs(hot), gpuUs(hot)); }
  double attentionUs(Side side) const;
  /// Crossings between attention at `side` and the rows.
  double crossingUs(Side side, int64_t hot) const {
    bool away = side == Side::Gpu ? hot < rows() : hot > 0;
    return away ? 2 * machine->crossingUs : 0;
  }
  double totalUs(Side side, int64_t hot) const {
    return attentionUs(side) + rowsUs(hot) + crossingUs(side, hot);
  }
  uint64_t deviceBytes(Side side, int64_t hot) const {
    return hot * layer->rowBytes +
           (side == Side::Gpu ? layer->attentionBytes + layer->cacheBytes : 0);
  }
  /// The hot rows beyond which a layer only gets slower (with all rows at hand).
  int64_t mostHotRows() const { return most; }
  /// The first row, up to `mostHotRows`, that saves less CPU time than `usPerByte` of its
  /// memory is worth.
  int64_t rowsWorth(double usPerByte) const;
  uint64_t rowBytes() const { return layer->rowBytes; }

private:
  const PlacementLayer *layer;
  const PlacementMachine *machine;
  std::vector<double> readBefore; // [rows + 1], bytes
  int64_t most = 0;
};

} // namespace pi

#endif // PI_COMPILER_ANALYSIS_PLACEMENTCOSTS_H
