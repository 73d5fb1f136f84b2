//===- ProgramTest.cpp - Executing tables of kernels ----------------------===//

#include "PayloadBuilder.h"

#include "runtime/abi/pi_abi.h"
#include "runtime/core/Format.h"
#include "runtime/core/Program.h"
#include "runtime/core/Status.h"
#include "runtime/cpu/Team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

using namespace pi;
using namespace pi::test;

// Counts allocations of this executable: there are none in the token loop.
static std::atomic<size_t> allocations{0};
#ifndef PI_TEST_SANITIZED // sanitizers bring their own
void *operator new(size_t bytes) {
  ++allocations;
  if (void *memory = std::malloc(bytes ? bytes : 1))
    return memory;
  std::abort();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
#endif

namespace {

constexpr int64_t tiles = 37, vocab = 16;

/// calls[i] += 1 for each tile: finds a tile that runs twice, or not at all.
void countCalls(const pi_call *, void *const *args, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    ++static_cast<int32_t *>(args[0])[i];
}

/// next[i] = sum of all of `before` + i: needs every tile of the step before.
void chain(const pi_call *, void *const *args, int64_t begin, int64_t end) {
  auto *before = static_cast<const float *>(args[0]);
  auto *next = static_cast<float *>(args[1]);
  for (int64_t i = begin; i < end; ++i) {
    float sum = 0;
    for (int64_t j = 0; j < tiles; ++j)
      sum += before[j] * 0.25f;
    next[i] = sum + float(i);
  }
}

/// logits[i] = weight[i] + token * 100 + position; one tile.
void finish(const pi_call *call, void *const *args, int64_t, int64_t) {
  for (int64_t i = 0; i < vocab; ++i)
    static_cast<float *>(args[1])[i] = float(static_cast<const uint8_t *>(args[0])[i]) +
                                       float(call->token) * 100 + float(call->position);
}

/// Fails the test if it is ever called.
void never(const pi_call *, void *const *, int64_t, int64_t) { std::abort(); }

/// Tables that tests may change before loading.
struct Tables {
  std::vector<pi_kernel> kernels = {
      {"countCalls", countCalls}, {"chain", chain}, {"finish", finish}, {"never", never}};
  std::vector<pi_arena> arenas = {{"activations", 4096, PI_ARENA_ACTIVATIONS, 0},
                                  {"kv", 64, PI_ARENA_KV_CACHE, 0}};
  std::vector<pi_arg> args = {{PI_SPACE_ARENA, 0, 0},    {PI_SPACE_ARENA, 0, 1024},
                              {PI_SPACE_ARENA, 0, 2048}, {PI_SPACE_WEIGHT, 1, 4},
                              {PI_SPACE_ARENA, 0, 3072}, {PI_SPACE_ARENA, 0, 1024}};
  std::vector<pi_step> steps = {{0, 0, 1, 0, tiles}, {1, 1, 2, 0, tiles}, {3, 0, 0, 0, 0},
                                {1, 4, 2, 0, tiles}, {1, 1, 2, 0, tiles}, {2, 3, 2, 0, 1}};
  pi_program program = {};
  std::vector<uint8_t> file;
  Payload payload;

  Tables() {
    PayloadBuilder builder;
    builder.add("first", 1, 4).add("second", 1, 8);
    file = builder.build();
    std::string detail;
    EXPECT_EQ(Payload::read(file.data(), file.size(), payload, detail), PI_OK);
    args[4] = {PI_SPACE_ARENA, 0, 2048};
    // finish: the weight from byte 4 on, and the logits.
    args.push_back({PI_SPACE_WEIGHT, 1, 4});
    args.push_back({PI_SPACE_ARENA, 0, 3072});
    steps[5] = {2, 6, 2, 0, 1};
    program.abi_version = PI_ABI_VERSION;
    program.struct_bytes = sizeof program;
    program.num_weights = 2;
    program.vocab = vocab;
    program.context = 16;
    program.logits = {PI_SPACE_ARENA, 0, 3072};
    link();
  }

  /// Points the program at the vectors.
  void link() {
    program.num_kernels = uint32_t(kernels.size());
    program.kernels = kernels.data();
    program.num_arenas = uint32_t(arenas.size());
    program.arenas = arenas.data();
    program.num_args = uint32_t(args.size());
    program.args = args.data();
    program.num_steps = uint32_t(steps.size());
    program.steps = steps.data();
  }

  int32_t load(Team &team, std::unique_ptr<Program> &out, std::string &detail) {
    return Program::load(program, payload, team, out, detail);
  }
};

TEST(Program, RunsStepsInOrder) {
  std::vector<float> reference;
  for (uint32_t threads : {1u, 2u, 3u, 7u, 16u}) {
    Tables tables;
    Team team(threads);
    ASSERT_EQ(team.size(), threads);
    std::unique_ptr<Program> program;
    std::string detail;
    ASSERT_EQ(tables.load(team, program, detail), PI_OK) << detail;
    EXPECT_EQ(program->vocab(), uint32_t(vocab));
    EXPECT_EQ(program->context(), 16u);
    auto *base = reinterpret_cast<const uint8_t *>(program->logits()) - 3072;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(base) % PI_BUFFER_ALIGN, 0u);
    for (int round = 0; round < 10; ++round) {
      ASSERT_EQ(program->step(3, round), PI_OK);
      auto *calls = reinterpret_cast<const int32_t *>(base);
      for (int64_t i = 0; i < tiles; ++i)
        ASSERT_EQ(calls[i], round + 1) << "tile " << i << ", " << threads << " threads";
      for (int64_t i = tiles; i < 64; ++i)
        ASSERT_EQ(calls[i], 0);
      for (int64_t i = 0; i < vocab; ++i) // weight `second` is 0, 1, 2, ... and begins at byte 4
        ASSERT_EQ(program->logits()[i], float(i + 4 + 300 + round));
    }
    // The same bits on every number of threads.
    auto *chained = reinterpret_cast<const float *>(base + 2048);
    std::vector<float> values(chained, chained + tiles);
    if (reference.empty())
      reference = values;
    EXPECT_EQ(std::memcmp(values.data(), reference.data(), tiles * sizeof(float)), 0);
  }
}

TEST(Program, CountsActiveNeurons) {
  Tables tables;
  // The logits of `finish` stand for counts: 304, 305, ...
  pi_activity activity[] = {{{PI_SPACE_ARENA, 0, 3072}, 2, 5, 1000}};
  tables.program.activity = activity;
  tables.program.num_activity = 1;
  Team team(1);
  std::unique_ptr<Program> program;
  std::string detail;
  ASSERT_EQ(tables.load(team, program, detail), PI_OK) << detail;
  ASSERT_EQ(program->numGroups(), 1u);
  EXPECT_EQ(program->group(0).layer, 5u);
  ASSERT_EQ(program->step(3, 0), PI_OK);
  EXPECT_EQ(program->activeNeurons(0), double(program->logits()[0]) + program->logits()[1]);

  // A program made before activity was counted still loads.
  tables.program.struct_bytes = 88;
  ASSERT_EQ(tables.load(team, program, detail), PI_OK) << detail;
  EXPECT_EQ(program->numGroups(), 0u);
  tables.program.struct_bytes = 87;
  EXPECT_EQ(tables.load(team, program, detail), PI_ERROR_PROGRAM);

  // Only those fields count, not what may be appended after them.
  tables.program.struct_bytes = offsetof(pi_program, num_activity) + 4;
  ASSERT_EQ(tables.load(team, program, detail), PI_OK) << detail;
  EXPECT_EQ(program->numGroups(), 1u);

  // Counts outside their arena are refused.
  tables.program.struct_bytes = sizeof(pi_program);
  activity[0].tiles = 4096;
  EXPECT_EQ(tables.load(team, program, detail), PI_ERROR_PROGRAM);
  EXPECT_NE(detail.find("activity 0"), std::string::npos) << detail;
}

TEST(Program, AllocatesNothingPerToken) {
  Tables tables;
  Team team(3);
  std::unique_ptr<Program> program;
  std::string detail;
  ASSERT_EQ(tables.load(team, program, detail), PI_OK);
  size_t before = allocations;
  for (int i = 0; i < 100; ++i)
    if (program->step(1, i % 16) != PI_OK)
      std::abort();
  EXPECT_EQ(allocations - before, 0u);
}

TEST(Program, RefusesTokensAndPositionsOutOfRange) {
  Tables tables;
  Team team(1);
  std::unique_ptr<Program> program;
  std::string detail;
  ASSERT_EQ(tables.load(team, program, detail), PI_OK);
  EXPECT_EQ(program->step(-1, 0), PI_ERROR_INPUT);
  EXPECT_EQ(program->step(vocab, 0), PI_ERROR_INPUT);
  EXPECT_EQ(program->step(0, -1), PI_ERROR_INPUT);
  EXPECT_EQ(program->step(0, 16), PI_ERROR_INPUT);
  EXPECT_EQ(program->step(vocab - 1, 15), PI_OK);
}

/// The message for tables changed by `change`.
template <typename Change> std::string messageAfter(Change change) {
  Tables tables;
  change(tables);
  tables.link();
  Team team(1);
  std::unique_ptr<Program> program;
  std::string detail;
  int32_t status = tables.load(team, program, detail);
  EXPECT_EQ(program == nullptr, status != PI_OK);
  return describe(status, detail);
}

TEST(Program, RefusesTablesThatDoNotFit) {
  const std::string start = "the generated program is inconsistent: ";
  EXPECT_EQ(messageAfter([](Tables &) {}), "ok");
  EXPECT_EQ(messageAfter([](Tables &t) { t.program.abi_version = 2; }),
            start + "ABI version 2, this runtime has 1");
  EXPECT_EQ(messageAfter([](Tables &t) { t.program.vocab = 0; }),
            start + "no vocabulary or no context");
  EXPECT_EQ(messageAfter([](Tables &t) { t.program.num_weights = 3; }),
            start + "it uses 3 weights, the file has 2");
  EXPECT_EQ(messageAfter([](Tables &t) { t.kernels[1].fn = nullptr; }),
            start + "kernel 1 has no code");
  EXPECT_EQ(messageAfter([](Tables &t) { t.args[1].space = 7; }),
            start + "argument 1 names no arena and no weight");
  EXPECT_EQ(messageAfter([](Tables &t) { t.args[1].index = 2; }),
            start + "argument 1 names no arena and no weight");
  EXPECT_EQ(messageAfter([](Tables &t) { t.args[3].index = 2; }),
            start + "argument 3 names no arena and no weight");
  EXPECT_EQ(messageAfter([](Tables &t) { t.args[1].offset = 4096; }),
            start + "argument 1 is out of range");
  EXPECT_EQ(messageAfter([](Tables &t) { t.args[3].offset = UINT64_MAX; }),
            start + "argument 3 is out of range");
  EXPECT_EQ(messageAfter([](Tables &t) { t.steps[4].kernel = 4; }),
            start + "step 4 is out of range");
  EXPECT_EQ(messageAfter([](Tables &t) { t.steps[4].num_args = UINT32_MAX; }),
            start + "step 4 is out of range");
  EXPECT_EQ(messageAfter([](Tables &t) { t.steps[4].first_arg = 99; }),
            start + "step 4 is out of range");
  EXPECT_EQ(messageAfter([](Tables &t) { t.steps[4].tiles = -1; }),
            start + "step 4 is out of range");
  EXPECT_EQ(messageAfter([](Tables &t) { t.steps[4].tiles = INT64_MAX; }),
            start + "step 4 is out of range");
  EXPECT_EQ(messageAfter([](Tables &t) { t.program.logits.space = PI_SPACE_WEIGHT; }),
            start + "the logits lie in no arena");
  EXPECT_EQ(messageAfter([](Tables &t) { t.program.logits.offset = 4096 - 4 * vocab + 4; }),
            start + "logits is out of range");
  EXPECT_EQ(messageAfter([](Tables &t) { t.arenas[1].bytes = uint64_t(1) << 60; }),
            "not enough memory: kv takes 1152921504606846976 bytes; compile the model with a "
            "smaller --context");
}

} // namespace
