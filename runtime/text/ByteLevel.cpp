//===- ByteLevel.cpp - GPT-2's printable form of bytes --------------------===//

#include "runtime/text/ByteLevel.h"

#include "runtime/text/Unicode.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pi::text {

namespace {
// The bijection of bytes_to_unicode() in GPT-2's encoder.py.
struct ByteChars {
  uint16_t charOfByte[256] = {};
  int16_t byteOfChar[0x144] = {}; // -1: stands for no byte

  constexpr ByteChars() {
    for (int16_t &byte : byteOfChar)
      byte = -1;
    uint16_t next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
      bool printable =
          (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
      charOfByte[byte] = printable ? static_cast<uint16_t>(byte) : next++;
      byteOfChar[charOfByte[byte]] = static_cast<int16_t>(byte);
    }
  }
};
} // namespace

static constexpr ByteChars kByteChars;

void appendBytesAsChars(std::string_view bytes, std::string &out) {
  for (char byte : bytes)
    appendUtf8(kByteChars.charOfByte[static_cast<uint8_t>(byte)], out);
}

void appendCharsAsBytes(std::string_view text, std::string &out) {
  size_t before = out.size();
  for (size_t offset = 0; offset < text.size();) {
    Utf8Char character = charAt(text, offset);
    offset += character.lengthBytes;
    int byte = character.code < 0x144 ? kByteChars.byteOfChar[character.code] : -1;
    if (byte < 0) {
      out.resize(before);
      out.append(text);
      return;
    }
    out.push_back(static_cast<char>(byte));
  }
}

} // namespace pi::text
