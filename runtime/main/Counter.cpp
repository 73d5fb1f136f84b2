//===- Counter.cpp - What the neurons of an instrumented program did ------===//

#include "runtime/main/Counter.h"

#include "runtime/abi/pi_counts.h"
#include "runtime/core/Status.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace pi {

/// The finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
/// generators, OOPSLA 2014).
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

uint64_t samplePriority(uint64_t seed, TokenPlace place) {
  return mix(mix(mix(seed) ^ place.sequence) ^ place.position);
}

bool addActivations(const float *activations, size_t neurons, uint64_t *counts, uint64_t *mass) {
  constexpr double most = 4294967296.0; // what is not finite is no activation of use
  bool isNumber = true;
  for (size_t i = 0; i < neurons; ++i) {
    if (activations[i] < 0)
      continue;
    isNumber &= !std::isnan(activations[i]);
    double amount = std::fmin(double(activations[i]), most) * PI_COUNTS_MASS_UNITS;
    ++counts[i];
    mass[i] += uint64_t(std::rint(amount));
  }
  return isNumber;
}

static uint64_t maskBytes(uint64_t neurons) { return (neurons + 7) / 8; }

Counter::Counter(const Program &program, Team &team, uint64_t seed, uint64_t maxSampleBytes)
    : program(program), team(team), seed(seed) {
  uint64_t sampleBytes = 1;
  for (uint32_t i = 0; i < program.numTraces(); ++i) {
    const pi_trace &trace = program.trace(i);
    sampleBytes += trace.hidden * sizeof(float) + maskBytes(trace.neurons);
    layers.push_back({std::vector<uint64_t>(trace.neurons), std::vector<uint64_t>(trace.neurons)});
  }
  capacity = uint32_t(std::min<uint64_t>(maxSampleBytes / sampleBytes, kMaxSamples));
  samples.reserve(size_t(capacity) + 1);
}

struct Counter::Job {
  Counter &counter;
  uint32_t lanes;
  std::atomic<bool> isNumber{true};
};

/// A thread's share of each layer's neurons, for all lanes.
void Counter::countPart(void *context, uint32_t thread) {
  auto &job = *static_cast<Job *>(context);
  Counter &counter = job.counter;
  for (uint32_t i = 0; i < counter.layers.size(); ++i) {
    Layer &layer = counter.layers[i];
    TileSpan span = tileSpan(int64_t(layer.counts.size()), thread, counter.team.size());
    for (uint32_t lane = 0; lane < job.lanes; ++lane)
      if (!addActivations(counter.program.tracedActivations(i, lane) + span.begin,
                          size_t(span.end - span.begin), layer.counts.data() + span.begin,
                          layer.mass.data() + span.begin))
        job.isNumber.store(false, std::memory_order_relaxed);
  }
}

void Counter::sample(TokenPlace place, uint32_t lane) {
  uint64_t priority = samplePriority(seed, place);
  auto before = [](const Sample &a, const Sample &b) { return a.priority < b.priority; };
  if (samples.size() == capacity) {
    if (capacity == 0 || priority >= samples.front().priority)
      return;
    std::pop_heap(samples.begin(), samples.end(), before);
    samples.pop_back();
  }
  Sample sample{priority, place, {}};
  for (uint32_t i = 0; i < layers.size(); ++i) {
    const auto *input = reinterpret_cast<const uint8_t *>(program.tracedInput(i, lane));
    sample.bytes.insert(sample.bytes.end(), input, input + program.trace(i).hidden * sizeof(float));
    const float *activations = program.tracedActivations(i, lane);
    size_t mask = sample.bytes.size(), neurons = layers[i].counts.size();
    sample.bytes.resize(mask + maskBytes(neurons));
    for (size_t n = 0; n < neurons; ++n)
      sample.bytes[mask + n / 8] |= uint8_t(activations[n] >= 0) << n % 8;
  }
  samples.push_back(std::move(sample));
  std::push_heap(samples.begin(), samples.end(), before);
}

bool Counter::add(const TokenPlace *places, uint32_t lanes) {
  Job job{*this, lanes};
  team.run(countPart, &job);
  for (uint32_t lane = 0; lane < lanes; ++lane)
    sample(places[lane], lane);
  counted += lanes;
  return job.isNumber;
}

namespace {
/// A file that is written in pieces.
class CountsFile {
public:
  explicit CountsFile(const std::string &path) : file(std::fopen(path.c_str(), "wb")) {}
  ~CountsFile() { close(); }
  void write(const void *data, size_t bytes) {
    isGood = isGood && file && std::fwrite(data, 1, bytes, file) == bytes;
  }
  template <typename T> void write(const std::vector<T> &values) {
    write(values.data(), values.size() * sizeof(T));
  }
  /// Whether everything was written.
  bool close() {
    if (file && std::fclose(file) != 0)
      isGood = false;
    return std::exchange(file, nullptr) && isGood;
  }

private:
  std::FILE *file;
  bool isGood = true;
};
} // namespace

int32_t Counter::write(const std::string &path, pi_counts head, std::string &detail) const {
  std::memcpy(head.magic, PI_COUNTS_MAGIC, sizeof head.magic);
  head.tokens = counted;
  head.seed = seed;
  head.layers = uint32_t(layers.size());
  head.samples = uint32_t(samples.size());
  head.sample_capacity = capacity;
  CountsFile file(path);
  file.write(&head, sizeof head);
  for (uint32_t i = 0; i < layers.size(); ++i) {
    const pi_trace &trace = program.trace(i);
    pi_counts_layer layer = {trace.layer, trace.hidden, trace.neurons};
    file.write(&layer, sizeof layer);
    file.write(layers[i].counts);
    file.write(layers[i].mass);
  }
  std::vector<const Sample *> order; // by priority: the file depends on the tokens alone
  for (const Sample &sample : samples)
    order.push_back(&sample);
  std::sort(order.begin(), order.end(),
            [](const Sample *a, const Sample *b) { return a->priority < b->priority; });
  for (const Sample *sample : order) {
    file.write(&sample->priority, sizeof sample->priority);
    file.write(&sample->place, sizeof sample->place);
    file.write(sample->bytes);
  }
  if (file.close())
    return PI_OK;
  return fail(PI_ERROR_WRITE, detail, path + ": " + std::strerror(errno));
}

} // namespace pi
