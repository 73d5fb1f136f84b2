//===- SmallTokenizers.h - Tokenizer files made by the tests ----*- C++ -*-===//
// Builds small tokenizer.json texts, so that most tests need no files.
//===----------------------------------------------------------------------===//

#ifndef PI_TEST_UNIT_TEXT_SMALLTOKENIZERS_H
#define PI_TEST_UNIT_TEXT_SMALLTOKENIZERS_H

#include "runtime/text/Tokenizer.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pi::text::test {

/// The parts of a tokenizer.json; each string is JSON.
struct Spec {
  std::vector<std::string> vocab; ///< ids count from 0; plain text, not JSON
  std::vector<std::pair<std::string, std::string>> merges; ///< plain text
  std::map<std::string, std::string> model;                ///< further members of `model`
  std::string addedTokens = "[]";
  std::string normalizer = "null";
  std::string preTokenizer = "null";
  std::string postProcessor = "null";
  std::string decoder = "null";

  /// The text of the file.
  std::string json() const;
};

/// One entry of `added_tokens`; `flags` are further members, e.g.
/// `"lstrip": true`. Special and not normalised unless `flags` say otherwise.
std::string addedToken(int id, std::string_view content, std::string_view flags = "");

/// The tokens `<0x00>` .. `<0xFF>`.
std::vector<std::string> byteTokens();

/// `<unk> <s> </s>`, 256 byte tokens (ids 3..258), `▁` (259), a..z (260..285)
/// and the merges of "▁he", "▁hello": byte fallback, Metaspace "first".
Spec llamaSpec();

/// The 256 byte characters of GPT-2, id = byte; no merges.
Spec byteLevelSpec();

/// Parses and expects success.
std::unique_ptr<Tokenizer> parse(const Spec &spec);

/// The message of a file that must be refused.
std::string parseError(std::string_view json);

using Ids = std::vector<int32_t>;

/// `tokenizer.decode` of a vector.
std::string decode(const Tokenizer &tokenizer, const Ids &ids, bool skipSpecial = false);

} // namespace pi::text::test

#endif // PI_TEST_UNIT_TEXT_SMALLTOKENIZERS_H
