//===- LanesTest.cpp - Several tokens through a program at once -----------===//

#include "PayloadBuilder.h"

#include "runtime/abi/pi_abi.h"
#include "runtime/core/Format.h"
#include "runtime/core/Program.h"
#include "runtime/core/Status.h"
#include "runtime/cpu/Team.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace pi;
using namespace pi::test;

namespace {

constexpr int64_t tiles = 24, context = 16, vocab = 8;

/// row[i] = token + i / 4; counts calls of the tile.
void embed(const pi_call *call, void *const *args, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    static_cast<float *>(args[0])[i] = float(call->token) + float(i) / 4;
    ++static_cast<uint32_t *>(args[1])[i];
  }
}

/// cache[i][position] = row[i]; sum[i] = the cache's entries up to position, weighted: what
/// append and attention do within a tile.
void remember(const pi_call *call, void *const *args, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    float *cache = static_cast<float *>(args[1]) + i * context;
    cache[call->position] = static_cast<const float *>(args[0])[i];
    float sum = 0;
    for (int64_t p = 0; p <= call->position; ++p)
      sum = sum * 1.25f + cache[p];
    static_cast<float *>(args[2])[i] = sum + static_cast<const uint8_t *>(args[3])[i];
  }
}

/// logits[i] = sum of all sums + i: needs every tile of the step before.
void finish(const pi_call *, void *const *args, int64_t begin, int64_t end) {
  float sum = 0;
  for (int64_t i = 0; i < tiles; ++i)
    sum = sum * 0.75f + static_cast<const float *>(args[0])[i];
  for (int64_t i = begin; i < end; ++i)
    static_cast<float *>(args[1])[i] = sum + float(i);
}

struct Model {
  std::vector<pi_kernel> kernels = {{"embed", embed}, {"remember", remember}, {"finish", finish}};
  std::vector<pi_arena> arenas = {{"activations", 1024, PI_ARENA_ACTIVATIONS, 0},
                                  {"kv", tiles * context * 4, PI_ARENA_KV_CACHE, 0}};
  std::vector<pi_arg> args = {{PI_SPACE_ARENA, 0, 0},   {PI_SPACE_ARENA, 0, 256},
                              {PI_SPACE_ARENA, 0, 0},   {PI_SPACE_ARENA, 1, 0},
                              {PI_SPACE_ARENA, 0, 128}, {PI_SPACE_WEIGHT, 0, 0},
                              {PI_SPACE_ARENA, 0, 128}, {PI_SPACE_ARENA, 0, 512}};
  std::vector<pi_step> steps = {{0, 0, 2, 0, tiles}, {1, 2, 4, 0, tiles}, {2, 6, 2, 0, vocab}};
  pi_program tables = {};
  std::vector<uint8_t> file;
  Payload payload;
  Team team;
  std::unique_ptr<Program> program;

  /// The weight's size says how many tiles are run per lane: one where it is large.
  explicit Model(uint32_t threads, uint32_t weightRows = 16) : team(threads) {
    PayloadBuilder builder;
    builder.add("weight", weightRows, 4);
    file = builder.build();
    std::string detail;
    EXPECT_EQ(Payload::read(file.data(), file.size(), payload, detail), PI_OK) << detail;
    tables.abi_version = PI_ABI_VERSION;
    tables.struct_bytes = sizeof tables;
    tables.num_weights = 1;
    tables.context = context;
    tables.logits = {PI_SPACE_ARENA, 0, 512};
    tables.vocab = vocab;
    tables.num_kernels = uint32_t(kernels.size());
    tables.kernels = kernels.data();
    tables.num_arenas = uint32_t(arenas.size());
    tables.arenas = arenas.data();
    tables.num_args = uint32_t(args.size());
    tables.args = args.data();
    tables.num_steps = uint32_t(steps.size());
    tables.steps = steps.data();
    EXPECT_EQ(Program::load(tables, payload, team, program, detail), PI_OK) << detail;
  }

  void setLanes(uint32_t count, LaneCaches caches) {
    std::string detail;
    ASSERT_EQ(program->setLanes(count, caches, detail), PI_OK) << detail;
    ASSERT_EQ(program->numLanes(), count);
  }
  std::vector<float> logits(uint32_t lane = 0) const {
    return std::vector<float>(program->logits(lane), program->logits(lane) + vocab);
  }
};

constexpr int64_t tokens[] = {3, 1, 4, 1, 5, 2, 6, 5, 3, 5};
constexpr int64_t numTokens = 10;

/// Logits after each of the tokens, one at a time.
std::vector<std::vector<float>> oneByOne() {
  Model model(1);
  std::vector<std::vector<float>> result;
  for (int64_t i = 0; i < numTokens; ++i) {
    EXPECT_EQ(model.program->step(tokens[i], i), PI_OK);
    result.push_back(model.logits());
  }
  return result;
}

