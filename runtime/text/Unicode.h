//===- Unicode.h - UTF-8 scanning and character classes ---------*- C++ -*-===//
// What the tokenizer needs of Unicode: reading and repairing UTF-8, and the
// classes its splitting rules name (letter, number, white space, ...).
// No normalisation forms and no case folding.
//===----------------------------------------------------------------------===//

#ifndef PI_RUNTIME_TEXT_UNICODE_H
#define PI_RUNTIME_TEXT_UNICODE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pi::text {

/// Class of a code point. The values are those of UnicodeTables.inc.
enum class CharClass : uint8_t {
  Other = 0,
  Letter = 1,      ///< \p{L}
  Digit = 2,       ///< \p{Nd}, \p{Nl}
  Number = 3,      ///< \p{No}
  Space = 4,       ///< \s: property White_Space
  Mark = 5,        ///< \p{M}, joiners, enclosed letters: \w but not a letter
  Connector = 6,   ///< \p{Pc}
  Punctuation = 7, ///< the rest of \p{P}
};

/// Class of `code`; Other for what is no code point. O(log ranges), O(1) for
/// ASCII.
CharClass charClassOf(uint32_t code);

/// True for \p{N}: decimal digits, letter numbers and other numbers.
bool isNumber(uint32_t code);

/// True for the \w of regular expressions with Unicode classes.
bool isWordChar(uint32_t code);

/// True for ASCII punctuation (with the symbols `$+<=>^`|~`) and \p{P}.
bool isPunctuation(uint32_t code);

/// One step over UTF-8 bytes.
struct Utf8Step {
  enum Kind : uint8_t {
    Valid,      ///< `code` is the code point
    Invalid,    ///< a maximal ill-formed part: one U+FFFD stands for it
    Incomplete, ///< the bytes end within a sequence that is well-formed so far
  };
  uint32_t code;
  uint32_t lengthBytes; ///< bytes consumed, at least 1
  Kind kind;
};

/// Reads the sequence at the start of `bytes`, which must not be empty.
Utf8Step utf8Step(std::string_view bytes);

/// The first `count` code points of `utf8` (all where there are fewer); an ill-formed part
/// counts as one.
std::string_view firstCharacters(std::string_view utf8, int64_t count);

/// Code point and length in bytes of one character.
struct Utf8Char {
  uint32_t code;
  uint32_t lengthBytes;
};

/// The character at byte `offset` of well-formed UTF-8. Out of range bytes are
/// never read, even where `text` is ill-formed.
Utf8Char charAt(std::string_view text, size_t offset);

/// The character that ends just before byte `end` (> 0) of well-formed UTF-8.
Utf8Char charBefore(std::string_view text, size_t end);

/// Appends the UTF-8 form of `code` to `out`.
void appendUtf8(uint32_t code, std::string &out);

/// Appends `bytes` to `out` with each maximal ill-formed part replaced by
/// U+FFFD (what Python's errors="replace" and Rust's from_utf8_lossy do).
/// Unless `atEnd`, a sequence cut off by the end of `bytes` is left out.
/// Returns the number of bytes consumed.
size_t appendRepaired(std::string_view bytes, bool atEnd, std::string &out);

/// True if `bytes` is well-formed UTF-8.
bool isValidUtf8(std::string_view bytes);

/// U+FFFD in UTF-8.
inline constexpr std::string_view kReplacementChar = "\xEF\xBF\xBD";

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_UNICODE_H
