//===- ExplainPlacement.cpp - Prints a placement for people and for scripts -===//

#include "tools/pi-compile/ExplainPlacement.h"

#include "codegen/Link/Progress.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <numeric>

using namespace mlir;
using namespace pi;

namespace {

/// A placement with sums that both forms print. Microseconds and bytes.
struct Totals {
  Totals(PlacementAttr placement, const PlanSummary &plan);

  double rate(double us) const { return us > 0 ? 1e6 / us : 0; }
  const char *binds() const {
    if (cpuUs >= gpuUs && cpuUs >= crossingUs)
      return "cpu read bandwidth";
    return gpuUs >= crossingUs ? "gpu read bandwidth" : "crossings between cpu and gpu";
  }
  std::optional<double> gap() const {
    return boundUs > 0 ? std::optional(totalUs / boundUs - 1) : std::nullopt;
  }

  double cpuUs, gpuUs, crossingUs, totalUs, boundUs, moreUs;
  int64_t deviceBytes;
  TokenBytes read;
  uint64_t cacheBytes = 0;
  int64_t dispatches = 0;
};

} // namespace

Totals::Totals(PlacementAttr placement, const PlanSummary &plan)
    : crossingUs(placement.getCrossingUs().getValueAsDouble()),
      totalUs(placement.getTotalUs().getValueAsDouble()),
      boundUs(placement.getBoundUs().getValueAsDouble()),
      moreUs(placement.getMoreUs().getValueAsDouble()),
      deviceBytes(placement.getWeights() + placement.getCaches() + placement.getScratch()),
      read(plan.otherCpu) {
  auto sum = [](DenseF64ArrayAttr values) {
    return std::accumulate(values.asArrayRef().begin(), values.asArrayRef().end(), 0.0);
  };
  double head = placement.getHeadUs().getValueAsDouble();
  cpuUs = sum(placement.getCpuUs()) + (placement.getHead() == Place::Cpu ? head : 0);
  gpuUs = sum(placement.getGpuUs()) + (placement.getHead() == Place::Cpu ? 0 : head);
  read += plan.otherGpu;
  for (const LayerSummary &layer : plan.layers) {
    read += layer.cpu;
    read += layer.gpu;
    cacheBytes += layer.cacheBytes;
    dispatches += layer.dispatches;
  }
}

/// Rows of the plan's layer `index` in all.
static int64_t rowsOf(const PlanSummary &plan, size_t index) {
  if (index >= plan.layers.size())
    return 0;
  return plan.layers[index].hotRows + plan.layers[index].coldRows;
}

/// Of whole layers, which have no bound, every row is read.
static const char *choiceOf(PlacementAttr placement, const PlanSummary &plan, size_t index) {
  bool isGated = index < plan.layers.size() && plan.layers[index].isGated;
  return isGated && !placement.getBoundUs().getValue().isZero() ? "gate" : "dense";
}

