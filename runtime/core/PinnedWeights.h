//===- PinnedWeights.h - Weights copied into large pages ------------------===//
// A file is mapped in small pages; reading through them costs a part of the memory's
// bandwidth. --load=pin copies the weights at start instead.

#ifndef PI_RUNTIME_CORE_PINNEDWEIGHTS_H
#define PI_RUNTIME_CORE_PINNEDWEIGHTS_H

#include "runtime/core/Arena.h"
#include "runtime/core/Format.h"
#include "runtime/cpu/Team.h"

#include <cstdint>
#include <string>

namespace pi {

class PinnedWeights {
public:
  /// Called on the calling thread with the bytes copied and their total; false ends it.
  using Progress = bool (*)(uint64_t done, uint64_t total);

  /// Copies all weights of `payload` into memory of 2 MiB pages, where the system gives
  /// them, and lets `payload` refer to the copy, which must outlive its use. Each page is
  /// first touched by a thread of the team. Errors: PI_ERROR_MEMORY where the system has
  /// not as much available, PI_ERROR_INTERRUPTED; `payload` is as it was then.
  int32_t load(Payload &payload, Team &team, Progress progress, std::string &detail);

private:
  Arena arena;
};

/// Bytes that the system can give without swapping (MemAvailable of /proc/meminfo);
/// UINT64_MAX where it does not say.
uint64_t availableMemory();

} // namespace pi

#endif // PI_RUNTIME_CORE_PINNEDWEIGHTS_H
