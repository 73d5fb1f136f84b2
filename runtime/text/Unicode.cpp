//===- Unicode.cpp - UTF-8 scanning and character classes -----------------===//
// UTF-8 per Unicode 16.0, table 3-7; replacement of maximal subparts per its
// section 3.9. Classes by binary search in UnicodeTables.inc.
//===----------------------------------------------------------------------===//

#include "runtime/text/Unicode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace pi::text {

// First code point of each range << 3 | CharClass, ascending.
static constexpr uint32_t kRanges[] = {
#include "runtime/text/UnicodeTables.inc"
};

static CharClass lookUp(uint32_t code) {
  if (code > 0x10FFFF)
    return CharClass::Other;
  // The last range that starts at or before `code`.
  const uint32_t *next = std::upper_bound(std::begin(kRanges), std::end(kRanges), code << 3 | 7);
  return static_cast<CharClass>(next[-1] & 7);
}

CharClass charClassOf(uint32_t code) {
  if (code >= 0x80)
    return lookUp(code);
  if ((code | 0x20) - 'a' < 26)
    return CharClass::Letter;
  if (code - '0' < 10)
    return CharClass::Digit;
  if (code == ' ' || code - '\t' < 5)
    return CharClass::Space;
  return lookUp(code);
}

bool isNumber(uint32_t code) {
  CharClass kind = charClassOf(code);
  return kind == CharClass::Digit || kind == CharClass::Number;
}

bool isWordChar(uint32_t code) {
  switch (charClassOf(code)) {
  case CharClass::Letter:
  case CharClass::Digit:
  case CharClass::Mark:
  case CharClass::Connector:
    return true;
  default:
    return false;
  }
}

bool isPunctuation(uint32_t code) {
  if (code < 0x80)
    return (code - '!' < 15) || (code - ':' < 7) || (code - '[' < 6) || (code - '{' < 4);
  CharClass kind = charClassOf(code);
  return kind == CharClass::Connector || kind == CharClass::Punctuation;
}

Utf8Step utf8Step(std::string_view bytes) {
  auto byteAt = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  uint32_t lead = byteAt(0);
  if (lead < 0x80)
    return {lead, 1, Utf8Step::Valid};
  uint32_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0)
    return {0xFFFD, 1, Utf8Step::Invalid};
  // The second byte has a narrower range after E0, ED, F0 and F4.
  uint32_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  uint32_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  uint32_t code = lead & (0x7Fu >> length);
  for (uint32_t i = 1; i < length; ++i) {
    if (i == bytes.size())
      return {0xFFFD, i, Utf8Step::Incomplete};
    uint32_t next = byteAt(i);
    if (next < low || next > high)
      return {0xFFFD, i, Utf8Step::Invalid};
    code = code << 6 | (next & 0x3F);
    low = 0x80;
    high = 0xBF;
  }
  return {code, length, Utf8Step::Valid};
}

std::string_view firstCharacters(std::string_view utf8, int64_t count) {
  size_t end = 0;
  for (int64_t i = 0; i < count && end < utf8.size(); ++i)
    end += utf8Step(utf8.substr(end)).lengthBytes;
  return utf8.substr(0, end);
}

Utf8Char charAt(std::string_view text, size_t offset) {
  Utf8Step step = utf8Step(text.substr(offset));
  return {step.code, step.lengthBytes};
}

Utf8Char charBefore(std::string_view text, size_t end) {
  size_t start = end - 1;
  while (start > 0 && end - start < 4 && (static_cast<uint8_t>(text[start]) & 0xC0) == 0x80)
    --start;
  return charAt(text.substr(0, end), start);
}

void appendUtf8(uint32_t code, std::string &out) {
  auto put = [&](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
    return;
  }
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

size_t appendRepaired(std::string_view bytes, bool atEnd, std::string &out) {
  size_t offset = 0;
  size_t copied = 0; // bytes before this offset are in `out`
  while (offset < bytes.size()) {
    Utf8Step step = utf8Step(bytes.substr(offset));
    if (step.kind != Utf8Step::Valid) {
      out.append(bytes.substr(copied, offset - copied));
      if (step.kind == Utf8Step::Incomplete && !atEnd)
        return offset;
      out.append(kReplacementChar);
      copied = offset + step.lengthBytes;
    }
    offset += step.lengthBytes;
  }
  out.append(bytes.substr(copied));
  return offset;
}

bool isValidUtf8(std::string_view bytes) {
  size_t offset = 0;
  while (offset < bytes.size()) {
    Utf8Step step = utf8Step(bytes.substr(offset));
    if (step.kind != Utf8Step::Valid)
      return false;
    offset += step.lengthBytes;
  }
  return true;
}

} // namespace pi::text
