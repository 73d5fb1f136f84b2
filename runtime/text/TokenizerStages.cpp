//===- TokenizerStages.cpp - Reading the stages of a tokenizer ------------===//

#include "runtime/text/TokenizerStages.h"

#include "runtime/text/Decoder.h"
#include "runtime/text/JsonFields.h"
#include "runtime/text/Normalizer.h"
#include "runtime/text/PreTokenizer.h"
#include "runtime/text/Tokenizer.h"
#include "runtime/text/TokenizerJson.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pi::text {

// Bounds of what a file may ask for; real files stay far below. They keep a
// small hostile file from asking for gigabytes.
static constexpr uint64_t kMaxGrowth = 256;   // bytes out of one byte
static constexpr size_t kMaxRewrites = 3;     // Metaspace, ByteLevel stages
static constexpr size_t kMaxTemplateIds = 64; // around a text

// How many times longer replacing `pattern` by `content` can make a text.
static uint64_t growthOf(std::string_view pattern, std::string_view content) {
  return std::max<uint64_t>(1, (content.size() + pattern.size() - 1) / pattern.size());
}

// Reads `{"String": "..."}`, not empty.
static bool readStringPattern(const JsonField &field, std::string &out) {
  if (const std::string *regex = field.member("Regex").stringOrNull())
    return field.member("Regex").failUnsupported(*regex);
  JsonField text = field.member("String");
  if (!text.read(out))
    return false;
  return !out.empty() || text.fail("an empty pattern is not supported");
}

//===----------------------------------------------------------------------===//
// Normalizer
//===----------------------------------------------------------------------===//

