//===- Tokenizer.h - Text to token ids and back -----------------*- C++ -*-===//
// A tokenizer read from a Hugging Face tokenizer.json (byte-pair encoding).
// Ids and text are those of the `tokenizers` library. For text that arrives
// token by token see StreamDecoder.h.
//===----------------------------------------------------------------------===//

#ifndef PI_RUNTIME_TEXT_TOKENIZER_H
#define PI_RUNTIME_TEXT_TOKENIZER_H

#include "runtime/text/AddedTokens.h"
#include "runtime/text/BpeModel.h"
#include "runtime/text/Decoder.h"
#include "runtime/text/Normalizer.h"
#include "runtime/text/PreTokenizer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pi::text {

/// The parts a tokenizer.json is made of. Filled by `parseTokenizer`.
struct TokenizerParts {
  BpeModel model;
  AddedTokens addedTokens;
  Normalizer normalizer;
  PreTokenizer preTokenizer;
  Decoder decoder;
  std::vector<int32_t> prefixIds; ///< put before a text, such as bos
  std::vector<int32_t> suffixIds; ///< put after a text
};

/// Immutable and safe to share between threads.
class Tokenizer {
public:
  /// Reads the bytes of a tokenizer.json. The result does not refer to them.
  /// Returns null and a message of one line on anything wrong or unsupported,
  /// e.g. `tokenizer.json: pre_tokenizer.type: unsupported 'BertPreTokenizer'`.
  /// Any bytes are safe; time and memory stay in proportion to them.
  /// The settings `truncation` and `padding` are not applied.
  static std::unique_ptr<Tokenizer> parse(std::string_view tokenizerJson, std::string &error);

  /// Token ids of `utf8`. Added and special tokens written in the text are
  /// found first. Each maximal ill-formed part of the UTF-8 counts as U+FFFD.
  /// With `addSpecialTokens`, the ids of the file's template (bos and the like)
  /// are put around it. Characters that the model cannot express, and for which
  /// it has no unknown token, are dropped. O(n log n).
  /// Limit: a text of 2^31 - 1 bytes or more gives no ids at all.
  std::vector<int32_t> encode(std::string_view utf8, bool addSpecialTokens) const;

  /// The text of `n` ids: well-formed UTF-8. Ids without a token are skipped,
  /// and special tokens too with `skipSpecial`. O(text).
  std::string decode(const int32_t *ids, size_t n, bool skipSpecial) const;

  /// Ids lie in [0, vocabSize()): the largest id + 1, added tokens included.
  int32_t vocabSize() const;

  /// The id of a token as it is spelled in the file (`▁the`, `Ġthe`, `<s>`).
  std::optional<int32_t> idOf(std::string_view token) const;

  /// The spelling of a token, as `decode` takes it: an added token that is
  /// searched for in normalised text is normalised itself. Empty for ids
  /// without one. Lives as long as the tokenizer.
  std::string_view tokenOf(int32_t id) const;

  /// True if `id` has a token.
  bool contains(int32_t id) const;

  /// True for special tokens: those that `skipSpecial` leaves out.
  bool isSpecial(int32_t id) const;

  /// What `encode` puts before and after a text if asked to add special tokens.
  const std::vector<int32_t> &prefixIds() const { return parts.prefixIds; }
  const std::vector<int32_t> &suffixIds() const { return parts.suffixIds; }

  /// The begin-of-text token: the last prefix id, if there is a prefix.
  std::optional<int32_t> bosId() const;

  /// The decoding stages, for StreamDecoder.
  const Decoder &decoder() const { return parts.decoder; }

private:
  explicit Tokenizer(TokenizerParts &&parts) : parts(std::move(parts)) {}

  TokenizerParts parts;
};

/// Reads the bytes of a tokenizer.json into `parts`; false and `error` (see
/// `Tokenizer::parse`) on failure. Used by `Tokenizer::parse` alone.
bool parseTokenizer(std::string_view tokenizerJson, TokenizerParts &parts, std::string &error);

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_TOKENIZER_H
