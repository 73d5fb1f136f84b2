//===- FloatConvert.cpp - f16, bf16 and f32 in bulk -===//
// Integer arithmetic throughout: the same bits whatever the CPU's features, and loops
// that vectorise for the baseline CPU.

#include "codegen/Link/FloatConvert.h"

#include <bit>
#include <cstring>

using namespace pi;

static float widenHalf(uint16_t half) {
  // The exponent field moves from bias 15 to 127 by an exact product with 2^112, which
  // also normalises subnormals.
  uint32_t magnitude = uint32_t(half & 0x7fff) << 13;
  uint32_t bits = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
  if ((half & 0x7c00) == 0x7c00) // infinity and NaN
    bits = magnitude | 0x7f800000u;
  return std::bit_cast<float>(bits | uint32_t(half & 0x8000) << 16);
}

static uint16_t narrowToHalf(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint16_t sign = (bits >> 16) & 0x8000;
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return sign | 0x7e00 | ((magnitude >> 13) & 0x3ff);
  if (magnitude >= 0x477ff000) // 65520: rounds to infinity
    return sign | 0x7c00;
  if (magnitude < 0x38800000) { // below 2^-14: an addition rounds to a multiple of 2^-24
    float rounded = std::bit_cast<float>(magnitude) + 0.5f;
    return sign | uint16_t(std::bit_cast<uint32_t>(rounded) - 0x3f000000u);
  }
  uint32_t rounded = magnitude + 0xfff + ((magnitude >> 13) & 1);
  return sign | uint16_t((rounded - 0x38000000u) >> 13);
}

static float widenBrain(uint16_t brain) { return std::bit_cast<float>(uint32_t(brain) << 16); }

static uint16_t narrowToBrain(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return (bits >> 16) | 0x40; // quiet, so that it stays a NaN
  return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}

static float loadFloat(const uint8_t *from) {
  float value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

static uint16_t loadShort(const uint8_t *from) {
  uint16_t value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

template <pi_dtype type> static float load(const uint8_t *from, uint64_t i) {
  if constexpr (type == PI_F32)
    return loadFloat(from + 4 * i);
  else if constexpr (type == PI_F16)
    return widenHalf(loadShort(from + 2 * i));
  else
    return widenBrain(loadShort(from + 2 * i));
}

template <pi_dtype type> static void store(uint8_t *to, uint64_t i, float value) {
  if constexpr (type == PI_F32) {
    std::memcpy(to + 4 * i, &value, 4);
  } else {
    uint16_t narrow = type == PI_F16 ? narrowToHalf(value) : narrowToBrain(value);
    std::memcpy(to + 2 * i, &narrow, 2);
  }
}

template <pi_dtype fromType, pi_dtype toType>
static void convertLoop(const uint8_t *from, uint8_t *to, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i)
    store<toType>(to, i, load<fromType>(from, i));
}

template <pi_dtype fromType>
static void convertFrom(const uint8_t *from, uint8_t *to, pi_dtype toType, uint64_t count) {
  switch (toType) {
  case PI_F32:
    return convertLoop<fromType, PI_F32>(from, to, count);
  case PI_F16:
    return convertLoop<fromType, PI_F16>(from, to, count);
  case PI_BF16:
    return convertLoop<fromType, PI_BF16>(from, to, count);
  }
}

void pi::convertFloats(const uint8_t *from, pi_dtype fromType, uint8_t *to, pi_dtype toType,
                       uint64_t count) {
  if (fromType == toType) {
    std::memcpy(to, from, count * getElementBytes(toType));
    return;
  }
  switch (fromType) {
  case PI_F32:
    return convertFrom<PI_F32>(from, to, toType, count);
  case PI_F16:
    return convertFrom<PI_F16>(from, to, toType, count);
  case PI_BF16:
    return convertFrom<PI_BF16>(from, to, toType, count);
  }
}
