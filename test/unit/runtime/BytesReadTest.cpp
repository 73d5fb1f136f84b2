//===- BytesReadTest.cpp - Bytes a token reads, and the speed of memory ---===//

#include "PayloadBuilder.h"

#include "runtime/abi/pi_abi.h"
#include "runtime/core/Format.h"
#include "runtime/core/Program.h"
#include "runtime/core/Status.h"
#include "runtime/cpu/Team.h"
#include "runtime/main/BytesRead.h"
#include "runtime/main/ReadBandwidth.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace pi;
using namespace pi::test;

namespace {

/// counts[0] = the token: as many neurons are active.
void countToken(const pi_call *call, void *const *args, int64_t, int64_t) {
  *static_cast<float *>(args[0]) = float(call->token);
}
void nothing(const pi_call *, void *const *, int64_t, int64_t) {}

/// An embedding, an ungated and a gated layer of 8 neurons, a tied head.
struct Model {
  PayloadBuilder builder;
  std::vector<pi_kernel> kernels = {
      {"embed_token", nothing}, {"ffn", countToken}, {"logits", nothing}};
  std::vector<pi_arena> arenas = {{"activations", 128, PI_ARENA_ACTIVATIONS, 0},
                                  {"kv", 16 * 24, PI_ARENA_KV_CACHE, 0}};
  std::vector<pi_arg> args;
  std::vector<pi_step> steps;
  pi_activity activity[2] = {{{PI_SPACE_ARENA, 0, 0}, 1, 0, 8}, {{PI_SPACE_ARENA, 0, 0}, 1, 1, 8}};
  pi_program program = {};
  std::vector<uint8_t> file;
  Payload payload;
  Team team{1};
  std::unique_ptr<Program> loaded;

  Model() {
    // f32: 16 bytes a row.
    builder.add("embed", 10, 4).add("norm", 1, 4);
    builder.add("layers.0.up", 8, 4, 0).add("layers.0.down", 8, 4, 0);
    builder.add("layers.1.gate", 8, 4, 1).add("layers.1.up", 8, 4, 1);
    builder.add("layers.1.down", 8, 4, 1).add("unused", 100, 4);
    file = builder.build();
    std::string detail;
    EXPECT_EQ(Payload::read(file.data(), file.size(), payload, detail), PI_OK);
    addStep(0, {0});
    addStep(1, {1, 2, 3, 2}); // a weight twice in a step is read once
    addStep(1, {1, 4, 5, 6});
    addStep(2, {0}); // and whole here
    program = {PI_ABI_VERSION,
               sizeof program,
               0,
               3,
               kernels.data(),
               2,
               uint32_t(args.size()),
               arenas.data(),
               args.data(),
               steps.data(),
               4,
               8,
               10,
               16,
               {PI_SPACE_ARENA, 0, 64},
               activity,
               2,
               0,
               nullptr};
    EXPECT_EQ(Program::load(program, payload, team, loaded, detail), PI_OK) << detail;
  }

  void addStep(uint32_t kernel, const std::vector<uint32_t> &weights) {
    steps.push_back({kernel, uint32_t(args.size()), uint32_t(weights.size() + 1), 0, 1});
    args.push_back({PI_SPACE_ARENA, 0, 0});
    for (uint32_t weight : weights)
      args.push_back({PI_SPACE_WEIGHT, weight, 0});
  }

  double after(int64_t token, int64_t position) {
    EXPECT_EQ(loaded->step(token, position), PI_OK);
    return BytesRead(program, payload).ofLastBlock(*loaded, 1, position);
  }
};

TEST(BytesRead, CountsRowsOfActiveNeurons) {
  Model model;
  // A row of the embedding, norms, up of layer 0, gate of layer 1, the head.
  const double always = 16 + 2 * 16 + 128 + 128 + 160;
  const double cache = 24; // a token's entry
  EXPECT_EQ(model.after(0, 0), always + cache);
  // Of 8 neurons all, then 2: down of both layers and up of layer 1.
  EXPECT_EQ(model.after(8, 1), always + 2 * cache + 3 * 128);
  EXPECT_EQ(model.after(2, 2), always + 3 * cache + 3 * 32);
}

TEST(BytesRead, ABlockReadsWeightsOnce) {
  Model model;
  std::string detail;
  ASSERT_EQ(model.loaded->setLanes(3, LaneCaches::Shared, detail), PI_OK) << detail;
  const double always = 16 + 2 * 16 + 128 + 128 + 160, caches = 24 * (5 + 6 + 7);
  for (auto [tokens, rows] : {std::pair(1, 3), std::pair(4, 8)}) { // 12 rows of 8 are 8
    Program::Input inputs[] = {{tokens, 4}, {tokens, 5}, {tokens, 6}};
    ASSERT_EQ(model.loaded->stepLanes(inputs, 3), PI_OK);
    EXPECT_EQ(BytesRead(model.program, model.payload).ofLastBlock(*model.loaded, 3, 4),
              always + caches + 3 * 16 * rows);
  }
}

TEST(BytesRead, WithoutCountsEverythingMayBeRead) {
  Model model;
  model.program.num_activity = 0;
  EXPECT_EQ(model.after(1, 0), 16 + 2 * 16 + 128 + 128 + 160 + 24 + 3 * 128);
}

TEST(ReadBandwidth, ReadsTheWholeBuffer) {
  EXPECT_GE(bandwidthBufferBytes(), uint64_t(16) << 20);
  for (uint32_t threads : {1u, 3u}) {
    Team team(threads);
    double bytesPerSecond = 0;
    ASSERT_EQ(measureReadBandwidth(team, 8 << 20, bytesPerSecond), PI_OK);
    EXPECT_GT(bytesPerSecond, 1e6); // no more than: it is a speed
  }
  Team team(1);
  double unchanged = 5;
  EXPECT_EQ(measureReadBandwidth(team, uint64_t(1) << 60, unchanged), PI_ERROR_MEMORY);
  EXPECT_EQ(unchanged, 5);
}

} // namespace
