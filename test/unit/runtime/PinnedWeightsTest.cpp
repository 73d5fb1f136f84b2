//===- PinnedWeightsTest.cpp - Weights copied into large pages ------------===//

#include "PayloadBuilder.h"

#include "runtime/core/Format.h"
#include "runtime/core/PinnedWeights.h"
#include "runtime/core/Status.h"
#include "runtime/cpu/Team.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace pi;
using namespace pi::test;

namespace {

struct File {
  std::vector<uint8_t> bytes;
  Payload payload;
  std::string detail;

  File() {
    bytes = PayloadBuilder().add("first", 1, 4).add("large", 5000, 300).build();
    EXPECT_EQ(Payload::read(bytes.data(), bytes.size(), payload, detail), PI_OK) << detail;
  }
};

TEST(PinnedWeights, AreTheSameBytesElsewhere) {
  for (uint32_t threads : {1u, 3u}) {
    File file;
    Team team(threads);
    PinnedWeights pinned;
    const uint8_t *before = file.payload.weight(1).data;
    auto progress = [](uint64_t done, uint64_t total) { return done <= total; };
    ASSERT_EQ(pinned.load(file.payload, team, progress, file.detail), PI_OK) << file.detail;
    EXPECT_NE(file.payload.weight(1).data, before);
    for (uint32_t i = 0; i < 2; ++i)
      EXPECT_TRUE(verifyWeight(file.payload.weight(i))) << i;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(file.payload.weightBase()) % 4096, 0u);
  }
}

TEST(PinnedWeights, LeaveThePayloadAloneWhereTheyAreNotLoaded) {
  File file;
  Team team(1);
  PinnedWeights pinned;
  const uint8_t *before = file.payload.weight(1).data;
  auto stop = [](uint64_t, uint64_t) { return false; };
  EXPECT_EQ(pinned.load(file.payload, team, stop, file.detail), PI_ERROR_INTERRUPTED);
  EXPECT_EQ(file.payload.weight(1).data, before);
  EXPECT_GT(availableMemory(), 0u);
}

} // namespace
