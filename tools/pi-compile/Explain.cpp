//===- Explain.cpp - Prints a plan for people and for scripts -===//
// The prediction is a bound: bytes read for a token / how fast they can be read. Every
// neuron counts as active, because no profile says otherwise.

#include "tools/pi-compile/Explain.h"

#include "codegen/Link/Progress.h"
#include "compiler/Analysis/PlanSummary.h"
#include "compiler/Target/CpuTable.h"
#include "compiler/Target/MemoryTable.h"
#include "dialects/Pi/IR/Pi.h"
#include "tools/pi-compile/ExplainPlacement.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <cmath>

using namespace mlir;
using namespace pi;

namespace {
/// Sums and predictions that both forms print.
struct Prediction {
  explicit Prediction(ModuleOp module);

  std::optional<double> cpuUs(TokenBytes bytes) const {
    if (!plan.readBytesPerUs)
      return std::nullopt;
    return static_cast<double>(bytes.all()) / static_cast<double>(*plan.readBytesPerUs);
  }
  /// Tokens per second where `bytes` are read for each; none where a GPU is used.
  std::optional<double> rate(uint64_t bytes) const {
    if (!plan.readBytesPerUs || usesGpu || bytes == 0)
      return std::nullopt;
    return 1e6 * static_cast<double>(*plan.readBytesPerUs) / static_cast<double>(bytes);
  }

  PlanSummary plan;
  TokenBytes cpu, all; // all: whoever reads them
  uint64_t cacheBytes = 0;
  int64_t layerDispatches = 0;
  bool usesGpu = false;
};
} // namespace

Prediction::Prediction(ModuleOp module) : plan(summarisePlan(module)), cpu(plan.otherCpu) {
  usesGpu = plan.otherGpu.all() > 0;
  all = plan.otherGpu;
  for (const LayerSummary &layer : plan.layers) {
    cpu += layer.cpu;
    cacheBytes += layer.cacheBytes;
    layerDispatches += layer.dispatches;
    all += layer.gpu;
    usesGpu |= layer.gpu.all() > 0 || layer.hotRows > 0 || layer.attention != Place::Cpu;
  }
  all += cpu;
}

static const char *choiceOf(const LayerSummary &layer) { return layer.isGated ? "gate" : "dense"; }
static const char *placeOf(Place place) { return place == Place::Cpu ? "cpu" : "gpu"; }

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeNumber(llvm::json::OStream &json, StringRef key, std::optional<double> value) {
  if (!value)
    json.attribute(key, nullptr);
  else if (*value == std::floor(*value) && std::fabs(*value) < 1e15)
    json.attribute(key, static_cast<int64_t>(*value));
  else
    json.attribute(key, *value);
}

static void writeLayer(llvm::json::OStream &json, const Prediction &prediction,
                       const LayerSummary &layer) {
  bool onGpu = layer.gpu.all() > 0 || layer.hotRows > 0;
  json.object([&] {
    json.attribute("layer", layer.layer);
    json.attribute("hot_rows", layer.hotRows);
    json.attribute("cold_rows", layer.coldRows);
    // No hot neuron covers nothing; how much others cover needs a profile.
    writeNumber(json, "coverage", layer.hotRows == 0 ? std::optional(0.0) : std::nullopt);
    json.attribute("attention", placeOf(layer.attention));
    json.attribute("choice", choiceOf(layer));
    writeNumber(json, "device_bytes", onGpu ? std::nullopt : std::optional(0.0));
    writeNumber(json, "us_cpu", prediction.cpuUs(layer.cpu));
    writeNumber(json, "us_gpu", onGpu ? std::nullopt : std::optional(0.0));
  });
}

void pi::explainAsJson(ModuleOp module, llvm::raw_ostream &os) {
  if (auto placement = module->getAttrOfType<PlacementAttr>("pi.placement"))
    return explainPlacementAsJson(placement, summarisePlan(module), os);
  Prediction prediction(module);
  const PlanSummary &plan = prediction.plan;
  std::optional<double> none = prediction.usesGpu ? std::nullopt : std::optional(0.0);
  std::optional<double> rate = prediction.rate(prediction.cpu.all());
  std::optional<double> dispatches;
  if (!plan.layers.empty())
    dispatches = static_cast<double>(prediction.layerDispatches) / plan.layers.size();
  llvm::json::OStream json(os);
  json.object([&] {
    json.attributeArray("layers", [&] {
      for (const LayerSummary &layer : plan.layers)
        writeLayer(json, prediction, layer);
    });
    writeNumber(json, "device_bytes", none);
    writeNumber(json, "budget_bytes", none);
    writeNumber(json, "predicted_tok_s", rate);
    if (rate)
      json.attribute("binds", "cpu read bandwidth");
    else
      json.attribute("binds", nullptr);
    json.attribute("lp_gap", nullptr);
    writeNumber(json, "dispatches_per_layer", dispatches);
    json.attribute("bytes_per_token", prediction.all.all());
    json.attribute("bytes_per_token_min", prediction.all.always);
    json.attribute("kv_bytes", prediction.cacheBytes);
  });
  os << "\n";
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string formatUs(std::optional<double> us) {
  std::string text;
  if (us)
    llvm::raw_string_ostream(text) << llvm::format("%.1f", *us);
  return us ? text : "not known";
}

static std::string formatRate(double rate) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(rate < 100 ? "%.2f" : "%.0f", rate);
  return text;
}

