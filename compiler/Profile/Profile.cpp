//===- Profile.cpp - How often neurons are active, and how strongly -===//

#include "compiler/Profile/Profile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>

using namespace pi;

template <typename... Args> static llvm::Error fault(const char *format, Args &&...args) {
  return llvm::createStringError(llvm::formatv(format, std::forward<Args>(args)...).str());
}

static llvm::Error checkLayer(const LayerProfile &layer, uint64_t tokens) {
  size_t neurons = layer.neurons();
  if (neurons == 0 || neurons > kMaxProfileWidth)
    return fault("layer {0} has {1} neurons; 1 to {2} are possible", layer.layer, neurons,
                 kMaxProfileWidth);
  if (layer.hidden == 0 || layer.hidden > kMaxProfileWidth)
    return fault("layer {0} has inputs of width {1}; 1 to {2} are possible", layer.layer,
                 layer.hidden, kMaxProfileWidth);
  if (layer.mass.size() != neurons)
    return fault("layer {0} has {1} counts but {2} sums", layer.layer, neurons, layer.mass.size());
  if (!layer.downNorms.empty() && layer.downNorms.size() != neurons)
    return fault("layer {0} has {1} counts but {2} norms", layer.layer, neurons,
                 layer.downNorms.size());
  for (size_t n = 0; n < neurons; ++n)
    if (layer.counts[n] > tokens)
      return fault("neuron {0} of layer {1} is active at {2} of {3} tokens", n, layer.layer,
                   layer.counts[n], tokens);
  for (size_t n = 0; n < layer.downNorms.size(); ++n)
    if (!std::isfinite(layer.downNorms[n]) || std::signbit(layer.downNorms[n]))
      return fault("the norm of neuron {0} of layer {1} is no finite length", n, layer.layer);
  return llvm::Error::success();
}

/// Sizes, and bits past the last neuron, of sample `index`.
static llvm::Error checkSample(const Profile &profile, size_t index) {
  const ProfileSample &sample = profile.samples[index];
  size_t inputs = 0, masks = 0;
  for (const LayerProfile &layer : profile.layers) {
    inputs += layer.hidden;
    masks += layer.maskBytes();
    if (masks <= sample.masks.size() && layer.neurons() % 8 != 0 &&
        sample.masks[masks - 1] >> (layer.neurons() % 8) != 0)
      return fault("sample {0} has active neurons that layer {1} does not have", index,
                   layer.layer);
  }
  if (inputs != sample.inputs.size() || masks != sample.masks.size())
    return fault("sample {0} has {1} inputs and {2} bytes of masks; the layers have {3} and {4}",
                 index, sample.inputs.size(), sample.masks.size(), inputs, masks);
  if (index > 0 && isBefore(sample, profile.samples[index - 1]))
    return fault("sample {0} comes before the one that precedes it", index);
  return llvm::Error::success();
}

static llvm::Error checkShards(const Profile &profile) {
  llvm::ArrayRef<uint32_t> shards = profile.shards;
  if (shards.empty())
    return fault("no shard is counted");
  for (size_t i = 1; i < shards.size(); ++i)
    if (shards[i] <= shards[i - 1])
      return fault("shard {0} comes after shard {1}", shards[i], shards[i - 1]);
  if (shards.back() >= profile.shardCount)
    return fault("shard {0} is counted, but there are {1}", shards.back(), profile.shardCount);
  return llvm::Error::success();
}

llvm::Error pi::checkProfile(const Profile &profile) {
  if (profile.source.size() > kMaxProfileSource)
    return fault("the source's name has {0} bytes; {1} are possible", profile.source.size(),
                 kMaxProfileSource);
  if (!llvm::json::isUTF8(profile.source))
    return fault("the source's name is not UTF-8");
  if (profile.tokens > kMaxProfileTokens)
    return fault("{0} tokens are more than the {1} that are possible", profile.tokens,
                 kMaxProfileTokens);
  if (llvm::Error error = checkShards(profile))
    return error;
  if (profile.layers.empty() || profile.layers.size() > kMaxProfileLayers)
    return fault("there are {0} layers; 1 to {1} are possible", profile.layers.size(),
                 kMaxProfileLayers);
  for (size_t i = 0; i < profile.layers.size(); ++i) {
    const LayerProfile &layer = profile.layers[i];
    if (i > 0 && layer.layer <= profile.layers[i - 1].layer)
      return fault("layer {0} comes after layer {1}", layer.layer, profile.layers[i - 1].layer);
    if (llvm::Error error = checkLayer(layer, profile.tokens))
      return error;
  }
  if (profile.samples.size() > profile.sampleLimit)
    return fault("there are {0} samples; the limit is {1}", profile.samples.size(),
                 profile.sampleLimit);
  for (size_t i = 0; i < profile.samples.size(); ++i)
    if (llvm::Error error = checkSample(profile, i))
      return error;
  return llvm::Error::success();
}

/// Three-way comparison of the bytes of vectors, shorter ones first.
template <typename T> static int compareBytes(const std::vector<T> &a, const std::vector<T> &b) {
  if (a.size() != b.size())
    return a.size() < b.size() ? -1 : 1;
  return a.empty() ? 0 : std::memcmp(a.data(), b.data(), a.size() * sizeof(T));
}

bool pi::isBefore(const ProfileSample &a, const ProfileSample &b) {
  auto key = [](const ProfileSample &s) { return std::tie(s.priority, s.sequence, s.position); };
  if (key(a) != key(b))
    return key(a) < key(b);
  int order = compareBytes(a.inputs, b.inputs);
  return (order ? order : compareBytes(a.masks, b.masks)) < 0;
}

void pi::keepSamples(Profile &profile) {
  llvm::sort(profile.samples, isBefore);
  if (profile.samples.size() > profile.sampleLimit)
    profile.samples.resize(profile.sampleLimit);
}

llvm::ArrayRef<float> pi::getInput(const Profile &profile, const ProfileSample &sample,
                                   size_t index) {
  size_t begin = 0;
  for (size_t i = 0; i < index; ++i)
    begin += profile.layers[i].hidden;
  return llvm::ArrayRef(sample.inputs).slice(begin, profile.layers[index].hidden);
}

llvm::ArrayRef<uint8_t> pi::getMask(const Profile &profile, const ProfileSample &sample,
                                    size_t index) {
  size_t begin = 0;
  for (size_t i = 0; i < index; ++i)
    begin += profile.layers[i].maskBytes();
  return llvm::ArrayRef(sample.masks).slice(begin, profile.layers[index].maskBytes());
}
