//===- ReportCharts.cpp - The charts of a report, as inline SVG -===//

#include "compiler/Profile/ReportCharts.h"

#include "compiler/Profile/Impact.h"
#include "compiler/Profile/ReportFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace pi;

namespace {

/// Axes in a picture of `width` by `height` units; data run over [0, 1] in both directions.
struct Frame {
  double width, height;
  static constexpr double left = 52, right = 12, top = 10, bottom = 38;

  double plotWidth() const { return width - left - right; }
  double x(double u) const { return left + u * plotWidth(); }
  double y(double v) const { return height - bottom - v * (height - top - bottom); }
};

constexpr Frame kLayerFrame = {320, 200};
constexpr Frame kOverviewFrame = {480, 230};

/// A rectangle between two corners in data units.
void drawBar(const Frame &frame, double u0, double u1, double v0, double v1, llvm::StringRef style,
             llvm::raw_ostream &os) {
  os << llvm::formatv("<rect class=\"{0}\" x=\"{1:f2}\" y=\"{2:f2}\" width=\"{3:f2}\" "
                      "height=\"{4:f2}\"/>",
                      style, frame.x(u0), frame.y(v1), frame.x(u1) - frame.x(u0),
                      frame.y(v0) - frame.y(v1));
}

} // namespace

/// Begins a picture; `description` is for those who do not see it.
static void beginChart(const Frame &frame, llvm::StringRef description, llvm::raw_ostream &os) {
  os << llvm::formatv("<svg viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\">",
                      int(frame.width), int(frame.height), escapeHtml(description));
}

static void drawYTick(const Frame &frame, double v, llvm::StringRef label, llvm::raw_ostream &os) {
  os << llvm::formatv("<path class=\"grid\" d=\"M{0:f1} {1:f1}H{2:f1}\"/><text "
                      "class=\"end\" x=\"{3:f1}\" y=\"{4:f1}\">{5}</text>",
                      frame.x(0), frame.y(v), frame.x(1), frame.x(0) - 5, frame.y(v) + 4, label);
}

static void drawXTick(const Frame &frame, double u, llvm::StringRef label, llvm::raw_ostream &os) {
  os << llvm::formatv("<path class=\"axis\" d=\"M{0:f1} {1:f1}v4\"/><text class=\"mid\" "
                      "x=\"{0:f1}\" y=\"{2:f1}\">{3}</text>",
                      frame.x(u), frame.y(0), frame.y(0) + 16, label);
}

/// The line below the plot, its name, and the end of the picture.
static void endChart(const Frame &frame, llvm::StringRef xName, llvm::raw_ostream &os) {
  os << llvm::formatv("<path class=\"axis\" d=\"M{0:f1} {1:f1}H{2:f1}\"/><text class=\"mid name\" "
                      "x=\"{3:f1}\" y=\"{4:f1}\">{5}</text></svg>",
                      frame.x(0), frame.y(0), frame.x(1), frame.x(0.5), frame.height - 4, xName);
}

double pi::chooseFloor(uint64_t tokens) {
  int digits = tokens > 1 ? int(std::ceil(std::log10(double(tokens)))) : 2;
  return std::pow(10.0, -std::clamp(digits, 2, 5));
}

namespace {

/// The frequencies of a layer, hottest first, as heights on a logarithmic axis.
class HotnessCurve {
public:
  HotnessCurve(const LayerProfile &layer, uint64_t tokens, double floor) {
    std::vector<double> frequency = getFrequency(layer, tokens);
    for (uint32_t neuron : sortByHotness(layer.counts))
      heights.push_back(
          frequency[neuron] <= floor ? 0.0 : 1 - std::log10(frequency[neuron]) / std::log10(floor));
  }

  /// The curve over [u0, u1] as a path without its first command: steps where each
  /// neuron can be seen, else a point for every unit of the picture.
  void draw(double u0, double u1, llvm::raw_ostream &os) const {
    double columns = kLayerFrame.plotWidth();
    bool steps = heights.size() <= columns;
    double width = steps ? 1.0 / double(heights.size()) : 1.0 / columns;
    std::string last;
    for (double i = std::floor(u0 / width + 1e-9); i * width < u1 - 1e-9; ++i) {
      double begin = std::max(u0, i * width), end = std::min(u1, (i + 1) * width);
      std::string y = llvm::formatv("{0:f1}", kLayerFrame.y(at((begin + end) / 2))).str();
      if (steps)
        os << llvm::formatv("L{0:f1} {1}H{2:f1}", kLayerFrame.x(begin), y, kLayerFrame.x(end));
      else if (y != last || end >= u1 - 1e-9)
        os << llvm::formatv("L{0:f1} {1}L{2:f1} {1}", kLayerFrame.x(begin), y, kLayerFrame.x(end));
      last = std::move(y);
    }
  }
  double at(double u) const {
    return heights[std::min(heights.size() - 1, size_t(u * double(heights.size())))];
  }

private:
  std::vector<double> heights; ///< [neurons], in [0, 1]
};

} // namespace

