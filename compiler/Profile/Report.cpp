//===- Report.cpp - A profile as one HTML page -===//

#include "compiler/Profile/Report.h"

#include "compiler/Profile/ReportCharts.h"
#include "compiler/Profile/ReportFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using namespace pi;

static constexpr const char kStyle[] =
#include "compiler/Profile/ReportStyle.inc"
    ;

static void writeHead(llvm::StringRef title, llvm::raw_ostream &os) {
  // The policy forbids any request, should this page ever hold an address.
  os << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
     << "<title>" << title << "</title>\n<style>" << kStyle << "</style>\n</head>\n<body>\n<h1>"
     << title << "</h1>\n";
}

static void writeFacts(llvm::ArrayRef<ReportFact> facts, llvm::raw_ostream &os) {
  os << "<dl class=\"facts\">\n";
  for (const auto &[name, value] : facts)
    os << "<div><dt>" << escapeHtml(name) << "</dt><dd>" << escapeHtml(value) << "</dd></div>\n";
  os << "</dl>\n";
}

/// "3,072", or "12 to 16" where layers differ.
static std::string formatRange(const std::vector<HotnessSummary> &layers) {
  auto [least, most] = std::minmax_element(
      layers.begin(), layers.end(),
      [](const HotnessSummary &a, const HotnessSummary &b) { return a.neurons < b.neurons; });
  std::string text = formatCount(least->neurons);
  return least->neurons == most->neurons ? text : text + " to " + formatCount(most->neurons);
}

static void writeProfileFacts(const Profile &profile, const std::vector<HotnessSummary> &layers,
                              const ReportExtras &extras, llvm::raw_ostream &os) {
  std::vector<ReportFact> facts = extras.modelFacts;
  facts.insert(
      facts.end(),
      {{"Text", profile.source},
       {"Tokens", formatCount(profile.tokens)},
       {"Layers", formatCount(layers.size())},
       {"Neurons per layer", formatRange(layers)},
       {"Window", formatCount(profile.window) + " tokens"},
       {"Seed", std::to_string(profile.seed)},
       {"Shards", llvm::formatv("{0:n} of {1:n}", profile.shards.size(), profile.shardCount).str()},
       {"Fingerprint of the model", llvm::formatv("{0:x-16}", profile.fingerprint).str()}});
  writeFacts(facts, os);
  if (profile.interrupted)
    os << "<p class=\"notice\">The run was interrupted: only part of the text was seen.</p>\n";
  if (profile.shards.size() < profile.shardCount)
    os << "<p class=\"notice\">Shards are missing: only part of the text was seen.</p>\n";
  if (profile.tokens == 0)
    os << "<p class=\"notice\">No token was seen: there is nothing to show yet.</p>\n";
}

static void writeLegend(bool withRest, llvm::raw_ostream &os) {
  os << "<ul class=\"legend\">";
  for (int percent : kCoverages)
    os << llvm::formatv("<li><i class=\"c{0}\"></i>{1} {0}\u00a0% of activations</li>", percent,
                        percent == kCoverages[0] ? "first" : "up to");
  if (withRest)
    os << "<li><i class=\"rest\"></i>the rest</li>";
  os << "</ul>\n";
}

static void writeOverview(const std::vector<HotnessSummary> &layers, llvm::raw_ostream &os) {
  os << "<h2>All layers</h2>\n<div class=\"grid2\">\n<figure><figcaption><h3>Active at a token</h3>"
        "<span>mean share of neurons; sparsity is the rest</span></figcaption>";
  drawActive(layers, os);
  os << "</figure>\n<figure><figcaption><h3>Neurons that do the work</h3><span>share of neurons "
        "for 80, 90 and 95\u00a0% of activations</span></figcaption>";
  drawShares(layers, os);
  os << "</figure>\n</div>\n";
  writeLegend(/*withRest=*/false, os);
}

static void writeLayers(const Profile &profile, const std::vector<HotnessSummary> &layers,
                        llvm::raw_ostream &os) {
  os << "<h2>Hotness, layer by layer</h2>\n<p>The neurons of a layer, most often active first. The "
        "height is the share of tokens at which a neuron is active (its activation is above 0), "
        "on a logarithmic scale. Colours, and the numbers below a chart, say which share "
        "of the neurons has 80, 90 and 95\u00a0% of all activations.</p>\n";
  writeLegend(/*withRest=*/true, os);
  os << "<div class=\"grid\">\n";
  double floor = chooseFloor(profile.tokens);
  for (auto [layer, summary] : llvm::zip_equal(profile.layers, layers)) {
    os << llvm::formatv("<figure><figcaption><h3>Layer {0}</h3><span>sparsity "
                        "{1}</span></figcaption>",
                        summary.layer, formatShare(summary.sparsity));
    drawHotness(layer, summary, profile.tokens, floor, os);
    os << "<ul>";
    for (size_t i = 0; i < kCoverages.size(); ++i)
      os << llvm::formatv("<li><i class=\"c{0}\"></i>{0}\u00a0%: {1}</li>", kCoverages[i],
                          formatShare(summary.coveringShare(i)));
    os << "</ul></figure>\n";
  }
  os << "</div>\n";
}

