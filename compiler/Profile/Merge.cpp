//===- Merge.cpp - Profiles of the shards of one run -> one profile -===//

#include "compiler/Profile/Profile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <iterator>

using namespace pi;

static llvm::Error refuse(const llvm::Twine &message) { return llvm::createStringError(message); }

/// "of different runs: WHAT A and B".
template <typename T> static llvm::Error refuseRun(const char *what, const T &a, const T &b) {
  return refuse(llvm::formatv("they are of different runs, with {0} {1} and {2}; merge shards of "
                              "one run",
                              what, a, b)
                    .str());
}

static llvm::Error checkRun(const Profile &a, const Profile &b) {
  if (a.source != b.source)
    return refuseRun("text", "'" + a.source + "'", "'" + b.source + "'");
  if (a.sourceHash != b.sourceHash)
    return refuse("they are of different texts of the name '" + a.source +
                  "'; merge shards of one run");
  if (a.seed != b.seed)
    return refuseRun("seed", a.seed, b.seed);
  if (a.tokenGoal != b.tokenGoal)
    return refuseRun("token goal", a.tokenGoal, b.tokenGoal);
  if (a.window != b.window)
    return refuseRun("window", a.window, b.window);
  if (a.sampleLimit != b.sampleLimit)
    return refuseRun("sample limit", a.sampleLimit, b.sampleLimit);
  if (a.shardCount != b.shardCount)
    return refuseRun("shard count", a.shardCount, b.shardCount);
  for (uint32_t shard : a.shards)
    if (std::binary_search(b.shards.begin(), b.shards.end(), shard))
      return refuse(llvm::formatv("both hold shard {0} of {1}; merge each shard once", shard + 1,
                                  a.shardCount)
                        .str());
  return llvm::Error::success();
}

/// Same layers, down to the norms. Models of one fingerprint have them.
static bool haveSameLayers(const Profile &a, const Profile &b) {
  return llvm::equal(a.layers, b.layers, [](const LayerProfile &x, const LayerProfile &y) {
    return x.layer == y.layer && x.hidden == y.hidden && x.neurons() == y.neurons() &&
           x.downNorms == y.downNorms;
  });
}

llvm::Error pi::mergeInto(Profile &into, const Profile &from) {
  if (into.fingerprint != from.fingerprint)
    return refuse(llvm::formatv("they are of different models, with fingerprints {0:x-16} and "
                                "{1:x-16}; profile one model",
                                into.fingerprint, from.fingerprint)
                      .str());
  if (!haveSameLayers(into, from))
    return refuse("they are of different models: layers, sizes or norms differ; profile one "
                  "model");
  if (llvm::Error error = checkRun(into, from))
    return error;
  if (into.tokens + from.tokens > kMaxProfileTokens)
    return refuse(
        llvm::formatv("together they have more than {0} tokens; merge fewer", kMaxProfileTokens)
            .str());
  std::vector<uint32_t> shards;
  std::merge(into.shards.begin(), into.shards.end(), from.shards.begin(), from.shards.end(),
             std::back_inserter(shards));
  into.shards = std::move(shards);
  into.tokens += from.tokens;
  into.interrupted |= from.interrupted;
  for (auto [layer, other] : llvm::zip_equal(into.layers, from.layers))
    for (size_t n = 0; n < layer.neurons(); ++n) {
      layer.counts[n] += other.counts[n];
      layer.mass[n] = llvm::SaturatingAdd(layer.mass[n], other.mass[n]);
    }
  into.samples.insert(into.samples.end(), from.samples.begin(), from.samples.end());
  keepSamples(into);
  return llvm::Error::success();
}
