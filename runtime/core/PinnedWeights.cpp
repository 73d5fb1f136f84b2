//===- PinnedWeights.cpp - Weights copied into large pages ----------------===//

#include "runtime/core/PinnedWeights.h"

#include "runtime/core/Arena.h"
#include "runtime/core/Format.h"
#include "runtime/core/Status.h"
#include "runtime/cpu/Team.h"

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

namespace pi {

uint64_t availableMemory() {
  uint64_t kib = 0;
  bool found = false;
  if (std::FILE *file = std::fopen("/proc/meminfo", "r")) {
    char line[128];
    while (!found && std::fgets(line, sizeof line, file))
      found = std::sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1;
    std::fclose(file);
  }
  return found ? kib * 1024 : UINT64_MAX;
}

namespace {
/// A piece that all threads copy, each a part.
struct Copy {
  const uint8_t *from;
  uint8_t *to;
  uint64_t bytes;
  uint32_t threads;
};
} // namespace

static void copyPart(void *context, uint32_t thread) {
  constexpr uint64_t pageBytes = 4096; // parts begin at pages, which are touched once
  auto &copy = *static_cast<Copy *>(context);
  auto pages = int64_t((copy.bytes + pageBytes - 1) / pageBytes);
  TileSpan span = tileSpan(pages, thread, copy.threads);
  uint64_t begin = uint64_t(span.begin) * pageBytes;
  uint64_t end = std::min(uint64_t(span.end) * pageBytes, copy.bytes);
  if (begin < end)
    std::memcpy(copy.to + begin, copy.from + begin, end - begin);
}

int32_t PinnedWeights::load(Payload &payload, Team &team, Progress progress, std::string &detail) {
  constexpr uint64_t pieceBytes = uint64_t(64) << 20;
  uint64_t total = payload.weightBytes();
  uint64_t available = availableMemory();
  if (total > available)
    return fail(PI_ERROR_MEMORY, detail,
                "the weights take " + std::to_string(total >> 20) + " MiB, " +
                    std::to_string(available >> 20) +
                    " MiB are available; --load=map reads them where they lie");
  Arena memory;
  if (int32_t status = Arena::allocate(total, memory))
    return fail(status, detail,
                "the weights take " + std::to_string(total >> 20) +
                    " MiB; --load=map reads them where they lie");
  const uint8_t *source = payload.weightBase();
  for (uint64_t done = 0; done < total;) {
    Copy copy{source + done, memory.data() + done, std::min(pieceBytes, total - done), team.size()};
    team.run(copyPart, &copy);
    done += copy.bytes;
    if (!progress(done, total))
      return PI_ERROR_INTERRUPTED;
  }
  arena = std::move(memory);
  payload.setWeightBase(arena.data());
  return PI_OK;
}

} // namespace pi