static void beginTable(llvm::StringRef name, llvm::ArrayRef<const char *> columns,
                       llvm::raw_ostream &os) {
  os << llvm::formatv("<p class=\"caption\">{0}</p>\n<div class=\"scroll\" role=\"region\" "
                      "aria-label=\"{0}\" tabindex=\"0\"><table aria-label=\"{0}\">\n<thead><tr>",
                      name);
  for (const char *column : columns)
    os << "<th scope=\"col\">" << column << "</th>";
  os << "</tr></thead>\n<tbody>\n";
}

static void writeRow(llvm::StringRef name, llvm::ArrayRef<std::string> cells,
                     llvm::raw_ostream &os) {
  os << "<tr><th scope=\"row\">" << name << "</th>";
  for (const std::string &cell : cells)
    os << "<td>" << cell << "</td>";
  os << "</tr>\n";
}

static std::vector<std::string> makeCells(const HotnessSummary &layer) {
  std::vector<std::string> cells = {formatCount(layer.neurons), formatShare(layer.sparsity)};
  for (size_t i = 0; i < kCoverages.size(); ++i)
    cells.push_back(formatShare(layer.coveringShare(i)));
  cells.push_back(formatCount(layer.never));
  cells.push_back(formatShare(layer.hottest));
  return cells;
}

/// Sums of neurons; the sparsity of all neurons together; the hottest neuron of all.
static HotnessSummary addUp(const std::vector<HotnessSummary> &layers) {
  HotnessSummary total;
  for (const HotnessSummary &layer : layers) {
    total.neurons += layer.neurons;
    total.never += layer.never;
    total.sparsity += layer.sparsity * double(layer.neurons);
    total.hottest = std::max(total.hottest, layer.hottest);
    for (auto [sum, part] : llvm::zip_equal(total.covering, layer.covering))
      sum += part;
  }
  total.sparsity /= double(total.neurons);
  return total;
}

static void writeSummary(const std::vector<HotnessSummary> &layers, llvm::raw_ostream &os) {
  os << "<h2>Numbers</h2>\n";
  beginTable("Sparsity, share of neurons for 80, 90 and 95\u00a0% of activations, and extremes",
             {"Layer", "Neurons", "Sparsity", "80\u00a0% in", "90\u00a0% in", "95\u00a0% in",
              "Never active", "Hottest at"},
             os);
  for (const HotnessSummary &layer : layers)
    writeRow(std::to_string(layer.layer), makeCells(layer), os);
  os << "</tbody>\n<tfoot>\n";
  writeRow("all", makeCells(addUp(layers)), os);
  os << "</tfoot>\n</table></div>\n";
}

static void writePlacement(const ReportExtras &extras, llvm::raw_ostream &os) {
  os << "<h2>Placement</h2>\n";
  if (extras.placement.empty()) {
    os << "<p>No plan was given: this page shows the profile alone.</p>\n";
    return;
  }
  if (!extras.placementFacts.empty())
    writeFacts(extras.placementFacts, os);
  beginTable("Where the plan puts each layer, and its predicted times for a token",
             {"Layer", "Attention", "Hot rows", "Cold rows", "Activa\u00adtions covered",
              "Device bytes", "CPU (\u00b5s)", "GPU (\u00b5s)"},
             os);
  for (const ReportPlacementRow &row : extras.placement)
    writeRow(std::to_string(row.layer),
             {escapeHtml(row.attention), formatCount(row.hotRows), formatCount(row.coldRows),
              formatShare(row.coverage), formatCount(row.deviceBytes),
              llvm::formatv("{0:f1}", row.cpuUs).str(), llvm::formatv("{0:f1}", row.gpuUs).str()},
             os);
  os << "</tbody>\n</table></div>\n";
}

void pi::writeReport(const Profile &profile, const ReportExtras &extras, llvm::raw_ostream &os) {
  std::vector<HotnessSummary> layers;
  for (const LayerProfile &layer : profile.layers)
    layers.push_back(summarise(layer, profile.tokens));
  writeHead("Neuron profile" +
                (extras.title.empty() ? std::string() : ": " + escapeHtml(extras.title)),
            os);
  writeProfileFacts(profile, layers, extras, os);
  writeOverview(layers, os);
  writeLayers(profile, layers, os);
  writeSummary(layers, os);
  writePlacement(extras, os);
  os << "</body>\n</html>\n";
}
