//===- FloatConvertTest.cpp - Conversions against the compiler's own -===//

#include "codegen/Link/FloatConvert.h"

#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

using namespace pi;

template <typename To, typename From>
static std::vector<To> convert(const std::vector<From> &from, pi_dtype fromType, pi_dtype toType) {
  std::vector<To> to(from.size());
  convertFloats(reinterpret_cast<const uint8_t *>(from.data()), fromType,
                reinterpret_cast<uint8_t *>(to.data()), toType, from.size());
  return to;
}

static std::vector<uint16_t> allShorts() {
  std::vector<uint16_t> all(65536);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = i;
  return all;
}

/// Every interesting neighbourhood of f16 and bf16, and random bits.
static std::vector<uint32_t> someFloats() {
  std::vector<uint32_t> bits;
  for (uint32_t high = 0; high < 65536; ++high)
    for (uint32_t low : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu})
      bits.push_back(high << 16 | low);
  for (uint32_t half = 0; half < 0x7c00; ++half) { // ties between halves, and beside them
    double low = double(std::bit_cast<_Float16>(uint16_t(half)));
    double high = half == 0x7bff ? 65536.0 : double(std::bit_cast<_Float16>(uint16_t(half + 1)));
    uint32_t tie = std::bit_cast<uint32_t>(float((low + high) / 2));
    bits.insert(bits.end(), {tie - 1, tie, tie + 1});
  }
  std::mt19937 random(7);
  for (int i = 0; i < 1000000; ++i)
    bits.push_back(random());
  return bits;
}

TEST(FloatConvert, WidensEveryHalf) {
  std::vector<uint16_t> halves = allShorts();
  std::vector<float> floats = convert<float>(halves, PI_F16, PI_F32);
  for (size_t i = 0; i < halves.size(); ++i) {
    float expected = float(std::bit_cast<_Float16>(halves[i]));
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(floats[i])) << i;
    else
      EXPECT_EQ(std::bit_cast<uint32_t>(floats[i]), std::bit_cast<uint32_t>(expected)) << i;
  }
}

TEST(FloatConvert, WidensEveryBrainFloat) {
  std::vector<uint16_t> brains = allShorts();
  std::vector<uint32_t> floats = convert<uint32_t>(brains, PI_BF16, PI_F32);
  for (size_t i = 0; i < brains.size(); ++i)
    EXPECT_EQ(floats[i], uint32_t(i) << 16);
}

TEST(FloatConvert, NarrowsToHalfAsTheCompilerDoes) {
  std::vector<uint32_t> bits = someFloats();
  std::vector<uint16_t> halves = convert<uint16_t>(bits, PI_F32, PI_F16);
  for (size_t i = 0; i < bits.size(); ++i) {
    float value = std::bit_cast<float>(bits[i]);
    if (std::isnan(value))
      ASSERT_TRUE(std::isnan(float(std::bit_cast<_Float16>(halves[i])))) << std::hex << bits[i];
    else
      ASSERT_EQ(halves[i], std::bit_cast<uint16_t>(_Float16(value))) << std::hex << bits[i];
  }
}

TEST(FloatConvert, NarrowsToTheNearestEvenBrainFloat) {
  std::vector<uint32_t> bits = someFloats();
  std::vector<uint16_t> brains = convert<uint16_t>(bits, PI_F32, PI_BF16);
  for (size_t i = 0; i < bits.size(); ++i) {
    float value = std::bit_cast<float>(bits[i]);
    float result = std::bit_cast<float>(uint32_t(brains[i]) << 16);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(result)) << std::hex << bits[i];
      continue;
    }
    uint32_t below = bits[i] & 0xffff0000, rest = bits[i] & 0xffff;
    bool up = rest > 0x8000 || (rest == 0x8000 && (below & 0x10000) != 0);
    ASSERT_EQ(uint32_t(brains[i]) << 16, below + (up ? 0x10000 : 0)) << std::hex << bits[i];
  }
}

TEST(FloatConvert, HalfToBrainGoesThroughFloat) {
  std::vector<uint16_t> halves = allShorts();
  std::vector<float> floats = convert<float>(halves, PI_F16, PI_F32);
  EXPECT_EQ(convert<uint16_t>(halves, PI_F16, PI_BF16), convert<uint16_t>(floats, PI_F32, PI_BF16));
  std::vector<float> wide = convert<float>(halves, PI_BF16, PI_F32);
  EXPECT_EQ(convert<uint16_t>(halves, PI_BF16, PI_F16), convert<uint16_t>(wide, PI_F32, PI_F16));
}
