//===- LayerData.cpp - Weights, lists and results of layers -===//

#include "test/tools/pi-bench-layers/LayerData.h"

#include "runtime/core/Status.h"

#include <algorithm>
#include <numeric>

using namespace pi;
using namespace pi::bench;

/// A bias that no row outweighs.
static constexpr float kInactive = -1e9f;
/// Tiles of the conversion: some milliseconds.
static constexpr int64_t kConvertTiles = 1024;

namespace {
struct Fill {
  uint64_t *words;
  int64_t blocks;
  uint32_t threads;
  static constexpr int64_t blockWords = 1 << 15; // 256 KiB
};
} // namespace

/// Four f16 of [2^-6, 2^-5) a word; the numbers of a block do not depend on the thread.
static void fillBlocks(void *context, uint32_t thread) {
  auto &fill = *static_cast<Fill *>(context);
  TileSpan span = tileSpan(fill.blocks, thread, fill.threads);
  for (int64_t block = span.begin; block < span.end; ++block) {
    uint64_t state = uint64_t(block) * 0x9e3779b97f4a7c15u + 1;
    for (int64_t i = 0; i < Fill::blockWords; ++i) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17; // xorshift64
      fill.words[block * Fill::blockWords + i] =
          (state & 0x03ff03ff03ff03ffu) | 0x2400240024002400u;
    }
  }
}

bool LayerData::allocate(const LayerShape &newShape, int64_t poolBytes, uint32_t threads) {
  shape = newShape;
  count = std::max<int64_t>(1, (poolBytes + shape.layerBytes() - 1) / shape.layerBytes());
  constexpr int64_t blockBytes = Fill::blockWords * 8, maxTiles = 64;
  int64_t blocks = (count * shape.layerBytes() + blockBytes - 1) / blockBytes;
  int64_t outputs = shape.parts() * shape.neurons + shape.hidden;
  if (Arena::allocate(blocks * blockBytes, pool) != PI_OK ||
      Arena::allocate(((1 + maxTiles) * shape.hidden + outputs) * 4 + 4096, vectors) != PI_OK)
    return false;
  Team team(threads);
  Fill fill{reinterpret_cast<uint64_t *>(pool.data()), blocks, team.size()};
  team.run(fillBlocks, &fill);
  input = reinterpret_cast<float *>(vectors.data());
  std::fill(input, input + std::max<int64_t>(shape.hidden, 1024), 0.5f);
  output = input + std::max<int64_t>(shape.hidden, 1024);
  partial = output + outputs;
  lists.resize(count);
  return true;
}

void LayerData::makeLists(const LayerKernels &kernels, int64_t rows, std::mt19937_64 &random) {
  std::vector<int32_t> chosen(shape.neurons);
  for (Lists &list : lists) {
    std::iota(chosen.begin(), chosen.end(), 0);
    std::shuffle(chosen.begin(), chosen.end(), random);
    std::sort(chosen.begin(), chosen.begin() + rows);
    list.flatIds.assign(chosen.begin(), chosen.begin() + rows);
    list.read = {rows, shape.parts() * shape.rowBytes(), kernels.predicted.tiles};
    list.ids.assign(shape.neurons, 0);
    list.foundIds = list.ids;
    list.acts.assign(shape.neurons, 0);
    list.bias.assign(shape.neurons, kInactive);
    list.counts.assign(kernels.segments, 0);
    list.foundCounts = list.counts;
    for (int64_t k = 0; k < rows; ++k) {
      int64_t segment = chosen[k] / kernels.perSegment;
      auto at = static_cast<int64_t>(list.counts[segment]++);
      list.ids[segment * kernels.perSegment + at] = chosen[k];
      list.bias[chosen[k]] = 0;
    }
  }
}

double LayerData::touchLists() const {
  double sum = 0;
  for (const Lists &list : lists) {
    sum = std::accumulate(list.ids.begin(), list.ids.end(), sum);
    sum = std::accumulate(list.flatIds.begin(), list.flatIds.end(), sum);
    sum = std::accumulate(list.counts.begin(), list.counts.end(), sum);
  }
  return sum;
}

bool LayerData::isListed(int64_t rows) const {
  return std::all_of(lists.begin(), lists.end(), [&](const Lists &list) {
    double sum = std::accumulate(list.foundCounts.begin(), list.foundCounts.end(), 0.0);
    return list.foundCounts == list.counts && sum == static_cast<double>(rows);
  });
}

std::vector<Step> LayerData::read(int64_t vectorBits) {
  int64_t tiles = std::max<int64_t>(1, count * shape.layerBytes() / kReferenceTileBytes);
  return {{readLoop(vectorBits), {pool.data()}, tiles}};
}

std::vector<Step> LayerData::convert(int64_t vectorBits) {
  return {{convertLoop(vectorBits), {pool.data(), input}, kConvertTiles}};
}

std::vector<Step> LayerData::dense(const LayerKernels &kernels) {
  std::vector<Step> steps;
  for (int64_t layer = 0; layer < count; ++layer)
    steps.push_back(
        {kernels.dense.function(), {input, weights(layer), output}, kernels.dense.tiles});
  return steps;
}

std::vector<Step> LayerData::rows() {
  std::vector<Step> steps;
  for (int64_t layer = 0; layer < count; ++layer)
    steps.push_back({readRowsLoop(),
                     {weights(layer), lists[layer].flatIds.data(), &lists[layer].read},
                     lists[layer].read.tiles});
  return steps;
}

std::vector<Step> LayerData::sparse(const LayerKernels &kernels) {
  std::vector<Step> steps;
  for (int64_t layer = 0; layer < count; ++layer) {
    Lists &list = lists[layer];
    steps.push_back({kernels.predicted.function(),
                     {input, weights(layer), list.ids.data(), list.counts.data(), partial},
                     kernels.predicted.tiles});
    steps.push_back({kernels.reduce.function(), {partial, output}, kernels.reduce.tiles});
  }
  return steps;
}

std::vector<Step> LayerData::gateAndSparse(const LayerKernels &kernels) {
  std::vector<Step> steps;
  for (int64_t layer = 0; layer < count; ++layer) {
    Lists &list = lists[layer];
    uint8_t *others = weights(layer) + shape.neurons * shape.rowBytes();
    steps.push_back({kernels.select.function(),
                     {input, weights(layer), list.bias.data(), list.foundIds.data(),
                      list.acts.data(), list.foundCounts.data()},
                     kernels.select.tiles});
    steps.push_back(
        {kernels.apply.function(),
         {input, others, list.foundIds.data(), list.acts.data(), list.foundCounts.data(), partial},
         kernels.apply.tiles});
    steps.push_back({kernels.reduce.function(), {partial, output}, kernels.reduce.tiles});
  }
  return steps;
}
