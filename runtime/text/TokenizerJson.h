//===- TokenizerJson.h - Reading the bytes of a tokenizer.json --*- C++ -*-===//
// One pass over the JSON text: the vocabulary and the merges go into flat
// tables, everything else (small) into a document tree. No meaning yet.
//===----------------------------------------------------------------------===//

#ifndef PI_RUNTIME_TEXT_TOKENIZERJSON_H
#define PI_RUNTIME_TEXT_TOKENIZERJSON_H

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pi::text {

/// What a tokenizer.json says, before its meaning is checked.
struct TokenizerJson {
  /// A string in `textBlock`.
  struct Text {
    uint32_t offset;
    uint32_t lengthBytes;
  };
  struct VocabEntry {
    Text token;
    uint64_t id;
  };
  struct MergeEntry {
    Text left;
    Text right;
  };

  /// The document without model.vocab and model.merges.
  nlohmann::json document;
  std::vector<VocabEntry> vocab;
  std::vector<MergeEntry> merges;
  std::string textBlock;
  /// The first thing wrong in the two tables, `path: message`; empty if none.
  std::string tableError;
  bool hasVocab = false;
  bool hasMerges = false;

  std::string_view view(Text text) const {
    return {textBlock.data() + text.offset, text.lengthBytes};
  }
};

/// Reads `bytes` into `out`. On failure returns false and sets `error` to
/// `path: message` without the file's name. Never recurses; memory stays in
/// proportion to `bytes`.
bool readTokenizerJson(std::string_view bytes, TokenizerJson &out, std::string &error);

/// `text` in single quotes for a one-line message: shortened, and with what is
/// not printable ASCII left as UTF-8 or shown as `?`.
std::string quote(std::string_view text);

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_TOKENIZERJSON_H