/// Whether two layers take the same line of the table.
static bool isAlike(const LayerSummary &a, const LayerSummary &b) {
  return a.hotRows == b.hotRows && a.coldRows == b.coldRows && a.attention == b.attention &&
         a.isGated == b.isGated && a.cpu.always == b.cpu.always &&
         a.cpu.ifActive == b.cpu.ifActive && a.dispatches == b.dispatches;
}

static void printTable(const Prediction &prediction, llvm::raw_ostream &os) {
  constexpr const char *kLine = "%-9s %9s %10s  %-9s %-7s %12s %14s %10s %10s\n";
  auto print = [&](const std::array<std::string, 9> &c) {
    os << llvm::format(kLine, c[0].c_str(), c[1].c_str(), c[2].c_str(), c[3].c_str(), c[4].c_str(),
                       c[5].c_str(), c[6].c_str(), c[7].c_str(), c[8].c_str());
  };
  print({"layer", "hot rows", "cold rows", "attention", "neurons", "always read", "read if active",
         "us on CPU", "dispatches"});
  ArrayRef<LayerSummary> layers = prediction.plan.layers;
  while (!layers.empty()) {
    const LayerSummary &first = layers.front();
    size_t count = 1;
    while (count < layers.size() && isAlike(first, layers[count]))
      ++count;
    std::string name = std::to_string(first.layer);
    if (count > 1)
      name += "-" + std::to_string(layers[count - 1].layer);
    print({name, std::to_string(first.hotRows), std::to_string(first.coldRows),
           placeOf(first.attention), choiceOf(first), formatBytes(first.cpu.always),
           formatBytes(first.cpu.ifActive), formatUs(prediction.cpuUs(first.cpu)),
           std::to_string(first.dispatches)});
    layers = layers.drop_front(count);
  }
  const PlanSummary &plan = prediction.plan;
  print({"other", "", "", "", "", formatBytes(plan.otherCpu.always),
         formatBytes(plan.otherCpu.ifActive), formatUs(prediction.cpuUs(plan.otherCpu)),
         std::to_string(plan.otherDispatches)});
}

static void printPrediction(const Prediction &prediction, llvm::raw_ostream &os) {
  const PlanSummary &plan = prediction.plan;
  std::optional<double> all = prediction.rate(prediction.cpu.all());
  std::optional<double> none = prediction.rate(prediction.cpu.always);
  if (!all || !none) {
    os << "predicted speed: not known: "
       << (prediction.usesGpu
               ? "there is no cost model of GPUs yet\n"
               : "the IR does not say how fast the CPU reads (pi.read_bytes_per_us)\n");
    return;
  }
  os << "predicted speed: at most " << formatRate(*all) << " tokens/s with every neuron active, "
     << formatRate(*none) << " with none\n"
     << "  binds: cpu read bandwidth, "
     << llvm::format("%.1f", static_cast<double>(*plan.readBytesPerUs) / 1000) << " GB/s";
  if (!plan.measuredOn.empty()) {
    os << ", measured on " << plan.measuredOn << "\n";
    return;
  }
  const CpuTarget *cpu = findCpu(plan.cpu);
  const MemoryClass *memory = findMemoryClass(plan.memory);
  if (memory && memory->readBytesPerUs == *plan.readBytesPerUs)
    os << ", the table's row for " << memory->name << " (" << memory->source << ")";
  else if (cpu && cpu->readBytesPerUs == *plan.readBytesPerUs)
    os << ", the table's row for " << cpu->name << " (" << cpu->memory << ")";
  else
    os << ", as the IR says";
  os << "; no machine was measured\n";
}

void pi::explainAsText(ModuleOp module, llvm::raw_ostream &os) {
  if (auto placement = module->getAttrOfType<PlacementAttr>("pi.placement"))
    return explainPlacementAsText(placement, summarisePlan(module), os);
  Prediction prediction(module);
  printTable(prediction, os);
  os << "\nweights read for a token: " << formatBytes(prediction.all.all())
     << " with every neuron active, " << formatBytes(prediction.all.always) << " with none; "
     << "rows of inactive neurons are not read\n"
     << "KV cache read at the full context: " << formatBytes(prediction.cacheBytes)
     << ", not part of the prediction\n";
  printPrediction(prediction, os);
  if (prediction.usesGpu)
    os << "device: its bytes and its budget are not known: GPUs are not built yet\n";
  else
    os << "device: none, so no bytes, no budget and no placement that could have a gap\n";
  os << "active neurons: not known without a profile (profiles are not built yet)\n"
     << "other: embedding, final norm and output head\n";
}
