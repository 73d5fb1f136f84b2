//===- ByteLevel.h - GPT-2's printable form of bytes ------------*- C++ -*-===//
// Each byte as one printable character: itself where it is printable in
// Latin-1, else a character from U+0100 on.
//===----------------------------------------------------------------------===//

#ifndef PI_RUNTIME_TEXT_BYTELEVEL_H
#define PI_RUNTIME_TEXT_BYTELEVEL_H

#include <cstdint>
#include <string>
#include <string_view>

namespace pi::text {

/// Appends `bytes` to `out`, a character per byte, in UTF-8.
void appendBytesAsChars(std::string_view bytes, std::string &out);

/// Appends the bytes that the characters of well-formed `text` stand for. If
/// some character stands for none, the UTF-8 of the whole text is appended.
void appendCharsAsBytes(std::string_view text, std::string &out);

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_BYTELEVEL_H
