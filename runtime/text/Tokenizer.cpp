//===- Tokenizer.cpp - Text to token ids and back -------------------------===//
// The order of work of the `tokenizers` library: added tokens, normaliser,
// normalised added tokens, pre-tokenizer, model, template.
//===----------------------------------------------------------------------===//

#include "runtime/text/Tokenizer.h"

#include "runtime/text/AddedTokens.h"
#include "runtime/text/BpeModel.h"
#include "runtime/text/Decoder.h"
#include "runtime/text/PreTokenizer.h"
#include "runtime/text/Unicode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pi::text {

// Positions within a word are 32 bits wide, and a normaliser or Metaspace may
// lengthen the text; see `encode` for the second check.
static constexpr size_t kMaxTextBytes = INT32_MAX;

std::unique_ptr<Tokenizer> Tokenizer::parse(std::string_view tokenizerJson, std::string &error) {
  TokenizerParts parts;
  if (!parseTokenizer(tokenizerJson, parts, error))
    return nullptr;
  return std::unique_ptr<Tokenizer>(new Tokenizer(std::move(parts)));
}

std::vector<int32_t> Tokenizer::encode(std::string_view utf8, bool addSpecialTokens) const {
  std::vector<int32_t> ids;
  std::string repaired;
  if (!isValidUtf8(utf8)) {
    appendRepaired(utf8, true, repaired);
    utf8 = repaired;
  }
  bool tooLong = utf8.size() >= kMaxTextBytes;
  BpeModel::Scratch bpeScratch;
  PreTokenizer::Scratch splitScratch;
  auto encodeWord = [&](std::string_view word) {
    tooLong |= word.size() >= kMaxTextBytes;
    if (!tooLong)
      parts.model.encodeWord(word, bpeScratch, ids);
  };
  auto encodeText = [&](std::string_view text, bool atStart) {
    parts.preTokenizer.split(text, atStart, splitScratch, encodeWord);
  };

  if (addSpecialTokens)
    ids = parts.prefixIds;
  std::vector<AddedTokens::Part> outer;
  std::vector<AddedTokens::Part> inner;
  if (!tooLong)
    parts.addedTokens.split(utf8, false, outer);
  for (const AddedTokens::Part &part : outer) {
    if (part.id >= 0) {
      ids.push_back(part.id);
      continue;
    }
    std::string_view text = utf8.substr(part.beginBytes, part.endBytes - part.beginBytes);
    std::string normalized;
    if (!parts.normalizer.empty()) {
      normalized = parts.normalizer.normalize(text);
      text = normalized;
    }
    parts.addedTokens.split(text, true, inner);
    for (const AddedTokens::Part &piece : inner) {
      if (piece.id >= 0)
        ids.push_back(piece.id);
      else
        encodeText(text.substr(piece.beginBytes, piece.endBytes - piece.beginBytes),
                   part.beginBytes == 0 && piece.beginBytes == 0);
    }
  }
  if (tooLong)
    return {};
  if (addSpecialTokens)
    ids.insert(ids.end(), parts.suffixIds.begin(), parts.suffixIds.end());
  return ids;
}

std::string Tokenizer::decode(const int32_t *ids, size_t n, bool skipSpecial) const {
  std::string text;
  DecodeState state(parts.decoder);
  for (size_t i = 0; i < n; ++i)
    if (contains(ids[i]) && !(skipSpecial && isSpecial(ids[i])))
      state.push(tokenOf(ids[i]), text);
  state.finish(text);
  return text;
}

int32_t Tokenizer::vocabSize() const {
  return std::max(parts.model.vocab.idLimit(), parts.addedTokens.idLimit());
}

std::optional<int32_t> Tokenizer::idOf(std::string_view token) const {
  if (const AddedToken *added = parts.addedTokens.findByContent(token))
    return added->id;
  int32_t id = parts.model.vocab.idOf(token);
  return id < 0 ? std::nullopt : std::optional<int32_t>(id);
}

std::string_view Tokenizer::tokenOf(int32_t id) const {
  if (const AddedToken *added = parts.addedTokens.findById(id))
    return added->spelling;
  return parts.model.vocab.tokenOf(id);
}

bool Tokenizer::contains(int32_t id) const {
  return parts.model.vocab.contains(id) || parts.addedTokens.findById(id);
}

bool Tokenizer::isSpecial(int32_t id) const {
  const AddedToken *added = parts.addedTokens.findById(id);
  return added && added->special;
}

std::optional<int32_t> Tokenizer::bosId() const {
  if (parts.prefixIds.empty())
    return std::nullopt;
  return parts.prefixIds.back();
}

} // namespace pi::text
