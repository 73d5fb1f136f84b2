//===- ReadBandwidth.h - How fast memory can be read ----------------------===//

#ifndef PI_RUNTIME_MAIN_READBANDWIDTH_H
#define PI_RUNTIME_MAIN_READBANDWIDTH_H

#include "runtime/cpu/Team.h"

#include <cstdint>

namespace pi {

/// Bytes to read so that caches do not help: twice the last cache, at least 256 MiB, at
/// most a quarter of the memory that is free, at least 16 MiB.
uint64_t bandwidthBufferBytes();

/// Bytes per second that `team` reads from a buffer of `bytes` in large pages (where the
/// system gives them), each thread its own part: the best of several passes that add it
/// up. Errors: PI_ERROR_MEMORY, PI_ERROR_INTERRUPTED.
int32_t measureReadBandwidth(Team &team, uint64_t bytes, double &bytesPerSecond);

} // namespace pi

#endif // PI_RUNTIME_MAIN_READBANDWIDTH_H
