//===- CounterTest.cpp - What the neurons of an instrumented program did --===//

#include "PayloadBuilder.h"

#include "runtime/abi/pi_abi.h"
#include "runtime/abi/pi_counts.h"
#include "runtime/core/Format.h"
#include "runtime/core/Program.h"
#include "runtime/core/Status.h"
#include "runtime/cpu/Team.h"
#include "runtime/main/Counter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace pi;
using namespace pi::test;

namespace {

TEST(AddActivations, CountsWhatIsNotBelowZero) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const float activations[] = {-1, 0, 0.5f, 3, 0x1p-24f, 0x1p-26f, -0.0f, 1e30f, inf};
  std::vector<uint64_t> counts(9), mass(9);
  EXPECT_TRUE(addActivations(activations, 9, counts.data(), mass.data()));
  EXPECT_TRUE(addActivations(activations, 9, counts.data(), mass.data()));
  const uint64_t most = uint64_t(1) << 56; // 2^32 in units of 2^-24
  EXPECT_EQ(counts, (std::vector<uint64_t>{0, 2, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(mass, (std::vector<uint64_t>{0, 0, 1 << 24, 6 << 24, 2, 0, 0, 2 * most, 2 * most}));
  const float nan[] = {-1, std::nanf("")};
  EXPECT_FALSE(addActivations(nan, 2, counts.data(), mass.data()));
}

TEST(SamplePriority, DiffersForEveryPlaceAndSeed) {
  std::set<uint64_t> seen;
  for (uint64_t seed = 0; seed < 4; ++seed)
    for (uint64_t sequence = 0; sequence < 32; ++sequence)
      for (uint64_t position = 0; position < 32; ++position)
        seen.insert(samplePriority(seed, {sequence, position}));
  EXPECT_EQ(seen.size(), 4u * 32 * 32);
  uint64_t below = 0; // as many below a quarter of the range as chance would have
  for (uint64_t priority : seen)
    below += priority < (uint64_t(1) << 62);
  EXPECT_NEAR(double(below), 1024, 4 * std::sqrt(1024 * 0.75));
}

constexpr int64_t neurons = 19, hidden = 3;

/// activations[i] = token - i where that is not below zero, else -1; input = position.
void trace(const pi_call *call, void *const *args, int64_t, int64_t) {
  for (int64_t i = 0; i < neurons; ++i)
    static_cast<float *>(args[0])[i] = call->token >= i ? float(call->token - i) : -1.0f;
  for (int64_t i = 0; i < hidden; ++i)
    static_cast<float *>(args[1])[i] = float(call->position);
}

struct Model {
  pi_kernel kernels[1] = {{"trace", trace}};
  pi_arena arenas[1] = {{"activations", 512, PI_ARENA_ACTIVATIONS, 0}};
  pi_arg args[2] = {{PI_SPACE_ARENA, 0, 0}, {PI_SPACE_ARENA, 0, 128}};
  pi_step steps[1] = {{0, 0, 2, 0, 1}};
  pi_trace traces[2] = {{args[0], args[1], 0, hidden, neurons}, {args[0], args[1], 1, hidden, 8}};
  pi_program tables = {};
  std::vector<uint8_t> file;
  Payload payload;
  Team team;
  std::unique_ptr<Program> program;
  std::string detail;

  explicit Model(uint32_t threads) : team(threads) {
    file = PayloadBuilder().build();
    EXPECT_EQ(Payload::read(file.data(), file.size(), payload, detail), PI_OK) << detail;
    tables.abi_version = PI_ABI_VERSION;
    tables.struct_bytes = sizeof tables;
    tables.vocab = 32;
    tables.context = 64;
    tables.logits = {PI_SPACE_ARENA, 0, 256};
    tables.num_kernels = tables.num_arenas = tables.num_steps = 1;
    tables.num_args = 2;
    tables.kernels = kernels;
    tables.arenas = arenas;
    tables.args = args;
    tables.steps = steps;
    tables.traces = traces;
    tables.num_traces = 2;
  }
  int32_t load() { return Program::load(tables, payload, team, program, detail); }
};

/// The file after tokens 0 to 23 in sequences of 8, `lanes` at once in the order given.
std::string countsFile(uint32_t threads, uint32_t lanes, const std::vector<uint64_t> &order,
                       uint64_t sampleBytes) {
  Model model(threads);
  EXPECT_EQ(model.load(), PI_OK) << model.detail;
  EXPECT_EQ(model.program->setLanes(lanes, LaneCaches::Own, model.detail), PI_OK);
  Counter counter(*model.program, model.team, /*seed=*/5, sampleBytes);
  for (uint64_t sequence : order)
    for (uint64_t at = 0; at < 8; at += lanes) {
      Program::Input inputs[kMaxLanes];
      TokenPlace places[kMaxLanes];
      for (uint32_t i = 0; i < lanes; ++i) {
        inputs[i] = {int64_t(sequence * 8 + at + i), int64_t(at + i)};
        places[i] = {sequence, at + i};
      }
      EXPECT_EQ(model.program->stepLanes(inputs, lanes), PI_OK);
      EXPECT_TRUE(counter.add(places, lanes));
    }
  EXPECT_EQ(counter.tokens(), 24u);
  std::string path = testing::TempDir() + "counter-test.counts", detail;
  pi_counts head = {};
  head.window = 8;
  head.shards = 1;
  EXPECT_EQ(counter.write(path, head, detail), PI_OK) << detail;
  std::ifstream stream(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  std::remove(path.c_str());
  return bytes;
}

constexpr uint64_t sampleBytes = 2 * 4 * hidden + 3 + 1;

TEST(Counter, WritesSumsAndTheSameSampleInAnyOrder) {
  // Room for five samples.
  std::string expected = countsFile(1, 1, {0, 1, 2}, 5 * sampleBytes + 5);
  for (uint32_t threads : {1u, 3u})
    for (uint32_t lanes : {1u, 2u, 8u})
      EXPECT_EQ(countsFile(threads, lanes, {2, 0, 1}, 5 * sampleBytes + 5), expected);

  pi_counts head;
  std::memcpy(&head, expected.data(), sizeof head);
  EXPECT_EQ(std::string(head.magic, 8), PI_COUNTS_MAGIC);
  EXPECT_EQ(head.tokens, 24u);
  EXPECT_EQ(head.layers, 2u);
  ASSERT_EQ(head.samples, 5u);
  EXPECT_EQ(head.sample_capacity, 5u);
  size_t at = sizeof head;
  for (uint64_t n : {uint64_t(neurons), uint64_t(8)}) {
    pi_counts_layer layer;
    std::memcpy(&layer, &expected[at], sizeof layer);
    EXPECT_EQ(layer.neurons, n);
    at += sizeof layer;
    for (uint64_t i = 0; i < n; ++i) { // tokens i to 23 make it active, by 0, 1, 2 ...
      uint64_t count, mass, active = 24 - i;
      std::memcpy(&count, &expected[at + 8 * i], 8);
      std::memcpy(&mass, &expected[at + 8 * (n + i)], 8);
      EXPECT_EQ(count, active);
      EXPECT_EQ(mass, active * (active - 1) / 2 << 24);
    }
    at += 16 * n;
  }
  // The sample: the five places of the smallest priorities, in order.
  ASSERT_EQ(expected.size(), at + 5 * (24 + sampleBytes));
  std::set<std::pair<uint64_t, uint64_t>> places; // priority, token
  for (uint64_t token = 0; token < 24; ++token)
    places.insert({samplePriority(5, {token / 8, token % 8}), token});
  auto place = places.begin();
  for (int i = 0; i < 5; ++i, ++place, at += 24 + sampleBytes) {
    auto [priority, token] = *place;
    uint64_t written;
    float input;
    std::memcpy(&written, &expected[at], 8);
    uint64_t where[2];
    std::memcpy(where, &expected[at + 8], 16);
    std::memcpy(&input, &expected[at + 24], 4);
    EXPECT_EQ(written, priority);
    EXPECT_EQ(where[0] * 8 + where[1], token);
    EXPECT_EQ(input, float(token % 8));
    uint32_t mask = 0;
    std::memcpy(&mask, &expected[at + 24 + 4 * hidden], 3);
    EXPECT_EQ(mask, token >= neurons ? (1u << neurons) - 1 : (2u << token) - 1);
  }
}

TEST(Counter, SaysWhatIsWrong) {
  Model model(1);
  ASSERT_EQ(model.load(), PI_OK) << model.detail;
  Counter counter(*model.program, model.team, 1, 0); // no room for a sample
  TokenPlace place{0, 0};
  EXPECT_TRUE(counter.add(&place, 1));
  std::string detail;
  EXPECT_EQ(counter.write("/nowhere/counts", {}, detail), PI_ERROR_WRITE);
  EXPECT_EQ(detail, "/nowhere/counts: No such file or directory");
  EXPECT_EQ(counter.write("/dev/full", {}, detail), PI_ERROR_WRITE);

  Model outside(1);
  outside.traces[1].neurons = 129;
  EXPECT_EQ(outside.load(), PI_ERROR_PROGRAM);
  EXPECT_EQ(outside.detail, "trace 1 is out of range");
  Model older(1); // its tables end before traces
  older.tables.struct_bytes = offsetof(pi_program, traces);
  ASSERT_EQ(older.load(), PI_OK);
  EXPECT_EQ(older.program->numTraces(), 0u);
}

} // namespace
