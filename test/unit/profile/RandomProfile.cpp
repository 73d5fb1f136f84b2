//===- RandomProfile.cpp - Profiles for tests -===//

#include "test/unit/profile/RandomProfile.h"

#include "compiler/Profile/ProfileFile.h"

#include <bit>

using namespace pi;

static ProfileSample makeSample(std::mt19937_64 &random, const Profile &profile) {
  ProfileSample sample;
  sample.priority = random() % 16; // many ties
  sample.sequence = random() % 2;
  sample.position = random() % 2;
  for (const LayerProfile &layer : profile.layers) {
    for (uint32_t i = 0; i < layer.hidden; ++i)
      sample.inputs.push_back(std::bit_cast<float>(uint32_t(random()))); // NaN too
    for (size_t n = 0; n < layer.neurons(); ++n) {
      if (n % 8 == 0)
        sample.masks.push_back(0);
      sample.masks.back() |= (random() % 2) << (n % 8);
    }
  }
  return sample;
}

Profile pi::test::makeProfile(std::mt19937_64 &random, std::vector<uint32_t> shards) {
  Profile profile;
  profile.fingerprint = 0xfedcba9876543210u;
  profile.source = "self-sampled";
  profile.sourceHash = 7;
  profile.seed = 42;
  profile.tokenGoal = 5000;
  profile.window = 512;
  profile.sampleLimit = 6;
  profile.shardCount = 5;
  profile.shards = std::move(shards);
  profile.tokens = 100 + random() % 1000;
  profile.interrupted = random() % 4 == 0;
  for (auto [index, neurons, hidden] : {std::tuple(0, 13, 3), {2, 8, 2}, {3, 1, 3}}) {
    LayerProfile &layer = profile.layers.emplace_back();
    layer.layer = index;
    layer.hidden = hidden;
    for (int n = 0; n < neurons; ++n) {
      layer.counts.push_back(random() % (profile.tokens + 1));
      layer.mass.push_back(random() >> random() % 64); // sums that saturate too
      if (index != 2)
        layer.downNorms.push_back(0.5f + n);
    }
  }
  for (int i = random() % 7; i > 0; --i)
    profile.samples.push_back(makeSample(random, profile));
  keepSamples(profile);
  return profile;
}

std::string pi::test::describe(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : std::string();
}

bool pi::test::areSame(const Profile &a, const Profile &b) {
  return serialiseProfile(a) == serialiseProfile(b);
}
