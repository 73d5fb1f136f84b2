//===- ArenaLayout.h - Offsets of buffers from their lifetimes -===//
// Pure functions, no IR.

#ifndef PI_COMPILER_CONVERSION_NEURONTOPLAN_ARENALAYOUT_H
#define PI_COMPILER_CONVERSION_NEURONTOPLAN_ARENALAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace pi {

/// Alignment of buffers in an arena, in bytes: PI_BUFFER_ALIGN of the runtime's ABI.
inline constexpr int64_t kBufferAlign = 64;

/// A buffer that lives from step `first` to step `last`, both included.
struct LiveBuffer {
  int64_t first;
  int64_t last;
  int64_t bytes;
};

struct ArenaLayout {
  /// Byte offset of each buffer, a multiple of kBufferAlign.
  llvm::SmallVector<int64_t> offsets;
  /// End of the last buffer, rounded up to kBufferAlign.
  int64_t totalBytes = 0;
};

/// Packs buffers so that two share bytes only where their lifetimes are disjoint:
/// largest first (ties by index), each at the lowest offset that is free during its
/// life. O(n^2 log n).
ArenaLayout layoutByLifetime(llvm::ArrayRef<LiveBuffer> buffers);

/// One after the other, in order.
ArenaLayout layoutInSequence(llvm::ArrayRef<LiveBuffer> buffers);

/// Indices of two buffers that live at the same time and share bytes, if there are any.
std::optional<std::pair<size_t, size_t>> findOverlap(llvm::ArrayRef<LiveBuffer> buffers,
                                                     const ArenaLayout &layout);

} // namespace pi

#endif // PI_COMPILER_CONVERSION_NEURONTOPLAN_ARENALAYOUT_H
