//===- ConvertRate.cpp - How fast f16 becomes f32 -===//

#include "tools/pi-compile/ConvertRate.h"

#include "runtime/main/Clock.h"

#include <algorithm>
#include <cstdint>
#include <immintrin.h>
#include <vector>

using namespace pi;

namespace {
constexpr size_t kValues = 8192;   // f16, 16 KiB: within any first cache
constexpr uint64_t kRounds = 4096; // 64 MiB a thread and pass, some milliseconds
constexpr int kPasses = 8;

struct alignas(64) Part {
  uint16_t values[kValues];
  float sum; // keeps the conversions from being left out
};
} // namespace

bool pi::canConvertF16() { return __builtin_cpu_supports("avx") && __builtin_cpu_supports("f16c"); }

/// Four chains of sums, so that no addition waits for the one before.
__attribute__((target("avx,f16c"))) static float convert(const uint16_t *values) {
  __m256 sums[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(),
                    _mm256_setzero_ps()};
  for (size_t i = 0; i < kValues; i += 32)
    for (size_t k = 0; k < 4; ++k) {
      __m128i half = _mm_load_si128(reinterpret_cast<const __m128i *>(values + i + 8 * k));
      sums[k] = _mm256_add_ps(sums[k], _mm256_cvtph_ps(half));
    }
  __m256 sum = _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3]));
  alignas(32) float lanes[8];
  _mm256_store_ps(lanes, sum);
  return lanes[0] + lanes[7];
}

static void convertPart(void *context, uint32_t thread) {
  Part &part = static_cast<Part *>(context)[thread];
  float sum = part.sum;
  for (uint64_t round = 0; round < kRounds; ++round) {
    part.values[0] = static_cast<uint16_t>(round & 1); // no two rounds are the same
    sum += convert(part.values);
  }
  part.sum = sum;
}

double pi::measureConvertRate(Team &team) {
  std::vector<Part> parts(team.size());
  double best = 0;
  for (int pass = 0; pass < kPasses; ++pass) {
    Clock clock;
    team.run(convertPart, parts.data());
    double bytes = static_cast<double>(sizeof(Part::values) * kRounds) * team.size();
    best = std::max(best, bytes * 1000 / std::max(clock.milliseconds(), 1e-6));
  }
  return best;
}
