//===- MergeTest.cpp - Merging gives the same bits in any order, or refuses -===//

#include "test/unit/profile/RandomProfile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

using namespace pi;
using namespace pi::test;

static Profile merge(Profile a, const Profile &b) {
  EXPECT_EQ(describe(mergeInto(a, b)), "");
  EXPECT_EQ(describe(checkProfile(a)), "");
  return a;
}

TEST(Merge, IsCommutativeAndAssociative) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    Profile a = makeProfile(random, {1, 4}), b = makeProfile(random, {0}),
            c = makeProfile(random, {2, 3});
    EXPECT_TRUE(areSame(merge(a, b), merge(b, a)));
    EXPECT_TRUE(areSame(merge(merge(a, b), c), merge(a, merge(b, c))));
    EXPECT_TRUE(areSame(merge(merge(c, a), b), merge(a, merge(b, c))));
  }
}

TEST(Merge, AnyOrderOfShards) {
  std::mt19937_64 random(2);
  std::vector<Profile> shards;
  for (uint32_t i = 0; i < 5; ++i)
    shards.push_back(makeProfile(random, {i}));
  auto mergeAll = [&] {
    return std::accumulate(shards.begin() + 1, shards.end(), shards[0], merge);
  };
  Profile expected = mergeAll();
  EXPECT_EQ(expected.shards, (std::vector<uint32_t>{0, 1, 2, 3, 4}));
  for (int round = 0; round < 20; ++round) {
    std::shuffle(shards.begin(), shards.end(), random);
    EXPECT_TRUE(areSame(expected, mergeAll()));
  }
}

TEST(Merge, AddsUp) {
  std::mt19937_64 random(3);
  Profile a = makeProfile(random, {1}), b = makeProfile(random, {3});
  a.interrupted = false;
  b.interrupted = true;
  a.layers[0].mass[0] = 5;
  b.layers[0].mass[0] = 6;
  a.layers[0].mass[1] = std::numeric_limits<uint64_t>::max() - 1;
  b.layers[0].mass[1] = 2;
  Profile sum = merge(a, b);
  EXPECT_EQ(sum.tokens, a.tokens + b.tokens);
  EXPECT_EQ(sum.shards, (std::vector<uint32_t>{1, 3}));
  EXPECT_EQ(sum.layers[1].counts[7], a.layers[1].counts[7] + b.layers[1].counts[7]);
  EXPECT_EQ(sum.layers[0].mass[0], 11u);
  EXPECT_EQ(sum.layers[0].mass[1], std::numeric_limits<uint64_t>::max());
  EXPECT_TRUE(sum.interrupted);
  EXPECT_FALSE(sum.isComplete());
}

TEST(Merge, IsCompleteWithAllShards) {
  std::mt19937_64 random(4);
  Profile a = makeProfile(random, {0, 2, 4}), b = makeProfile(random, {1, 3});
  a.interrupted = b.interrupted = false;
  EXPECT_FALSE(a.isComplete());
  EXPECT_TRUE(merge(a, b).isComplete());
}

TEST(Merge, KeepsTheSmallestSamples) {
  std::mt19937_64 random(5);
  Profile a = makeProfile(random, {0}), b = makeProfile(random, {1});
  std::vector<ProfileSample> all = a.samples;
  all.insert(all.end(), b.samples.begin(), b.samples.end());
  std::sort(all.begin(), all.end(), isBefore);
  Profile sum = merge(a, b);
  ASSERT_EQ(sum.samples.size(), std::min<size_t>(all.size(), 6));
  for (size_t i = 0; i < sum.samples.size(); ++i)
    EXPECT_EQ(sum.samples[i].masks, all[i].masks) << i;
}

TEST(Merge, RefusesAndLeavesAsItWas) {
  struct Case {
    std::function<void(Profile &)> change;
    std::string message;
  };
  const std::string run = "they are of different runs, with ", end = "; merge shards of one run";
  const std::string model = "they are of different models: layers, sizes or norms differ; profile "
                            "one model";
  const Case cases[] = {
      {[](Profile &p) { p.fingerprint = 255; },
       "they are of different models, with fingerprints fedcba9876543210 and 00000000000000ff; "
       "profile one model"},
      {[](Profile &p) { p.layers[1].layer = 1; }, model},
      {[](Profile &p) { p.layers[1].hidden = 9; }, model},
      {[](Profile &p) { p.layers[0].downNorms[3] = 1; }, model},
      {[](Profile &p) { p.layers[0].downNorms.clear(); }, model},
      {[](Profile &p) { p.layers[2].counts.push_back(0); }, model},
      {[](Profile &p) { p.layers.pop_back(); }, model},
      {[](Profile &p) { p.source = "a.txt"; }, run + "text 'self-sampled' and 'a.txt'" + end},
      {[](Profile &p) { p.sourceHash = 8; },
       "they are of different texts of the name 'self-sampled'; merge shards of one run"},
      {[](Profile &p) { p.seed = 43; }, run + "seed 42 and 43" + end},
      {[](Profile &p) { p.tokenGoal = 1; }, run + "token goal 5000 and 1" + end},
      {[](Profile &p) { p.window = 64; }, run + "window 512 and 64" + end},
      {[](Profile &p) { p.sampleLimit = 9; }, run + "sample limit 6 and 9" + end},
      {[](Profile &p) { p.shardCount = 6; }, run + "shard count 5 and 6" + end},
      {[](Profile &p) { p.shards = {2, 3}; }, "both hold shard 4 of 5; merge each shard once"},
      {[](Profile &p) { p.tokens = kMaxProfileTokens; },
       "together they have more than 72057594037927936 tokens; merge fewer"},
  };
  std::mt19937_64 random(6);
  Profile a = makeProfile(random, {0, 3});
  for (const Case &c : cases) {
    Profile b = makeProfile(random, {1}), before = a;
    c.change(b);
    EXPECT_EQ(describe(mergeInto(a, b)), c.message);
    EXPECT_TRUE(areSame(a, before)) << c.message;
  }
}

/// Each part of the order decides where those before it are equal.
TEST(Merge, OrderOfSamplesIsTotal) {
  ProfileSample base;
  base.priority = base.sequence = base.position = 5;
  base.inputs = {1.0f, 2.0f};
  base.masks = {1, 2};
  EXPECT_FALSE(isBefore(base, base));
  std::function<void(ProfileSample &)> greater[] = {
      [](ProfileSample &s) { s.masks[1] = 3; },
      [](ProfileSample &s) { s.inputs[1] = 2.0000002f, s.masks[1] = 0; },
      [](ProfileSample &s) { s.position = 6, s.inputs[1] = 0; },
      [](ProfileSample &s) { s.sequence = 6, s.position = 0; },
      [](ProfileSample &s) { s.priority = 6, s.sequence = 0; },
  };
  for (const auto &change : greater) {
    ProfileSample other = base;
    change(other);
    EXPECT_TRUE(isBefore(base, other));
    EXPECT_FALSE(isBefore(other, base));
  }
}
