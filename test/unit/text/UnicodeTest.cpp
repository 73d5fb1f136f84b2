//===- UnicodeTest.cpp - UTF-8, character classes, byte characters --------===//

#include "runtime/text/Unicode.h"

#include "runtime/text/ByteLevel.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pi::text {
namespace {

std::string repaired(std::string_view bytes) {
  std::string out;
  EXPECT_EQ(appendRepaired(bytes, true, out), bytes.size());
  EXPECT_TRUE(isValidUtf8(out));
  return out;
}

TEST(Utf8, RoundTripsEveryCodePoint) {
  for (uint32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code == 0xD800)
      code = 0xE000;
    std::string bytes;
    appendUtf8(code, bytes);
    Utf8Step step = utf8Step(bytes);
    ASSERT_EQ(step.kind, Utf8Step::Valid) << code;
    ASSERT_EQ(step.code, code);
    ASSERT_EQ(step.lengthBytes, bytes.size());
    ASSERT_EQ(charBefore("x" + bytes, 1 + bytes.size()).code, code);
  }
}

// Unicode 16.0, section 3.9, tables 3-8 to 3-11.
TEST(Utf8, ReplacesMaximalSubparts) {
  EXPECT_EQ(repaired("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), "��������A");
  EXPECT_EQ(repaired("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), "��������A");
  EXPECT_EQ(repaired("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"), "�����A��B");
  EXPECT_EQ(repaired("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), "����A");
  EXPECT_EQ(repaired("caf\xC3"), "caf�");
  EXPECT_EQ(repaired(""), "");
}

TEST(Utf8, KeepsAnUnfinishedSequenceForLater) {
  std::string out;
  EXPECT_EQ(appendRepaired("a\xF0\x9F\x98", false, out), 1u);
  EXPECT_EQ(out, "a");
}

TEST(CharClass, KnownCharacters) {
  EXPECT_EQ(charClassOf('a'), CharClass::Letter);
  EXPECT_EQ(charClassOf('Z'), CharClass::Letter);
  EXPECT_EQ(charClassOf('['), CharClass::Punctuation);
  EXPECT_EQ(charClassOf('`'), CharClass::Other);
  EXPECT_EQ(charClassOf('5'), CharClass::Digit);
  EXPECT_EQ(charClassOf('_'), CharClass::Connector);
  EXPECT_EQ(charClassOf(0x1F), CharClass::Other);
  EXPECT_EQ(charClassOf(0x85), CharClass::Space);
  EXPECT_EQ(charClassOf(0x3000), CharClass::Space);
  EXPECT_EQ(charClassOf(0x200B), CharClass::Other);
  EXPECT_EQ(charClassOf(0xBD), CharClass::Number);   // one half
  EXPECT_EQ(charClassOf(0x2167), CharClass::Digit);  // roman eight
  EXPECT_EQ(charClassOf(0x301), CharClass::Mark);    // combining acute
  EXPECT_EQ(charClassOf(0x4E00), CharClass::Letter); // first ideograph
  EXPECT_EQ(charClassOf(0x1F600), CharClass::Other); // emoji
  EXPECT_EQ(charClassOf(0x1C89), CharClass::Letter); // new in Unicode 16.0
  EXPECT_EQ(charClassOf(0x10FFFF), CharClass::Other);
  EXPECT_EQ(charClassOf(0xFFFFFFFF), CharClass::Other);
}

TEST(CharClass, WordAndPunctuation) {
  for (uint32_t code : {uint32_t('a'), uint32_t('7'), uint32_t('_'), 0x301u, 0x24B6u, 0x200Du})
    EXPECT_TRUE(isWordChar(code)) << code;
  for (uint32_t code : {uint32_t('-'), uint32_t(' '), 0xBDu, 0x1F600u})
    EXPECT_FALSE(isWordChar(code)) << code;
  size_t asciiPunctuation = 0;
  for (uint32_t code = 0; code < 0x80; ++code)
    asciiPunctuation += isPunctuation(code);
  EXPECT_EQ(asciiPunctuation, 32u);
  EXPECT_TRUE(isPunctuation(0x2019));
  EXPECT_FALSE(isPunctuation(0x20AC)); // euro sign: a symbol
}

TEST(ByteLevel, EveryByteHasItsOwnPrintableCharacter) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte)
    bytes.push_back(static_cast<char>(byte));
  std::string chars;
  appendBytesAsChars(bytes, chars);
  EXPECT_TRUE(isValidUtf8(chars));
  for (size_t offset = 0; offset < chars.size();) {
    Utf8Char character = charAt(chars, offset);
    EXPECT_GT(character.code, 0x20u);
    offset += character.lengthBytes;
  }
  std::string back;
  appendCharsAsBytes(chars, back);
  EXPECT_EQ(back, bytes);
  std::string space;
  appendBytesAsChars(" \n", space);
  EXPECT_EQ(space, "ĠĊ");
}

TEST(ByteLevel, ForeignCharacterKeepsTheWholeText) {
  std::string out = "x";
  appendCharsAsBytes("Ġ\u4f60", out);
  EXPECT_EQ(out, "xĠ\u4f60");
}

} // namespace
} // namespace pi::text
