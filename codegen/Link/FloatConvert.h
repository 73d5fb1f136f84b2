//===- FloatConvert.h - f16, bf16 and f32 in bulk -===//

#ifndef PI_CODEGEN_LINK_FLOATCONVERT_H
#define PI_CODEGEN_LINK_FLOATCONVERT_H

#include "runtime/abi/pi_format.h"

#include <cstdint>

namespace pi {

/// Bytes of one number.
constexpr uint64_t getElementBytes(pi_dtype type) { return type == PI_F32 ? 4 : 2; }

/// Converts `count` numbers. Widening is exact; narrowing rounds to nearest even and
/// keeps NaN a NaN. The buffers must not overlap.
void convertFloats(const uint8_t *from, pi_dtype fromType, uint8_t *to, pi_dtype toType,
                   uint64_t count);

} // namespace pi

#endif // PI_CODEGEN_LINK_FLOATCONVERT_H
