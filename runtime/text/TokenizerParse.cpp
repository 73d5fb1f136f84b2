//===- TokenizerParse.cpp - From tokenizer.json to a tokenizer ------------===//
// The model and the added tokens; the stages are in TokenizerStages.cpp.
//===----------------------------------------------------------------------===//

#include "runtime/text/AddedTokens.h"
#include "runtime/text/BpeModel.h"
#include "runtime/text/JsonFields.h"
#include "runtime/text/Tokenizer.h"
#include "runtime/text/TokenizerJson.h"
#include "runtime/text/TokenizerStages.h"
#include "runtime/text/Vocabulary.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace pi::text {

// Longest added token; bounds the search at each place of a text.
static constexpr size_t kMaxAddedTokenBytes = 1024;

//===----------------------------------------------------------------------===//
// Model
//===----------------------------------------------------------------------===//

static bool fillVocabulary(const TokenizerJson &source, const JsonField &model, Vocabulary &vocab) {
  JsonField field = model.member("vocab");
  if (!source.hasVocab)
    return field.fail("expected an object");
  size_t count = source.vocab.size();
  // Bounds the memory of a file that gives few tokens large ids.
  size_t idLimit = std::min<size_t>(16 * count + 1024, INT32_MAX);
  vocab.reserve(count, source.textBlock.size());
  for (const TokenizerJson::VocabEntry &entry : source.vocab) {
    std::string_view token = source.view(entry.token);
    if (entry.id >= idLimit)
      return field.fail(quote(token) + ": id " + std::to_string(entry.id) + " is too large for " +
                        std::to_string(count) + " tokens");
    switch (vocab.add(token, static_cast<int32_t>(entry.id))) {
    case Vocabulary::AddResult::Added:
      break;
    case Vocabulary::AddResult::TokenTaken:
      return field.fail(quote(token) + " is there twice");
    case Vocabulary::AddResult::IdTaken:
      return field.fail(quote(token) + ": id " + std::to_string(entry.id) + " is taken");
    }
  }
  return true;
}

static bool fillMerges(const TokenizerJson &source, const JsonField &model, BpeModel &out) {
  JsonField field = model.member("merges");
  if (!source.hasMerges)
    return field.fail("expected an array");
  out.merges.reserve(source.merges.size());
  std::string joined;
  for (size_t rank = 0; rank < source.merges.size(); ++rank) {
    std::string_view left = source.view(source.merges[rank].left);
    std::string_view right = source.view(source.merges[rank].right);
    joined.assign(left).append(right);
    int32_t ids[3];
    size_t i = 0;
    for (std::string_view token : {left, right, std::string_view(joined)}) {
      ids[i] = out.vocab.idOf(token);
      if (ids[i++] < 0)
        return model.member(("merges[" + std::to_string(rank) + "]"))
            .fail(quote(token) + " is not in the vocabulary");
    }
    out.merges.set(ids[0], ids[1], {static_cast<uint32_t>(rank), ids[2]});
  }
  return true;
}

static bool readModel(const TokenizerJson &source, const JsonField &model, BpeModel &out) {
  if (!model.requireObject())
    return false;
  // Files of early versions have no type; merges tell byte-pair encoding.
  JsonField typeField = model.member("type");
  std::string type = "BPE";
  if (typeField.isSet() || !source.hasMerges)
    if (!typeField.read(type))
      return false;
  if (type != "BPE")
    return typeField.failUnsupported(type);
  for (const char *key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    std::string affix;
    JsonField field = model.member(key);
    if (field.isSet() && !field.read(affix))
      return false;
    if (!affix.empty())
      return field.failUnsupported(affix);
  }
  if (model.member("dropout").isSet())
    return model.member("dropout").fail("unsupported: only null is");
  if (!model.member("fuse_unk").readOptional(out.fuseUnk) ||
      !model.member("byte_fallback").readOptional(out.byteFallback) ||
      !model.member("ignore_merges").readOptional(out.ignoreMerges))
    return false;
  std::string unk;
  JsonField unkField = model.member("unk_token");
  if (unkField.isSet() && !unkField.read(unk))
    return false;
  if (!source.tableError.empty())
    return model.failWith(source.tableError);
  if (!fillVocabulary(source, model, out.vocab) || !fillMerges(source, model, out))
    return false;
  if (unkField.isSet())
    out.unkId = out.vocab.idOf(unk);
  return true;
}

