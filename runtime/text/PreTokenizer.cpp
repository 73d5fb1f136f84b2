//===- PreTokenizer.cpp - Splitting a text into words ---------------------===//
// Each stage cuts its text into ranges and hands them to the next stage. The
// depth of calls is the number of stages.
//===----------------------------------------------------------------------===//

#include "runtime/text/PreTokenizer.h"

#include "runtime/text/ByteLevel.h"
#include "runtime/text/Normalizer.h"
#include "runtime/text/Unicode.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pi::text {

//===----------------------------------------------------------------------===//
// Finding delimiters
//===----------------------------------------------------------------------===//

static void addText(std::vector<TextRange> &ranges, size_t end) {
  size_t begin = ranges.empty() ? 0 : ranges.back().endBytes;
  if (begin < end)
    ranges.push_back({begin, end, false});
}

static void findString(std::string_view text, std::string_view delimiter,
                       std::vector<TextRange> &ranges) {
  for (size_t found = text.find(delimiter); found != std::string_view::npos;
       found = text.find(delimiter, found + delimiter.size())) {
    addText(ranges, found);
    ranges.push_back({found, found + delimiter.size(), true});
  }
  addText(ranges, text.size());
}

static void findChars(std::string_view text, bool (*isDelimiter)(uint32_t),
                      std::vector<TextRange> &ranges) {
  for (size_t offset = 0; offset < text.size();) {
    Utf8Char character = charAt(text, offset);
    size_t end = offset + character.lengthBytes;
    if (isDelimiter(character.code)) {
      addText(ranges, offset);
      ranges.push_back({offset, end, true});
    }
    offset = end;
  }
  addText(ranges, text.size());
}

static void findThreeDigits(std::string_view text, std::vector<TextRange> &ranges) {
  size_t digits = 0;
  for (size_t offset = 0; offset < text.size(); ++offset) {
    bool isDigit = text[offset] >= '0' && text[offset] <= '9';
    digits = isDigit ? digits + 1 : 0;
    if (digits == 3) {
      addText(ranges, offset - 2);
      ranges.push_back({offset - 2, offset + 1, true});
      digits = 0;
    }
  }
  addText(ranges, text.size());
}

void applySplitBehavior(SplitBehavior behavior, std::vector<TextRange> &ranges) {
  size_t kept = 0;
  bool afterMatch = false;
  for (TextRange range : ranges) {
    bool join = false; // with the piece before
    bool drop = false;
    switch (behavior) {
    case SplitBehavior::Removed:
      drop = range.isMatch;
      break;
    case SplitBehavior::Isolated:
      break;
    case SplitBehavior::MergedWithPrevious:
      join = range.isMatch && !afterMatch;
      break;
    case SplitBehavior::MergedWithNext:
      join = !range.isMatch && afterMatch;
      break;
    case SplitBehavior::Contiguous:
      join = range.isMatch == afterMatch;
      break;
    }
    afterMatch = range.isMatch;
    if (join && kept > 0)
      ranges[kept - 1].endBytes = range.endBytes;
    else if (!drop)
      ranges[kept++] = range;
  }
  ranges.resize(kept);
}

//===----------------------------------------------------------------------===//
// GPT-2's expression
//===----------------------------------------------------------------------===//

namespace {
// What the expression distinguishes.
enum class WordKind : uint8_t { Letter, Number, Space, Other };
} // namespace

static WordKind wordKindOf(uint32_t code) {
  switch (charClassOf(code)) {
  case CharClass::Letter:
    return WordKind::Letter;
  case CharClass::Digit:
  case CharClass::Number:
    return WordKind::Number;
  case CharClass::Space:
    return WordKind::Space;
  default:
    return WordKind::Other;
  }
}

