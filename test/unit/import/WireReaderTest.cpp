//===- WireReaderTest.cpp -===//

#include "compiler/Import/WireReader.h"

#include "test/unit/import/TestModels.h"
#include "gtest/gtest.h"

using namespace pi::onnxfile;
using pi::test::encodeVarint;
using pi::test::Proto;

static WireReader readerOf(const std::string &bytes) {
  return WireReader(reinterpret_cast<const uint8_t *>(bytes.data()), {0, bytes.size()});
}

/// Why reading all fields of `bytes` stops, "" at a clean end.
static std::string errorOf(const std::string &bytes) {
  WireReader reader = readerOf(bytes);
  for (WireField field; reader.next(field);)
    ;
  return reader.getError() ? reader.getError() : "";
}

TEST(WireReader, FieldsOfEveryType) {
  std::string bytes = Proto().varint(1, 300).fixed32(2, 7).text(3, "abc").bytes;
  bytes += std::string("\x21\1\0\0\0\0\0\0\0", 9); // field 4, fixed64
  WireReader reader = readerOf(bytes);
  WireField field;
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.number, 1u);
  EXPECT_EQ(field.value, 300u);
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.type, WireType::Fixed32);
  EXPECT_EQ(field.value, 7u);
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.range.bytes, 3u);
  EXPECT_EQ(textOf(reinterpret_cast<const uint8_t *>(bytes.data()), field.range), "abc");
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.type, WireType::Fixed64);
  EXPECT_EQ(field.value, 1u);
  EXPECT_FALSE(reader.next(field));
  EXPECT_EQ(reader.getError(), nullptr);
}

TEST(WireReader, LargestNumber) {
  std::string bytes = encodeVarint(UINT64_MAX);
  WireReader reader = readerOf(bytes);
  uint64_t value;
  ASSERT_TRUE(reader.nextVarint(value));
  EXPECT_EQ(value, UINT64_MAX);
}

TEST(WireReader, RefusesMalformedBytes) {
  EXPECT_EQ(errorOf("\x08"), "a field is cut off");
  EXPECT_EQ(errorOf("\x0a"), "a field is cut off");
  EXPECT_EQ(errorOf("\x08\x80"), "a number is cut off");
  EXPECT_EQ(errorOf("\x0d\1\2"), "a number is cut off");
  EXPECT_EQ(errorOf(std::string("\x08") + std::string(9, '\xff') + "\x02"),
            "a number has more than 64 bits");
  EXPECT_EQ(errorOf(std::string("\x08") + std::string(12, '\xff')),
            "a number has more than 64 bits");
  EXPECT_EQ(errorOf("\x0a\x05"
                    "abc"),
            "a field is longer than what holds it");
  EXPECT_EQ(errorOf("\x0a" + encodeVarint(UINT64_MAX)), "a field is longer than what holds it");
  EXPECT_EQ(errorOf("\x0b"), "a field has an unknown wire type"); // group
  EXPECT_EQ(errorOf(std::string(1, '\0')), "a field has an invalid number");
  EXPECT_EQ(errorOf(encodeVarint(0x20000000ull << 3)), "a field has an invalid number");
}
