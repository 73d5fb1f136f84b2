//===- AddedTokens.h - Tokens found in text before splitting ----*- C++ -*-===//
// Special and added tokens: their ids, and the search for them in a text.
//===----------------------------------------------------------------------===//

#ifndef PI_RUNTIME_TEXT_ADDEDTOKENS_H
#define PI_RUNTIME_TEXT_ADDEDTOKENS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pi::text {

/// One entry of `added_tokens`.
struct AddedToken {
  std::string content;  ///< as the file spells it
  std::string spelling; ///< searched for and decoded: `content`, normalised if
                        ///< the token is
  int32_t id = -1;
  bool special = false;    ///< left out of decoded text on request
  bool normalized = false; ///< searched for in the normalised text
  bool singleWord = false; ///< not matched next to a word character
  bool lstrip = false;     ///< takes the white space before it
  bool rstrip = false;     ///< takes the white space after it
};

/// A set of strings that finds, at a place in a text, the longest that matches.
class PatternSet {
public:
  /// One pattern and what it stands for.
  struct Pattern {
    std::string content; ///< not empty
    size_t tokenIndex;   ///< into AddedTokens
  };

  /// Replaces the set. O(n log n).
  void assign(std::vector<Pattern> newPatterns);

  /// The longest pattern at byte `offset` of `text`, null if none.
  const Pattern *matchAt(std::string_view text, size_t offset) const;

  bool empty() const { return patterns.empty(); }

private:
  std::vector<Pattern> patterns;     // sorted by content, unique
  uint32_t firstByteRange[257] = {}; // [b, b + 1): patterns that start with b
};

/// All added tokens of a tokenizer.
class AddedTokens {
public:
  /// A part of a text: an added token, or text between two of them.
  struct Part {
    size_t beginBytes; ///< offset into the text
    size_t endBytes;   ///< excludes this offset
    int32_t id;        ///< -1: text
  };

  /// Takes the tokens: contents unique, not empty, each with its id.
  void assign(std::vector<AddedToken> newTokens);

  /// Splits `text` at tokens with `normalized` equal to the argument. Leftmost,
  /// then longest match. Parts are never empty.
  void split(std::string_view text, bool normalized, std::vector<Part> &parts) const;

  /// The token with this id, null if none. O(log n).
  const AddedToken *findById(int32_t id) const;

  /// The token with this content, null if none. O(log n).
  const AddedToken *findByContent(std::string_view content) const;

  /// Largest id + 1; 0 if there is none.
  int32_t idLimit() const;

private:
  std::vector<AddedToken> tokens;
  std::vector<uint32_t> byId;      // indices of tokens, by ascending id
  std::vector<uint32_t> byContent; // indices of tokens, by content
  PatternSet sets[2];              // [normalized]
};

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_ADDEDTOKENS_H