static size_t contractionEnd(std::string_view text, size_t begin) {
  static constexpr std::string_view kContractions[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
  for (std::string_view contraction : kContractions)
    if (text.substr(begin, contraction.size()) == contraction)
      return begin + contraction.size();
  return begin;
}

size_t gpt2WordEnd(std::string_view text, size_t begin) {
  if (text[begin] == '\'') {
    size_t end = contractionEnd(text, begin);
    if (end > begin)
      return end;
  }
  Utf8Char character = charAt(text, begin);
  size_t end = begin + character.lengthBytes;
  WordKind kind = wordKindOf(character.code);
  // One blank belongs to the word after it.
  if (text[begin] == ' ' && end < text.size()) {
    Utf8Char next = charAt(text, end);
    kind = wordKindOf(next.code);
    if (kind != WordKind::Space)
      end += next.lengthBytes;
  }
  size_t lastBegin = begin; // of the last character taken
  while (end < text.size()) {
    Utf8Char next = charAt(text, end);
    if (wordKindOf(next.code) != kind)
      break;
    lastBegin = end;
    end += next.lengthBytes;
  }
  // \s+(?!\S): before a word, white space leaves its last character to it.
  if (kind == WordKind::Space && end < text.size() && lastBegin > begin)
    return lastBegin;
  return end;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

// Fills `ranges` with the pieces of `text` (the stage's own form of it).
static void findPieces(const PreTokenizer::Stage &stage, std::string_view text,
                       std::vector<TextRange> &ranges) {
  using Stage = PreTokenizer::Stage;
  ranges.clear();
  switch (stage.kind) {
  case Stage::Metaspace:
    if (stage.splitWords)
      findString(text, stage.content, ranges);
    else
      addText(ranges, text.size());
    break;
  case Stage::ByteLevel:
    if (!stage.splitWords)
      addText(ranges, text.size());
    else
      for (size_t begin = 0; begin < text.size();) {
        size_t end = gpt2WordEnd(text, begin);
        ranges.push_back({begin, end, true});
        begin = end;
      }
    break;
  case Stage::Digits:
    findChars(text, isNumber, ranges);
    break;
  case Stage::Punctuation:
    findChars(text, isPunctuation, ranges);
    break;
  case Stage::Split:
    findString(text, stage.content, ranges);
    break;
  case Stage::ThreeDigits:
    findThreeDigits(text, ranges);
    break;
  }
  if (stage.invert)
    for (TextRange &range : ranges)
      range.isMatch = !range.isMatch;
  applySplitBehavior(stage.behavior, ranges);
}

// Writes the stage's own form of `text` to `out`: false if it is unchanged.
static bool rewrite(const PreTokenizer::Stage &stage, std::string_view text, bool atStart,
                    std::string &out) {
  using Stage = PreTokenizer::Stage;
  out.clear();
  if (stage.kind == Stage::ByteLevel) {
    if (!stage.addPrefixSpace || text[0] == ' ')
      return false;
    out.push_back(' ');
    out.append(text);
    return true;
  }
  if (stage.kind != Stage::Metaspace)
    return false;
  bool prefix = stage.prepend == Stage::Prepend::Always ||
                (stage.prepend == Stage::Prepend::First && atStart);
  if (prefix && text[0] != ' ' && text.substr(0, stage.content.size()) != stage.content)
    out.append(stage.content);
  appendReplaced(text, " ", stage.content, out);
  return true;
}

void PreTokenizer::runStage(size_t index, std::string_view text, bool atStart, Scratch &scratch,
                            const WordSink &sink) const {
  if (text.empty())
    return;
  if (index == stages.size()) {
    sink(text);
    return;
  }
  const Stage &stage = stages[index];
  Scratch::PerStage &memory = scratch.perStage[index];
  if (rewrite(stage, text, atStart, memory.text))
    text = memory.text;
  findPieces(stage, text, memory.ranges);
  for (const TextRange &range : memory.ranges) {
    std::string_view piece = text.substr(range.beginBytes, range.endBytes - range.beginBytes);
    if (stage.kind == Stage::ByteLevel) {
      memory.word.clear();
      appendBytesAsChars(piece, memory.word);
      piece = memory.word;
    }
    runStage(index + 1, piece, atStart && range.beginBytes == 0, scratch, sink);
  }
}

void PreTokenizer::split(std::string_view text, bool atStart, Scratch &scratch,
                         const WordSink &sink) const {
  scratch.perStage.resize(stages.size());
  runStage(0, text, atStart, scratch, sink);
}

} // namespace pi::text
