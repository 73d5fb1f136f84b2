//===- PlacementDump.cpp - Placement problems and our answers as JSON -----===//
// Usage: pi-placement-dump COUNT    one object a line; sizes are multiples of nothing

#include "RandomInstance.h"

#include "compiler/Analysis/Placement.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace pi;

static void writeLayer(llvm::json::OStream &json, const PlacementLayer &layer) {
  json.object([&] {
    json.attributeArray("frequency", [&] {
      for (float frequency : layer.frequency)
        json.value(frequency);
    });
    json.attribute("row_bytes", layer.rowBytes);
    json.attribute("check_bytes", layer.checkBytes);
    json.attribute("attention_bytes", layer.attentionBytes);
    json.attribute("cache_bytes", layer.cacheBytes);
    json.attribute("cache_read_bytes", layer.cacheReadBytes);
  });
}

int main(int argc, char **argv) {
  uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  for (uint64_t seed = 0; seed < count; ++seed) {
    PlacementProblem problem = test::randomInstance(1000 + seed, /*aligned=*/false).problem;
    llvm::json::OStream json(llvm::outs());
    json.object([&] {
      json.attributeArray("layers", [&] {
        for (const PlacementLayer &layer : problem.layers)
          writeLayer(json, layer);
      });
      json.attribute("cpu", problem.machine.cpuBytesPerUs);
      json.attribute("gpu", problem.machine.gpuBytesPerUs);
      json.attribute("crossing", problem.machine.crossingUs);
      json.attribute("head_bytes", problem.headBytes);
      json.attribute("scratch_bytes", problem.scratchBytes);
      json.attribute("budget_bytes", problem.budgetBytes);
      Placement placement = placeNeurons(problem);
      json.attribute("total_us", placement.totalUs);
      json.attribute("bound_us", placement.boundUs);
      json.attribute("head", placement.head == Side::Gpu);
      json.attributeArray("placed", [&] {
        for (const LayerPlacement &layer : placement.layers)
          json.array([&] {
            json.value(layer.attention == Side::Gpu);
            json.value(layer.hotRows);
          });
      });
    });
    llvm::outs() << "\n";
  }
  return 0;
}