static const char *attentionOf(PlacementAttr placement, size_t index) {
  return placement.getAttention()[index] ? "gpu" : "cpu";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

void pi::explainPlacementAsJson(PlacementAttr placement, const PlanSummary &plan,
                                llvm::raw_ostream &os) {
  Totals totals(placement, plan);
  llvm::json::OStream json(os);
  json.object([&] {
    json.attributeArray("layers", [&] {
      for (size_t i = 0; i < static_cast<size_t>(placement.getAttention().size()); ++i)
        json.object([&] {
          json.attribute("layer", static_cast<int64_t>(i));
          json.attribute("hot_rows", placement.getHotRows()[i]);
          json.attribute("cold_rows", rowsOf(plan, i) - placement.getHotRows()[i]);
          json.attribute("coverage", placement.getCoverage()[i]);
          json.attribute("attention", attentionOf(placement, i));
          json.attribute("choice", choiceOf(placement, plan, i));
          json.attribute("device_bytes", placement.getBytes()[i]);
          json.attribute("us_cpu", placement.getCpuUs()[i]);
          json.attribute("us_gpu", placement.getGpuUs()[i]);
        });
    });
    json.attribute("device_bytes", totals.deviceBytes);
    json.attribute("budget_bytes", placement.getBudget());
    json.attribute("predicted_tok_s", totals.rate(totals.totalUs));
    json.attribute("binds", totals.binds());
    if (totals.gap())
      json.attribute("lp_gap", *totals.gap());
    else
      json.attribute("lp_gap", nullptr);
    json.attribute("dispatches_per_layer", plan.layers.empty()
                                               ? 0
                                               : static_cast<double>(totals.dispatches) /
                                                     static_cast<double>(plan.layers.size()));
    json.attribute("bytes_per_token", totals.read.all());
    json.attribute("bytes_per_token_min", totals.read.always);
    json.attribute("kv_bytes", totals.cacheBytes);
    json.attribute("gpu", placement.getGpu().getValue());
    json.attribute("head", placement.getHead() == Place::Cpu ? "cpu" : "gpu");
    json.attributeObject("device", [&] {
      json.attribute("weights", placement.getWeights());
      json.attribute("kv", placement.getCaches());
      json.attribute("scratch", placement.getScratch());
    });
    json.attribute("us_cpu", totals.cpuUs);
    json.attribute("us_gpu", totals.gpuUs);
    json.attribute("us_crossing", totals.crossingUs);
    json.attribute("tok_s_with_1_gib_more", totals.rate(totals.moreUs));
    json.attribute("profiled", placement.getProfiled());
  });
  os << "\n";
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string formatted(const char *format, double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(format, value);
  return text;
}

static void printTable(PlacementAttr placement, const PlanSummary &plan, llvm::raw_ostream &os) {
  constexpr const char *line = "%-6s %9s %10s %9s  %-9s %-7s %13s %10s %10s\n";
  auto print = [&](const std::array<std::string, 9> &c) {
    os << llvm::format(line, c[0].c_str(), c[1].c_str(), c[2].c_str(), c[3].c_str(), c[4].c_str(),
                       c[5].c_str(), c[6].c_str(), c[7].c_str(), c[8].c_str());
  };
  print({"layer", "hot rows", "cold rows", "coverage", "attention", "neurons", "device bytes",
         "us on CPU", "us on GPU"});
  for (size_t i = 0; i < static_cast<size_t>(placement.getAttention().size()); ++i)
    print({std::to_string(i), std::to_string(placement.getHotRows()[i]),
           std::to_string(rowsOf(plan, i) - placement.getHotRows()[i]),
           formatted("%.1f %%", 100 * placement.getCoverage()[i]), attentionOf(placement, i),
           choiceOf(placement, plan, i), formatBytes(placement.getBytes()[i]),
           formatted("%.1f", placement.getCpuUs()[i]), formatted("%.1f", placement.getGpuUs()[i])});
  bool isOnCpu = placement.getHead() == Place::Cpu;
  double headUs = placement.getHeadUs().getValueAsDouble();
  print({"head", "", "", "", isOnCpu ? "cpu" : "gpu", "", "",
         formatted("%.1f", isOnCpu ? headUs : 0), formatted("%.1f", isOnCpu ? 0 : headUs)});
}

void pi::explainPlacementAsText(PlacementAttr placement, const PlanSummary &plan,
                                llvm::raw_ostream &os) {
  Totals totals(placement, plan);
  printTable(placement, plan, os);
  if (totals.deviceBytes == 0)
    os << "\nnothing is placed on " << placement.getGpu().getValue() << ": no block that fits into "
       << formatBytes(placement.getBudget())
       << " pays for its crossings; everything is on the CPU\n";
  else
    os << "\ndevice: " << formatBytes(totals.deviceBytes) << " of "
       << formatBytes(placement.getBudget()) << " on " << placement.getGpu().getValue()
       << ": weights " << formatBytes(placement.getWeights()) << ", KV cache "
       << formatBytes(placement.getCaches()) << ", activations "
       << formatBytes(placement.getScratch()) << "\n";
  os << "a token: " << formatted("%.1f", totals.totalUs) << " us: CPU "
     << formatted("%.1f", totals.cpuUs) << ", GPU " << formatted("%.1f", totals.gpuUs)
     << ", crossings " << formatted("%.1f", totals.crossingUs)
     << "; CPU and GPU work at once within a layer\n"
     << "predicted speed: " << formatted("%.1f", totals.rate(totals.totalUs))
     << " tokens/s; binds: " << totals.binds() << "; with one more GiB "
     << formatted("%.1f", totals.rate(totals.moreUs)) << "\n";
  if (totals.gap())
    os << "no placement is faster by more than " << formatted("%.2f", 100 * *totals.gap())
       << " %\n";
  if (!placement.getProfiled())
    os << "no profile: every neuron counts as active\n";
}