bool readNormalizer(const JsonField &field, Normalizer &out) {
  if (!field.isSet())
    return true;
  std::vector<JsonField> list;
  if (!flattenSequence(field, "normalizers", list))
    return false;
  uint64_t growth = 1;
  for (const JsonField &entry : list) {
    std::string type;
    if (!entry.member("type").read(type))
      return false;
    Normalizer::Step step{};
    if (type == "Prepend") {
      step.kind = Normalizer::Step::Prepend;
      if (!entry.member("prepend").read(step.content))
        return false;
      growth += step.content.size();
    } else if (type == "Replace") {
      step.kind = Normalizer::Step::Replace;
      if (!readStringPattern(entry.member("pattern"), step.pattern) ||
          !entry.member("content").read(step.content))
        return false;
      growth *= growthOf(step.pattern, step.content);
    } else {
      return entry.member("type").failUnsupported(type);
    }
    if (growth > kMaxGrowth)
      return entry.fail("text may become more than 256 times longer");
    out.add(std::move(step));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Pre-tokenizer
//===----------------------------------------------------------------------===//

static bool readBehavior(const JsonField &field, SplitBehavior &out) {
  std::string name;
  if (!field.read(name))
    return false;
  if (name == "Removed")
    out = SplitBehavior::Removed;
  else if (name == "Isolated")
    out = SplitBehavior::Isolated;
  else if (name == "MergedWithPrevious")
    out = SplitBehavior::MergedWithPrevious;
  else if (name == "MergedWithNext")
    out = SplitBehavior::MergedWithNext;
  else if (name == "Contiguous")
    out = SplitBehavior::Contiguous;
  else
    return field.failUnsupported(name);
  return true;
}

// Reads `prepend_scheme`, or the older `add_prefix_space`: false there means
// "never" and contradicts every other scheme.
static bool readPrependScheme(const JsonField &entry, PreTokenizer::Stage::Prepend &out) {
  using Prepend = PreTokenizer::Stage::Prepend;
  bool addPrefixSpace = true;
  if (!entry.member("add_prefix_space").readOptional(addPrefixSpace))
    return false;
  JsonField field = entry.member("prepend_scheme");
  if (!field.isSet()) {
    out = addPrefixSpace ? Prepend::Always : Prepend::Never;
    return true;
  }
  std::string scheme;
  if (!field.read(scheme))
    return false;
  if (scheme == "never")
    out = Prepend::Never;
  else if (scheme == "first")
    out = Prepend::First;
  else if (scheme == "always")
    out = Prepend::Always;
  else
    return field.failUnsupported(scheme);
  if (!addPrefixSpace && out != Prepend::Never)
    return field.fail("contradicts add_prefix_space");
  return true;
}

static bool readSplit(const JsonField &entry, PreTokenizer::Stage &stage) {
  using Stage = PreTokenizer::Stage;
  stage.kind = Stage::Split;
  JsonField pattern = entry.member("pattern");
  const std::string *regex = pattern.member("Regex").stringOrNull();
  if (regex && *regex == "[0-9][0-9][0-9]") // Falcon
    stage.kind = Stage::ThreeDigits;
  else if (!readStringPattern(pattern, stage.content))
    return false;
  return readBehavior(entry.member("behavior"), stage.behavior) &&
         entry.member("invert").readOptional(stage.invert);
}

static bool readPreTokenizerStage(const JsonField &entry, PreTokenizer::Stage &stage) {
  using Stage = PreTokenizer::Stage;
  std::string type;
  if (!entry.member("type").read(type))
    return false;
  if (type == "Metaspace") {
    stage.kind = Stage::Metaspace;
    stage.behavior = SplitBehavior::MergedWithNext;
    return entry.member("replacement").readCharacter(stage.content) &&
           readPrependScheme(entry, stage.prepend) &&
           entry.member("split").readOptional(stage.splitWords);
  }
  if (type == "ByteLevel") {
    stage.kind = Stage::ByteLevel;
    stage.addPrefixSpace = true;
    return entry.member("add_prefix_space").readOptional(stage.addPrefixSpace) &&
           entry.member("use_regex").readOptional(stage.splitWords);
  }
  if (type == "Digits") {
    bool individual = false;
    if (!entry.member("individual_digits").readOptional(individual))
      return false;
    stage.kind = Stage::Digits;
    stage.behavior = individual ? SplitBehavior::Isolated : SplitBehavior::Contiguous;
    return true;
  }
  if (type == "Punctuation") {
    stage.kind = Stage::Punctuation;
    JsonField behavior = entry.member("behavior");
    return !behavior.isSet() || readBehavior(behavior, stage.behavior);
  }
  if (type == "Split")
    return readSplit(entry, stage);
  return entry.member("type").failUnsupported(type);
}

bool readPreTokenizer(const JsonField &field, PreTokenizer &out) {
  if (!field.isSet())
    return true;
  std::vector<JsonField> list;
  if (!flattenSequence(field, "pretokenizers", list))
    return false;
  size_t rewrites = 0;
  for (const JsonField &entry : list) {
    PreTokenizer::Stage stage{};
    if (!readPreTokenizerStage(entry, stage))
      return false;
    rewrites += stage.kind == PreTokenizer::Stage::Metaspace ||
                stage.kind == PreTokenizer::Stage::ByteLevel;
    if (rewrites > kMaxRewrites)
      return entry.fail("more than 3 Metaspace and ByteLevel stages");
    out.add(std::move(stage));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Decoder
//===----------------------------------------------------------------------===//

static bool readDecoderStage(const JsonField &entry, const std::string &type,
                             Decoder::Stage &stage) {
  using Stage = Decoder::Stage;
  if (type == "Replace") {
    stage.kind = Stage::Replace;
    return readStringPattern(entry.member("pattern"), stage.pattern) &&
           entry.member("content").read(stage.content);
  }
  if (type == "ByteFallback") {
    stage.kind = Stage::ByteFallback;
    return true;
  }
  if (type == "Fuse") {
    stage.kind = Stage::Fuse;
    return true;
  }
  if (type == "Strip") {
    stage.kind = Stage::Strip;
    uint64_t start = 0;
    uint64_t stop = 0;
    if (!entry.member("content").readCharacter(stage.content) ||
        !entry.member("start").read(start, UINT32_MAX) ||
        !entry.member("stop").read(stop, UINT32_MAX))
      return false;
    stage.start = start;
    stage.stop = stop;
    return true;
  }
  if (type == "ByteLevel") {
    stage.kind = Stage::ByteLevel;
    return true;
  }
  if (type == "Metaspace") {
    stage.kind = Stage::Metaspace;
    PreTokenizer::Stage::Prepend prepend{};
    if (!entry.member("replacement").readCharacter(stage.pattern) ||
        !readPrependScheme(entry, prepend))
      return false;
    stage.dropFirst = prepend != PreTokenizer::Stage::Prepend::Never;
    return true;
  }
  return entry.member("type").failUnsupported(type);
}

bool readDecoder(const JsonField &field, Decoder &out) {
  if (!field.isSet()) {
    Decoder::Stage stage{};
    stage.kind = Decoder::Stage::JoinSpaces;
    return out.add(std::move(stage));
  }
  std::vector<JsonField> list;
  if (!flattenSequence(field, "decoders", list))
    return false;
  uint64_t growth = 1;
  for (const JsonField &entry : list) {
    std::string type;
    Decoder::Stage stage{};
    if (!entry.member("type").read(type) || !readDecoderStage(entry, type, stage))
      return false;
    if (stage.kind == Decoder::Stage::Replace)
      growth *= growthOf(stage.pattern, stage.content);
    if (growth > kMaxGrowth)
      return entry.fail("text may become more than 256 times longer");
    if (!out.add(std::move(stage)))
      return entry.member("type").fail("unsupported " + quote(type) +
                                       " after a decoder that joins all tokens into one");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Post-processor
//===----------------------------------------------------------------------===//

// Appends the ids of one `{"SpecialToken": {"id": "<s>", ...}}` to `ids`.
static bool readTemplateToken(const JsonField &piece, const JsonField &tokens,
                              const TokenizerParts &parts, std::vector<int32_t> &ids) {
  std::string name;
  if (!piece.member("id").read(name))
    return false;
  std::vector<JsonField> list;
  if (!tokens.member(name).member("ids").elements(list))
    return false;
  for (const JsonField &entry : list) {
    uint64_t id = 0;
    if (!entry.read(id, INT32_MAX))
      return false;
    auto tokenId = static_cast<int32_t>(id);
    if (!parts.model.vocab.contains(tokenId) && !parts.addedTokens.findById(tokenId))
      return entry.fail("no token has the id " + std::to_string(id));
    if (ids.size() == kMaxTemplateIds)
      return entry.fail("more than 64 tokens on one side of the text");
    ids.push_back(tokenId);
  }
  return true;
}

static bool readTemplate(const JsonField &entry, TokenizerParts &parts) {
  std::vector<JsonField> pieces;
  if (!entry.member("single").elements(pieces))
    return false;
  bool seenText = false;
  for (const JsonField &piece : pieces) {
    JsonField token = piece.member("SpecialToken");
    if (token.isSet()) {
      if (!readTemplateToken(token, entry.member("special_tokens"), parts,
                             seenText ? parts.suffixIds : parts.prefixIds))
        return false;
      continue;
    }
    std::string name;
    JsonField id = piece.member("Sequence").member("id");
    if (!id.read(name))
      return false;
    if (name != "A" || seenText)
      return id.fail("expected the text 'A', once");
    seenText = true;
  }
  return seenText || entry.member("single").fail("has no text 'A'");
}

bool readPostProcessor(const JsonField &field, TokenizerParts &parts) {
  if (!field.isSet())
    return true;
  std::vector<JsonField> list;
  if (!flattenSequence(field, "processors", list))
    return false;
  bool seenTemplate = false;
  for (const JsonField &entry : list) {
    std::string type;
    JsonField typeField = entry.member("type");
    if (!typeField.read(type))
      return false;
    if (type == "ByteLevel") // changes offsets only
      continue;
    if (type != "TemplateProcessing")
      return typeField.failUnsupported(type);
    if (seenTemplate)
      return typeField.fail("more than one template");
    seenTemplate = true;
    if (!readTemplate(entry, parts))
      return false;
  }
  return true;
}

} // namespace pi::text