/// The area below the curve, in one colour for each share of activations.
static void drawBands(const HotnessCurve &curve, const HotnessSummary &summary,
                      llvm::raw_ostream &os) {
  double begin = 0;
  for (size_t i = 0; i <= kCoverages.size(); ++i) {
    bool isRest = i == kCoverages.size();
    double end = isRest ? 1.0 : summary.coveringShare(i);
    if (end <= begin)
      continue;
    os << llvm::formatv("<path class=\"{0}\" d=\"M{1:f1} {2:f1}",
                        isRest ? "rest" : llvm::formatv("c{0}", kCoverages[i]).str(),
                        kLayerFrame.x(begin), kLayerFrame.y(0));
    curve.draw(begin, end, os);
    os << llvm::formatv("V{0:f1}Z\"/>", kLayerFrame.y(0));
    begin = end;
  }
}

void pi::drawHotness(const LayerProfile &layer, const HotnessSummary &summary, uint64_t tokens,
                     double floor, llvm::raw_ostream &os) {
  std::string description =
      llvm::formatv("Layer {0}: the hottest neuron is active at {1} of the tokens; 80 % of the "
                    "activations are in the hottest {2} of the neurons, 90 % in {3}, 95 % in {4}",
                    layer.layer, formatShare(summary.hottest),
                    formatShare(summary.coveringShare(0)), formatShare(summary.coveringShare(1)),
                    formatShare(summary.coveringShare(2)))
          .str();
  beginChart(kLayerFrame, description, os);
  HotnessCurve curve(layer, tokens, floor);
  drawBands(curve, summary, os);
  int decades = int(std::lround(-std::log10(floor)));
  static constexpr const char *kLabels[] = {"100 %", "10 %", "1 %", "0.1 %", "0.01 %", "0.001 %"};
  for (int i = 0; i <= decades; ++i)
    drawYTick(kLayerFrame, 1 - double(i) / decades, kLabels[i], os);
  os << llvm::formatv("<path class=\"line\" d=\"M{0:f1} {1:f1}", kLayerFrame.x(0),
                      kLayerFrame.y(curve.at(0)));
  curve.draw(0, 1, os);
  os << "\"/>";
  for (int percent : {0, 25, 50, 75, 100})
    drawXTick(kLayerFrame, percent / 100.0, std::to_string(percent), os);
  endChart(kLayerFrame, "neurons, hottest first (%)", os);
}

/// A round number of percent, at least that share, whose quarters are short.
static double chooseTop(double share) {
  for (double percent : {1, 2, 4, 10, 20, 40, 60, 80})
    if (share * 100 <= percent)
      return percent;
  return 100;
}

/// Every how many layers one has a label: 1, 2, 5, 10, 20, ...
static size_t chooseLabelStep(size_t layers) {
  size_t decade = 1;
  for (;; decade *= 10)
    for (size_t step : {decade, 2 * decade, 5 * decade})
      if (layers / step <= 16)
        return step;
}

/// A chart with a place for each layer, [begin, end] of the width, and a linear axis that
/// ends at `top` percent.
static void drawLayers(const std::vector<HotnessSummary> &layers, llvm::StringRef description,
                       double top,
                       llvm::function_ref<void(const HotnessSummary &, double, double)> drawLayer,
                       llvm::raw_ostream &os) {
  beginChart(kOverviewFrame, description, os);
  for (int i = 0; i <= 4; ++i) {
    double percent = top * i / 4;
    const char *format = top >= 20 || i == 0 ? "{0:f0} %" : top >= 2 ? "{0:f1} %" : "{0:f2} %";
    drawYTick(kOverviewFrame, i / 4.0, llvm::formatv(format, percent).str(), os);
  }
  size_t step = chooseLabelStep(layers.size());
  double width = 1.0 / double(layers.size());
  double margin = std::max(width * 0.12, (width - 0.08) / 2); // few layers make no wall
  for (size_t i = 0; i < layers.size(); ++i) {
    drawLayer(layers[i], double(i) * width + margin, double(i + 1) * width - margin);
    if (i % step == 0)
      drawXTick(kOverviewFrame, (double(i) + 0.5) * width, std::to_string(layers[i].layer), os);
  }
  endChart(kOverviewFrame, "layer", os);
}

void pi::drawActive(const std::vector<HotnessSummary> &layers, llvm::raw_ostream &os) {
  double most = 0;
  for (const HotnessSummary &layer : layers)
    if (!std::isnan(layer.sparsity))
      most = std::max(most, 1 - layer.sparsity);
  double top = chooseTop(most);
  auto drawLayer = [&](const HotnessSummary &layer, double begin, double end) {
    if (!std::isnan(layer.sparsity))
      drawBar(kOverviewFrame, begin, end, 0, (1 - layer.sparsity) * 100 / top, "c90", os);
  };
  drawLayers(layers, "Mean share of each layer's neurons that are active at a token", top,
             drawLayer, os);
}

void pi::drawShares(const std::vector<HotnessSummary> &layers, llvm::raw_ostream &os) {
  double most = 0;
  for (const HotnessSummary &layer : layers)
    most = std::max(most, layer.coveringShare(kCoverages.size() - 1));
  double top = chooseTop(most);
  auto drawLayer = [&](const HotnessSummary &layer, double begin, double end) {
    double below = 0;
    for (size_t i = 0; i < kCoverages.size(); ++i) {
      double share = layer.coveringShare(i) * 100 / top;
      drawBar(kOverviewFrame, begin, end, below, share, llvm::formatv("c{0}", kCoverages[i]).str(),
              os);
      below = share;
    }
  };
  drawLayers(layers, "Share of each layer's neurons that has 80, 90 and 95 % of the activations",
             top, drawLayer, os);
}
