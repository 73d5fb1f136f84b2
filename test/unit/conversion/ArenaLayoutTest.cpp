//===- ArenaLayoutTest.cpp - Offsets of buffers from their lifetimes -===//

#include "compiler/Conversion/NeuronToPlan/ArenaLayout.h"

#include "gtest/gtest.h"

#include <random>

using namespace pi;

namespace {

std::vector<int64_t> offsetsOf(const ArenaLayout &layout) {
  return {layout.offsets.begin(), layout.offsets.end()};
}

TEST(ArenaLayout, NothingTakesNothing) {
  EXPECT_EQ(layoutByLifetime({}).totalBytes, 0);
  EXPECT_EQ(layoutInSequence({}).totalBytes, 0);
}

TEST(ArenaLayout, DisjointLivesShareBytes) {
  ArenaLayout layout = layoutByLifetime({{0, 1, 100}, {2, 3, 100}});
  EXPECT_EQ(offsetsOf(layout), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(layout.totalBytes, 128);
}

TEST(ArenaLayout, TheStepThatEndsOneAndBeginsTheOtherKeepsThemApart) {
  ArenaLayout layout = layoutByLifetime({{0, 1, 64}, {1, 2, 64}});
  EXPECT_EQ(offsetsOf(layout), (std::vector<int64_t>{0, 64}));
}

TEST(ArenaLayout, FillsTheFirstGap) {
  // Largest first: c at 0, then a above it, then b into the gap that c leaves at step 3.
  ArenaLayout layout = layoutByLifetime({{0, 4, 128}, {3, 4, 64}, {0, 2, 256}});
  EXPECT_EQ(offsetsOf(layout), (std::vector<int64_t>{256, 0, 0}));
  EXPECT_EQ(layout.totalBytes, 384);
}

TEST(ArenaLayout, SequenceAligns) {
  ArenaLayout layout = layoutInSequence({{0, 0, 1}, {5, 5, 65}, {9, 9, 64}});
  EXPECT_EQ(offsetsOf(layout), (std::vector<int64_t>{0, 64, 192}));
  EXPECT_EQ(layout.totalBytes, 256);
}

TEST(ArenaLayout, OverlapIsFound) {
  LiveBuffer buffers[] = {{0, 1, 64}, {1, 2, 64}, {2, 3, 64}};
  ArenaLayout layout;
  layout.offsets = {0, 63, 0};
  EXPECT_EQ(findOverlap(buffers, layout), std::make_pair(size_t(0), size_t(1)));
  layout.offsets = {0, 64, 0};
  EXPECT_EQ(findOverlap(buffers, layout), std::nullopt);
  layout.offsets = {0, 64, 127}; // the last two are alive at step 2
  EXPECT_EQ(findOverlap(buffers, layout), std::make_pair(size_t(1), size_t(2)));
}

TEST(ArenaLayout, RandomLivesNeverOverlapAndNeverExceedTheSum) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<LiveBuffer> buffers;
    for (int i = 0; i < 20; ++i) {
      int64_t first = random() % 30;
      buffers.push_back({first, first + int64_t(random() % 6), 1 + int64_t(random() % 1000)});
    }
    ArenaLayout layout = layoutByLifetime(buffers);
    EXPECT_EQ(findOverlap(buffers, layout), std::nullopt);
    EXPECT_LE(layout.totalBytes, layoutInSequence(buffers).totalBytes);
    for (auto [buffer, offset] : llvm::zip_equal(buffers, layout.offsets)) {
      EXPECT_EQ(offset % kBufferAlign, 0);
      EXPECT_LE(offset + buffer.bytes, layout.totalBytes);
    }
  }
}

} // namespace
