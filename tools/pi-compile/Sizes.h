//===- Sizes.h - Sizes as people write them -===//

#ifndef PI_TOOLS_PI_COMPILE_SIZES_H
#define PI_TOOLS_PI_COMPILE_SIZES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace pi {

/// The bytes that `text` says: digits, maybe with a fraction, and a unit: none or B, KiB,
/// MiB, GiB, TiB (K, M, G, T for short), KB, MB, GB, TB; case does not matter. Rounded down.
/// Nothing where it is no such text, or 2^62 bytes or more.
std::optional<int64_t> parseSize(llvm::StringRef text);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_SIZES_H
