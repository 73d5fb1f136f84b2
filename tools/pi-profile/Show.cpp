//===- Show.cpp - What a profile holds, as text or JSON -===//

#include "tools/pi-profile/Show.h"

#include "compiler/Profile/Impact.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace pi;

static std::string formatHash(uint64_t hash) { return llvm::formatv("{0:x-16}", hash).str(); }

/// "12.3 %".
static std::string formatPercent(double share) {
  return std::isnan(share) ? "-" : llvm::formatv("{0:f1} %", share * 100).str();
}

static std::string describeState(const Profile &profile) {
  if (profile.isComplete())
    return "complete";
  std::string text = profile.shards.size() < profile.shardCount ? "shards are missing" : "";
  if (profile.interrupted)
    text += text.empty() ? "interrupted" : ", interrupted";
  return text;
}

void pi::showText(const Profile &profile, llvm::raw_ostream &os) {
  os << "model fingerprint  " << formatHash(profile.fingerprint) << "\n"
     << "text               " << profile.source << "\n"
     << "tokens             " << profile.tokens << " in windows of " << profile.window << "\n"
     << "seed               " << profile.seed << "\n"
     << "shards             " << profile.shards.size() << " of " << profile.shardCount << ": "
     << describeState(profile) << "\n"
     << "samples            " << profile.samples.size() << " of at most " << profile.sampleLimit
     << "\n\n"
     << llvm::formatv("{0,5}{1,9}{2,10}{3,9}{4,9}{5,9}{6,9}{7,12}\n", "layer", "neurons",
                      "sparsity", "80 % in", "90 % in", "95 % in", "never", "hottest at");
  for (const LayerProfile &layer : profile.layers) {
    HotnessSummary summary = summarise(layer, profile.tokens);
    os << llvm::formatv("{0,5}{1,9}{2,10}", summary.layer, summary.neurons,
                        formatPercent(summary.sparsity));
    for (size_t i = 0; i < kCoverages.size(); ++i)
      os << llvm::formatv("{0,9}", formatPercent(summary.coveringShare(i)));
    os << llvm::formatv("{0,9}{1,12}\n", summary.never, formatPercent(summary.hottest));
  }
}

static void showLayer(const LayerProfile &layer, uint64_t tokens, llvm::json::OStream &json) {
  HotnessSummary summary = summarise(layer, tokens);
  json.objectBegin();
  json.attribute("layer", layer.layer);
  json.attributeArray("counts", [&] {
    for (uint64_t count : layer.counts)
      json.value(count);
  });
  json.attributeArray("mass", [&] {
    for (uint64_t mass : layer.mass)
      json.value(double(mass) / kMassUnits);
  });
  if (!layer.downNorms.empty())
    json.attributeArray("down_norms", [&] {
      for (float norm : layer.downNorms)
        json.value(norm);
    });
  json.attribute("hidden", layer.hidden);
  json.attribute("neurons", summary.neurons);
  if (std::isnan(summary.sparsity)) // no token, no share
    json.attribute("sparsity", nullptr);
  else
    json.attribute("sparsity", summary.sparsity);
  json.attributeObject("neurons_for", [&] {
    for (size_t i = 0; i < kCoverages.size(); ++i)
      json.attribute(std::to_string(kCoverages[i]), summary.covering[i]);
  });
  json.objectEnd();
}

void pi::showJson(const Profile &profile, llvm::raw_ostream &os) {
  llvm::json::OStream json(os);
  json.objectBegin();
  json.attribute("tokens", profile.tokens);
  json.attributeArray("layers", [&] {
    for (const LayerProfile &layer : profile.layers)
      showLayer(layer, profile.tokens, json);
  });
  json.attribute("fingerprint", formatHash(profile.fingerprint));
  json.attribute("source", profile.source);
  json.attribute("source_hash", formatHash(profile.sourceHash));
  json.attribute("seed", profile.seed);
  json.attribute("window", profile.window);
  json.attribute("token_goal", profile.tokenGoal);
  json.attribute("shard_count", profile.shardCount);
  json.attributeArray("shards", [&] {
    for (uint32_t shard : profile.shards)
      json.value(shard);
  });
  json.attribute("interrupted", profile.interrupted);
  json.attribute("complete", profile.isComplete());
  json.attribute("samples", uint64_t(profile.samples.size()));
  json.attribute("sample_limit", profile.sampleLimit);
  json.objectEnd();
  os << "\n";
}
