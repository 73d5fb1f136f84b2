//===- FakeProgram.cpp - What a generated object looks like ---------------===//
// A model without a compiler: see make_payload.py. For each token it notes it in the
// "KV cache", counts the cache, and adds up three terms per logit (expectedLogits in
// FakeModel.h). FAKE_CPU_FEATURES: bits the program claims to need.

#include "FakeModel.h"

#include "runtime/abi/pi_abi.h"

#include <cstdint>

#ifndef FAKE_CPU_FEATURES
#define FAKE_CPU_FEATURES 0
#endif

using fake::context;
using fake::scriptRows;
using fake::vocab;

/// cache[position] = token; one tile.
static void remember(const pi_call *call, void *const *args, int64_t, int64_t) {
  static_cast<int32_t *>(args[0])[call->position] = static_cast<int32_t>(call->token);
}

/// counts[j] = how often j is in the cache; a tile is one j.
static void countTokens(const pi_call *call, void *const *args, int64_t begin, int64_t end) {
  auto *cache = static_cast<const int32_t *>(args[0]);
  auto *counts = static_cast<float *>(args[1]);
  for (int64_t j = begin; j < end; ++j) {
    float count = 0;
    for (int64_t p = 0; p <= call->position; ++p)
      count += cache[p] == j ? 1.0f : 0.0f;
    counts[j] = count;
  }
}

/// logits[j] from what other threads have counted; a tile is one j.
static void score(const pi_call *call, void *const *args, int64_t begin, int64_t end) {
  auto *counts = static_cast<const float *>(args[0]);
  auto *script = static_cast<const float *>(args[1]) + call->position % scriptRows * vocab;
  auto *bigram = static_cast<const float *>(args[2]) + call->token * vocab;
  auto *logits = static_cast<float *>(args[3]);
  for (int64_t j = begin; j < end; ++j)
    logits[j] = script[j] + bigram[j] + counts[vocab - 1 - j] * 0.0625f;
}

static const pi_kernel kernels[] = {
    {"remember", remember}, {"count", countTokens}, {"score", score}};
static const pi_arena arenas[] = {{"activations", 2 * 4 * 320, PI_ARENA_ACTIVATIONS, 0},
                                  {"kv", context * 4, PI_ARENA_KV_CACHE, 0}};
static const pi_arg args[] = {
    {PI_SPACE_ARENA, 1, 0},                           // remember
    {PI_SPACE_ARENA, 1, 0},  {PI_SPACE_ARENA, 0, 0},  // count
    {PI_SPACE_ARENA, 0, 0},  {PI_SPACE_WEIGHT, 0, 0}, // score
    {PI_SPACE_WEIGHT, 1, 0}, {PI_SPACE_ARENA, 0, 1280},
};
static const pi_step steps[] = {{0, 0, 1, 0, 1}, {1, 1, 2, 0, vocab}, {2, 3, 4, 0, vocab}};

/// As if the counts of tokens seen were counts of active neurons.
static const pi_activity activity = {{PI_SPACE_ARENA, 0, 0}, uint32_t(vocab), 0, 10 * vocab};

const pi_program pi_program_v1 = {
    PI_ABI_VERSION,
    sizeof(pi_program),
    FAKE_CPU_FEATURES,
    3,
    kernels,
    2,
    7,
    arenas,
    args,
    steps,
    3,
    4,
    vocab,
    context,
    {PI_SPACE_ARENA, 0, 1280},
    &activity,
    1,
    0,
    nullptr,
};