//===----------------------------------------------------------------------===//
// Added tokens
//===----------------------------------------------------------------------===//

static bool readAddedToken(const JsonField &field, AddedToken &token) {
  if (!field.requireObject())
    return false;
  uint64_t statedId = 0;
  if (!field.member("id").read(statedId, INT32_MAX) || !field.member("content").read(token.content))
    return false;
  if (token.content.size() > kMaxAddedTokenBytes)
    return field.member("content").fail("longer than 1024 bytes");
  if (!field.member("special").readOptional(token.special))
    return false;
  token.normalized = !token.special;
  return field.member("normalized").readOptional(token.normalized) &&
         field.member("single_word").readOptional(token.singleWord) &&
         field.member("lstrip").readOptional(token.lstrip) &&
         field.member("rstrip").readOptional(token.rstrip);
}

// Gives ids as `tokenizers` does: the model's id of the content, else the next
// free one. The id in the file is not followed there, and so not here.
static bool readAddedTokens(const JsonField &field, const Vocabulary &vocab,
                            const Normalizer &normalizer, AddedTokens &out) {
  std::vector<JsonField> list;
  if (field.isSet() && !field.elements(list))
    return false;
  std::vector<AddedToken> tokens;
  std::unordered_map<std::string, size_t> indexOf;
  auto nextId = static_cast<int32_t>(vocab.count());
  for (const JsonField &entry : list) {
    AddedToken token;
    if (!readAddedToken(entry, token))
      return false;
    if (token.content.empty())
      continue;
    auto [known, isNew] = indexOf.emplace(token.content, tokens.size());
    if (!isNew) {
      AddedToken &first = tokens[known->second];
      token.id = first.id;
      token.special |= first.special;
      first = std::move(token);
      continue;
    }
    token.id = vocab.idOf(token.content);
    if (token.id < 0)
      token.id = nextId;
    nextId = std::max(nextId, token.id + 1);
    tokens.push_back(std::move(token));
  }
  // As in `tokenizers` 0.23, a normalised token decodes to its normalised form,
  // and counts as special by that form.
  std::unordered_set<std::string> specials;
  for (const AddedToken &token : tokens)
    if (token.special)
      specials.insert(token.content);
  for (AddedToken &token : tokens) {
    token.spelling = token.normalized ? normalizer.normalize(token.content) : token.content;
    token.special = specials.count(token.spelling) > 0;
  }
  out.assign(std::move(tokens));
  return true;
}

//===----------------------------------------------------------------------===//
// The whole file
//===----------------------------------------------------------------------===//

static bool parseParts(std::string_view bytes, TokenizerParts &parts, std::string &error) {
  TokenizerJson source;
  if (!readTokenizerJson(bytes, source, error))
    return false;
  JsonField root(&source.document, "", error);
  return root.requireObject() && readModel(source, root.member("model"), parts.model) &&
         readNormalizer(root.member("normalizer"), parts.normalizer) &&
         readPreTokenizer(root.member("pre_tokenizer"), parts.preTokenizer) &&
         readDecoder(root.member("decoder"), parts.decoder) &&
         readAddedTokens(root.member("added_tokens"), parts.model.vocab, parts.normalizer,
                         parts.addedTokens) &&
         readPostProcessor(root.member("post_processor"), parts);
}

bool parseTokenizer(std::string_view tokenizerJson, TokenizerParts &parts, std::string &error) {
  error.clear();
  if (parseParts(tokenizerJson, parts, error))
    return true;
  error.insert(0, "tokenizer.json: ");
  return false;
}

} // namespace pi::text
