//===- ConvertRate.h - How fast f16 becomes f32 -===//

#ifndef PI_TOOLS_PI_COMPILE_CONVERTRATE_H
#define PI_TOOLS_PI_COMPILE_CONVERTRATE_H

#include "runtime/cpu/Team.h"

namespace pi {

/// Whether this CPU has AVX and F16C, which measureConvertRate needs.
bool canConvertF16();

/// Bytes of f16 per second that `team` converts to f32 and adds up, each thread from 16 KiB
/// in its first cache: the best of several passes. What memory cannot exceed where weights
/// are f16.
double measureConvertRate(Team &team);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_CONVERTRATE_H
