//===- LayerData.h - Weights, lists and results of layers -*- C++ -*-===//

#ifndef PI_TEST_TOOLS_PI_BENCH_LAYERS_LAYERDATA_H
#define PI_TEST_TOOLS_PI_BENCH_LAYERS_LAYERDATA_H

#include "runtime/core/Arena.h"
#include "test/tools/pi-bench-layers/LayerKernels.h"
#include "test/tools/pi-bench-layers/Reference.h"
#include "test/tools/pi-bench-layers/Steps.h"

#include <cstdint>
#include <random>
#include <vector>

namespace pi::bench {

/// Layers of one shape in 2 MiB pages: seeded random f16 weights, all positive, so that
/// every listed neuron is active.
class LayerData {
public:
  /// As many layers as `poolBytes` take, at least one, written by `threads`. False: no
  /// memory.
  bool allocate(const LayerShape &shape, int64_t poolBytes, uint32_t threads);

  /// Makes the list of `rows` random rows, ascending, for every layer: as a predictor
  /// would give it, and as biases that leave these rows active.
  void makeLists(const LayerKernels &kernels, int64_t rows, std::mt19937_64 &random);
  /// Brings the lists into the cache, for a predictor has just written them; their sum.
  double touchLists() const;
  /// Whether `select` listed these rows and no others.
  bool isListed(int64_t rows) const;

  int64_t layers() const { return count; }

  std::vector<Step> read(int64_t vectorBits);
  std::vector<Step> convert(int64_t vectorBits);
  std::vector<Step> dense(const LayerKernels &kernels);
  std::vector<Step> rows();
  std::vector<Step> sparse(const LayerKernels &kernels);
  std::vector<Step> gateAndSparse(const LayerKernels &kernels);

private:
  /// Of one layer.
  struct Lists {
    std::vector<int32_t> ids, foundIds;     // [neurons], in segments
    std::vector<int32_t> flatIds;           // [rows]
    RowsRead read;                          // of flatIds
    std::vector<float> counts, foundCounts; // [segments]
    std::vector<float> acts, bias;          // [neurons]
  };
  uint8_t *weights(int64_t layer) const { return pool.data() + layer * shape.layerBytes(); }

  LayerShape shape;
  int64_t count = 0;
  Arena pool, vectors;
  std::vector<Lists> lists; // [layers]
  // In `vectors`:
  float *input = nullptr;   // [hidden]
  float *partial = nullptr; // [tiles, hidden]
  float *output = nullptr;  // [parts * neurons] or [hidden]
};

} // namespace pi::bench

#endif // PI_TEST_TOOLS_PI_BENCH_LAYERS_LAYERDATA_H
