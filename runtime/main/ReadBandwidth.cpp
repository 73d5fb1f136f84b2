//===- ReadBandwidth.cpp - How fast memory can be read --------------------===//

#include "runtime/main/ReadBandwidth.h"

#include "runtime/core/Arena.h"
#include "runtime/core/Status.h"
#include "runtime/cpu/Team.h"
#include "runtime/main/Clock.h"
#include "runtime/main/Signals.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace pi {

namespace {

/// What the threads share. A tile is 4 KiB.
struct Reading {
  static constexpr int64_t tileWords = 512;
  uint64_t *words;
  int64_t tiles;
  uint32_t threads;
  std::vector<uint64_t> sums; // one per thread
};

} // namespace

/// Touches the thread's part, so that its pages lie near it.
static void fill(void *context, uint32_t thread) {
  auto &reading = *static_cast<Reading *>(context);
  TileSpan span = tileSpan(reading.tiles, thread, reading.threads);
  std::fill(reading.words + span.begin * Reading::tileWords,
            reading.words + span.end * Reading::tileWords, uint64_t(1));
}

static void addUp(void *context, uint32_t thread) {
  auto &reading = *static_cast<Reading *>(context);
  TileSpan span = tileSpan(reading.tiles, thread, reading.threads);
  uint64_t sum = 0;
  for (int64_t i = span.begin * Reading::tileWords; i < span.end * Reading::tileWords; ++i)
    sum += reading.words[i];
  reading.sums[thread] = sum;
}

uint64_t bandwidthBufferBytes() {
  constexpr uint64_t mib = 1 << 20;
  auto known = [](int name) { return uint64_t(std::max(sysconf(name), 0L)); };
  uint64_t wanted = std::max(256 * mib, 2 * known(_SC_LEVEL3_CACHE_SIZE));
  uint64_t free = known(_SC_AVPHYS_PAGES) * known(_SC_PAGESIZE);
  return std::max(16 * mib, std::min(wanted, free / 4));
}

int32_t measureReadBandwidth(Team &team, uint64_t bytes, double &bytesPerSecond) {
  constexpr int passes = 8;
  Arena arena;
  if (int32_t status = Arena::allocate(bytes, arena))
    return status;
  madvise(arena.data(), bytes, MADV_HUGEPAGE); // a wish
  Reading reading = {reinterpret_cast<uint64_t *>(arena.data()),
                     int64_t(bytes / (Reading::tileWords * sizeof(uint64_t))), team.size(),
                     std::vector<uint64_t>(team.size())};
  team.run(fill, &reading);
  double best = 0;
  for (int pass = 0; pass < passes; ++pass) {
    if (wasInterrupted())
      return PI_ERROR_INTERRUPTED;
    Clock clock;
    team.run(addUp, &reading);
    double milliseconds = clock.milliseconds();
    uint64_t words = 0; // every word is 1: the sum says that all were read
    for (uint64_t sum : reading.sums)
      words += sum;
    best = std::max(best, double(words * sizeof(uint64_t)) * 1000 / milliseconds);
  }
  bytesPerSecond = best;
  return PI_OK;
}

} // namespace pi
