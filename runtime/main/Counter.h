//===- Counter.h - What the neurons of an instrumented program did --------===//
// Sums in integers, so that they do not depend on the order in which tokens come; and a
// sample of tokens, chosen by a hash of the token's place in the text.

#ifndef PI_RUNTIME_MAIN_COUNTER_H
#define PI_RUNTIME_MAIN_COUNTER_H

#include "runtime/abi/pi_counts.h"
#include "runtime/core/Program.h"
#include "runtime/cpu/Team.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pi {

/// Where a token stands: sequences are those of the whole corpus, whichever are counted.
struct TokenPlace {
  uint64_t sequence;
  uint64_t position;
};

/// A pseudo-random number of `place`; the same everywhere.
uint64_t samplePriority(uint64_t seed, TokenPlace place);

/// counts[i] += 1 and mass[i] += activations[i], in units of 1 / PI_COUNTS_MASS_UNITS and
/// at most 2^32 of one token, where activations[i] >= 0, for i < neurons.
/// False where one is NaN.
bool addActivations(const float *activations, size_t neurons, uint64_t *counts, uint64_t *mass);

class Counter {
public:
  /// Keeps as many samples as fit `maxSampleBytes`, at most kMaxSamples. `program` and
  /// `team` must outlive this.
  Counter(const Program &program, Team &team, uint64_t seed, uint64_t maxSampleBytes);

  static constexpr uint32_t kMaxSamples = 4096;

  /// Adds the last tokens of the first `lanes` lanes. False where one is not a number.
  bool add(const TokenPlace *places, uint32_t lanes);

  uint64_t tokens() const { return counted; }

  /// Writes everything, with `head`'s window, shard, shards, complete and self_sampled.
  /// Error: PI_ERROR_WRITE.
  int32_t write(const std::string &path, pi_counts head, std::string &detail) const;

private:
  struct Layer {
    std::vector<uint64_t> counts, mass; // [neurons]
  };
  struct Sample {
    uint64_t priority;
    TokenPlace place;
    std::vector<uint8_t> bytes; // per layer: f32 input[hidden], u8 mask[(neurons + 7) / 8]
  };
  struct Job; // what the threads of the team share
  static void countPart(void *context, uint32_t thread);
  void sample(TokenPlace place, uint32_t lane);

  const Program &program;
  Team &team;
  uint64_t seed;
  uint32_t capacity;           // samples
  std::vector<Layer> layers;   // as the program's traces
  std::vector<Sample> samples; // a heap, the largest priority on top
  uint64_t counted = 0;
};

} // namespace pi

#endif // PI_RUNTIME_MAIN_COUNTER_H
