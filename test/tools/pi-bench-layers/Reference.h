//===- Reference.h - What the machine can do, by hand -*- C++ -*-===//
// Loops that kernels are compared with. Tiles are kReferenceTileBytes of memory.

#ifndef PI_TEST_TOOLS_PI_BENCH_LAYERS_REFERENCE_H
#define PI_TEST_TOOLS_PI_BENCH_LAYERS_REFERENCE_H

#include "runtime/abi/pi_abi.h"

#include <cstdint>

namespace pi::bench {

inline constexpr int64_t kReferenceTileBytes = 64 * 1024;

/// Reads tiles [begin, end) of args[0]: two vectors of 256 or 512 bits at a time.
pi_kernel_fn readLoop(int64_t vectorBits);

/// Reads args[0], one tile, again for each of tiles [begin, end): f16 to f32, times 1024 f32 of
/// args[1], added up. The tile stays in the cache: a rate of arithmetic, not of memory.
pi_kernel_fn convertLoop(int64_t vectorBits);

/// Reads rows that lie apart, without arithmetic: args are the weights, int32 row numbers,
/// RowsRead. Tiles share the rows out in fours, which are read side by side.
pi_kernel_fn readRowsLoop();
struct RowsRead {
  int64_t rows;     ///< of the list
  int64_t rowBytes; ///< what is beyond a multiple of 64 is not read
  int64_t tiles;
};

} // namespace pi::bench

#endif // PI_TEST_TOOLS_PI_BENCH_LAYERS_REFERENCE_H
