//===- SizesTest.cpp - Sizes as people write them -------------------------===//

#include "tools/pi-compile/Sizes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

using pi::parseSize;

namespace {

constexpr int64_t kKiB = 1024, kMiB = kKiB * 1024, kGiB = kMiB * 1024, kTiB = kGiB * 1024;

/// The bytes of `text`, -1 where it is no size.
int64_t bytesOf(const std::string &text) { return parseSize(text).value_or(-1); }

TEST(ParseSize, Units) {
  const struct {
    const char *unit;
    int64_t bytes;
  } units[] = {
      {"", 1},       {"B", 1},        {"K", kKiB},        {"KiB", kKiB},        {"M", kMiB},
      {"MiB", kMiB}, {"G", kGiB},     {"GiB", kGiB},      {"T", kTiB},          {"TiB", kTiB},
      {"KB", 1000},  {"MB", 1000000}, {"GB", 1000000000}, {"TB", 1000000000000}};
  for (auto [unit, bytes] : units) {
    EXPECT_EQ(bytesOf(std::string("3") + unit), 3 * bytes) << unit;
    EXPECT_EQ(bytesOf(std::string("0") + unit), 0) << unit;
  }
  EXPECT_EQ(bytesOf("12mib"), 12 * kMiB);
  EXPECT_EQ(bytesOf("12MIB"), 12 * kMiB);
  EXPECT_EQ(bytesOf("007k"), 7 * kKiB);
}

TEST(ParseSize, FractionsAreRoundedDown) {
  EXPECT_EQ(bytesOf("1.5KiB"), 1536);
  EXPECT_EQ(bytesOf("0.5GiB"), kGiB / 2);
  EXPECT_EQ(bytesOf("2.25kb"), 2250);
  EXPECT_EQ(bytesOf("2.9"), 2);
  EXPECT_EQ(bytesOf("0.9B"), 0);
  EXPECT_EQ(bytesOf("0.1KiB"), 102);
}

TEST(ParseSize, EndsBelowTwoToThe62) {
  EXPECT_EQ(bytesOf("4194303TiB"), 4194303 * kTiB);
  EXPECT_EQ(bytesOf("4194304TiB"), -1);
  EXPECT_EQ(bytesOf("4611686018427387904"), -1);
  EXPECT_EQ(bytesOf("9223372036854775808"), -1);
  EXPECT_EQ(bytesOf("1" + std::string(400, '0')), -1);
}

TEST(ParseSize, RefusesWhatIsNoSize) {
  for (const char *text : {"",       ".",   "1.",   ".5",  "1.KiB", "1.2.3", "1..2", "1e3",
                           "12 MiB", " 12", "12 ",  "KiB", "-1",    "-1KiB", "+1",   "1KiBB",
                           "1PiB",   "1Ki", "0x10", "1,5", "nan",   "inf",   "1\n"})
    EXPECT_EQ(parseSize(text), std::nullopt) << '"' << text << '"';
}

} // namespace