TEST(Lanes, OfOneTextGiveTheBitsOfOneTokenAtATime) {
  std::vector<std::vector<float>> expected = oneByOne();
  for (uint32_t threads : {1u, 2u, 5u})
    for (uint32_t lanes : {1u, 2u, 3u, 7u, 64u})
      for (uint32_t weightRows : {16u, 1u << 20}) { // 64 bytes, and 16 MiB: 1 tile per turn
        Model model(threads, weightRows);
        model.setLanes(lanes, LaneCaches::Shared);
        for (int64_t done = 0; done < numTokens;) {
          Program::Input inputs[kMaxLanes];
          uint32_t count = 0;
          for (; count < lanes && done + count < numTokens; ++count)
            inputs[count] = {tokens[done + count], done + count};
          ASSERT_EQ(model.program->stepLanes(inputs, count), PI_OK);
          for (uint32_t i = 0; i < count; ++i)
            ASSERT_EQ(model.logits(i), expected[size_t(done + i)])
                << threads << " threads, lane " << i << " of " << lanes;
          done += count;
        }
        // Each tile ran once per token of its lane.
        auto *calls = reinterpret_cast<const uint32_t *>(model.program->logits()) - 64;
        for (int64_t i = 0; i < tiles; ++i)
          ASSERT_EQ(calls[i], uint32_t((numTokens + lanes - 1) / lanes));
      }
}

TEST(Lanes, OfSeveralTextsDoNotMeet) {
  std::vector<std::vector<float>> expected = oneByOne();
  Model model(2);
  model.setLanes(3, LaneCaches::Own);
  // Lane 1 runs the text two positions behind lane 0, lane 2 only zeros.
  for (int64_t i = 0; i < numTokens; ++i) {
    Program::Input inputs[] = {
        {tokens[i], i}, {i < 2 ? 7 : tokens[i - 2], i < 2 ? 0 : i - 2}, {0, i}};
    ASSERT_EQ(model.program->stepLanes(inputs, 3), PI_OK);
    ASSERT_EQ(model.logits(0), expected[size_t(i)]);
    if (i >= 2)
      ASSERT_EQ(model.logits(1), expected[size_t(i - 2)]);
  }
  // A new number of lanes: lane 0 goes on, the others begin anew.
  model.setLanes(2, LaneCaches::Own);
  ASSERT_EQ(model.logits(0), expected[numTokens - 1]);
  Program::Input inputs[] = {{1, numTokens}, {tokens[0], 0}};
  ASSERT_EQ(model.program->stepLanes(inputs, 2), PI_OK);
  ASSERT_EQ(model.logits(1), expected[0]);
}

TEST(Lanes, LogitsNobodyAsksForAreNotComputed) {
  std::vector<std::vector<float>> expected = oneByOne();
  Model model(2);
  EXPECT_EQ(firstLogitsStep(model.tables), 2u);
  model.setLanes(4, LaneCaches::Shared);
  Program::Input inputs[] = {
      {tokens[0], 0, false}, {tokens[1], 1, false}, {tokens[2], 2, true}, {tokens[3], 3, false}};
  ASSERT_EQ(model.program->stepLanes(inputs, 4), PI_OK);
  EXPECT_EQ(model.logits(2), expected[2]);
  for (uint32_t lane : {0u, 1u, 3u})
    EXPECT_EQ(model.logits(lane), std::vector<float>(vocab));
  Program::Input next = {tokens[4], 4, true};
  ASSERT_EQ(model.program->stepLanes(&next, 1), PI_OK);
  EXPECT_EQ(model.logits(), expected[4]);
}

TEST(Lanes, StepsThatMatterAfterTheLogitsAreAlwaysRun) {
  Model model(1);
  // The bytes of the logits served as a row before: the last step that names them counts.
  model.args[4].offset = model.args[6].offset = 512;
  EXPECT_EQ(firstLogitsStep(model.tables), 2u);
  // A step after it that writes the cache.
  model.steps.push_back(model.steps[1]);
  model.tables.steps = model.steps.data();
  model.tables.num_steps = 4;
  EXPECT_EQ(firstLogitsStep(model.tables), 4u);
  model.tables.num_steps = 1; // none names the logits
  EXPECT_EQ(firstLogitsStep(model.tables), 1u);
}

TEST(Lanes, RefusesWhatNoLaneCanRun) {
  Model model(1);
  Program::Input inputs[] = {{1, 0}, {2, 1}, {3, 2}};
  EXPECT_EQ(model.program->stepLanes(inputs, 0), PI_ERROR_INPUT);
  EXPECT_EQ(model.program->stepLanes(inputs, 2), PI_ERROR_INPUT); // there is one lane
  model.setLanes(3, LaneCaches::Shared);
  inputs[2].position = context;
  EXPECT_EQ(model.program->stepLanes(inputs, 3), PI_ERROR_INPUT);
  inputs[2] = {vocab, 2};
  EXPECT_EQ(model.program->stepLanes(inputs, 3), PI_ERROR_INPUT);
  auto *calls = reinterpret_cast<const uint32_t *>(model.program->logits()) - 64;
  EXPECT_EQ(calls[0], 0u) << "nothing was run";

  Model large(1);
  large.arenas[0].bytes = uint64_t(1) << 60;
  std::string detail;
  EXPECT_EQ(large.program->setLanes(2, LaneCaches::Shared, detail), PI_ERROR_MEMORY);
  EXPECT_EQ(large.program->numLanes(), 1u);
}

} // namespace
