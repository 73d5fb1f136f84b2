//===- Reference.cpp - What the machine can do, by hand -===//

#include "test/tools/pi-bench-layers/Reference.h"

#include <algorithm>
#include <immintrin.h>

using namespace pi::bench;

namespace {
/// The f32 factors of a conversion: few enough to stay in the first cache.
constexpr int64_t kFactors = 1024;
constexpr int64_t kTileHalves = kReferenceTileBytes / 2;
/// Sums that are wanted nowhere: the loops may not be left out.
thread_local volatile float sink;

__attribute__((target("avx2"))) void read256(const pi_call *, void *const *args, int64_t begin,
                                             int64_t end) {
  auto *from = static_cast<const char *>(args[0]);
  __m256i sums[4] = {};
  for (int64_t i = begin * kReferenceTileBytes; i < end * kReferenceTileBytes; i += 128)
    for (int64_t part = 0; part < 4; ++part)
      sums[part] = _mm256_xor_si256(
          sums[part], _mm256_load_si256(reinterpret_cast<const __m256i *>(from + i + part * 32)));
  __m256i all =
      _mm256_xor_si256(_mm256_xor_si256(sums[0], sums[1]), _mm256_xor_si256(sums[2], sums[3]));
  sink = static_cast<float>(_mm256_extract_epi32(all, 0));
}

__attribute__((target("avx512f"))) void read512(const pi_call *, void *const *args, int64_t begin,
                                                int64_t end) {
  auto *from = static_cast<const char *>(args[0]);
  __m512i sums[4] = {};
  for (int64_t i = begin * kReferenceTileBytes; i < end * kReferenceTileBytes; i += 256)
    for (int64_t part = 0; part < 4; ++part)
      sums[part] = _mm512_xor_si512(sums[part], _mm512_load_si512(from + i + part * 64));
  sink = static_cast<float>(_mm512_reduce_or_epi32(
      _mm512_or_si512(_mm512_or_si512(sums[0], sums[1]), _mm512_or_si512(sums[2], sums[3]))));
}

__attribute__((target("avx2,fma,f16c"))) void convert256(const pi_call *, void *const *args,
                                                         int64_t begin, int64_t end) {
  auto *from = static_cast<const uint16_t *>(args[0]);
  auto *factors = static_cast<const float *>(args[1]);
  __m256 sums[8] = {};
  for (int64_t tile = begin; tile < end; ++tile)
    for (int64_t i = 0; i < kTileHalves; i += 64)
      for (int64_t part = 0; part < 8; ++part) {
        __m128i halves = _mm_load_si128(reinterpret_cast<const __m128i *>(from + i + part * 8));
        __m256 x = _mm256_load_ps(factors + (i + part * 8) % kFactors);
        sums[part] = _mm256_fmadd_ps(_mm256_cvtph_ps(halves), x, sums[part]);
      }
  for (int64_t part = 1; part < 8; ++part)
    sums[0] = _mm256_add_ps(sums[0], sums[part]);
  sink = _mm256_cvtss_f32(sums[0]);
}

__attribute__((target("avx512f"))) void convert512(const pi_call *, void *const *args,
                                                   int64_t begin, int64_t end) {
  auto *from = static_cast<const uint16_t *>(args[0]);
  auto *factors = static_cast<const float *>(args[1]);
  __m512 sums[8] = {};
  for (int64_t tile = begin; tile < end; ++tile)
    for (int64_t i = 0; i < kTileHalves; i += 128)
      for (int64_t part = 0; part < 8; ++part) {
        __m256i halves = _mm256_load_si256(reinterpret_cast<const __m256i *>(from + i + part * 16));
        __m512 x = _mm512_load_ps(factors + (i + part * 16) % kFactors);
        sums[part] = _mm512_fmadd_ps(_mm512_cvtph_ps(halves), x, sums[part]);
      }
  for (int64_t part = 1; part < 8; ++part)
    sums[0] = _mm512_add_ps(sums[0], sums[part]);
  sink = _mm512_reduce_add_ps(sums[0]);
}
/// What is read ahead of each of the rows.
constexpr int64_t kAheadBytes = 1024;

__attribute__((target("avx2"))) void readRows(const pi_call *, void *const *args, int64_t begin,
                                              int64_t end) {
  auto *weights = static_cast<const char *>(args[0]);
  auto *ids = static_cast<const int32_t *>(args[1]);
  auto &list = *static_cast<const RowsRead *>(args[2]);
  int64_t fours = list.rows / 4;
  __m256i sum = {};
  for (int64_t four = fours * begin / list.tiles; four < fours * end / list.tiles; ++four) {
    const char *rows[4], *next[4];
    for (int64_t r = 0; r < 4; ++r) {
      rows[r] = weights + ids[four * 4 + r] * list.rowBytes;
      next[r] = weights + ids[std::min(four + 1, fours - 1) * 4 + r] * list.rowBytes;
    }
    for (int64_t i = 0; i + 64 <= list.rowBytes; i += 64)
      for (int64_t r = 0; r < 4; ++r) {
        int64_t ahead = i + kAheadBytes;
        const char *to = ahead < list.rowBytes ? rows[r] + ahead : next[r] + ahead - list.rowBytes;
        _mm_prefetch(to, _MM_HINT_T0);
        auto *from = reinterpret_cast<const __m256i *>(rows[r] + i);
        sum = _mm256_xor_si256(
            sum, _mm256_xor_si256(_mm256_loadu_si256(from), _mm256_loadu_si256(from + 1)));
      }
  }
  sink = static_cast<float>(_mm256_extract_epi32(sum, 0));
}
} // namespace

pi_kernel_fn pi::bench::readRowsLoop() { return readRows; }

pi_kernel_fn pi::bench::readLoop(int64_t vectorBits) {
  return vectorBits == 512 ? read512 : read256;
}

pi_kernel_fn pi::bench::convertLoop(int64_t vectorBits) {
  return vectorBits == 512 ? convert512 : convert256;
}
