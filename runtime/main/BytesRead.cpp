//===- BytesRead.cpp - What a token reads from memory ---------------------===//

#include "runtime/main/BytesRead.h"

#include "runtime/abi/pi_abi.h"
#include "runtime/core/Format.h"
#include "runtime/core/Program.h"
#include "runtime/text/EndsWith.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace pi {

using text::endsWith;

/// True for rows that are read only where their neuron is active: bundles (`.rows`) are.
static bool isReadIfActive(const WeightView &weight, const std::set<uint32_t> &gatedLayers) {
  return weight.layer != UINT32_MAX &&
         (endsWith(weight.name, ".down") || endsWith(weight.name, ".rows") ||
          (endsWith(weight.name, ".up") && gatedLayers.count(weight.layer)));
}

/// The embedding's kernel takes one row of each of its weights.
static bool looksUpRows(const pi_kernel &kernel) {
  return kernel.name && std::strncmp(kernel.name, "embed", std::strlen("embed")) == 0;
}

BytesRead::BytesRead(const pi_program &tables, const Payload &payload) {
  std::set<uint32_t> gatedLayers;
  for (uint32_t i = 0; i < payload.numWeights(); ++i)
    if (WeightView weight = payload.weight(i); endsWith(weight.name, ".gate"))
      gatedLayers.insert(weight.layer);
  for (uint32_t s = 0; s < tables.num_steps; ++s) {
    const pi_step &step = tables.steps[s];
    std::set<uint32_t> seen;
    for (uint32_t a = step.first_arg; a < step.first_arg + step.num_args; ++a) {
      const pi_arg &arg = tables.args[a];
      if (arg.space != PI_SPACE_WEIGHT || !seen.insert(arg.index).second)
        continue;
      WeightView weight = payload.weight(arg.index);
      if (looksUpRows(tables.kernels[step.kernel]))
        always += double(weight.bytes) / double(weight.rows);
      else if (isReadIfActive(weight, gatedLayers))
        ifActive[weight.layer] += double(weight.bytes);
      else
        always += double(weight.bytes);
    }
  }
  for (uint32_t i = 0; i < tables.num_arenas; ++i)
    if (tables.arenas[i].kind == PI_ARENA_KV_CACHE)
      cachePerToken += double(tables.arenas[i].bytes) / double(tables.context);
}

double BytesRead::ofLastBlock(const Program &program, uint32_t lanes, int64_t position) const {
  std::map<uint32_t, double> active, neurons;
  for (uint32_t i = 0; i < program.numGroups(); ++i) {
    const pi_activity &group = program.group(i);
    for (uint32_t lane = 0; lane < lanes; ++lane)
      active[group.layer] += program.activeNeurons(i, lane);
    neurons[group.layer] += double(group.neurons);
  }
  double bytes = always;
  for (uint32_t lane = 0; lane < lanes; ++lane)
    bytes += cachePerToken * double(position + lane + 1);
  for (const auto &[layer, all] : ifActive) {
    auto count = neurons.find(layer);
    // A layer that is not counted may read everything.
    bytes += count == neurons.end() ? all : all * std::min(active[layer] / count->second, 1.0);
  }
  return bytes;
}

} // namespace pi
