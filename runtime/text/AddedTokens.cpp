//===- AddedTokens.cpp - Tokens found in text before splitting ------------===//
// The search narrows a sorted range of patterns byte by byte.
//===----------------------------------------------------------------------===//

#include "runtime/text/AddedTokens.h"

#include "runtime/text/Unicode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pi::text {

//===----------------------------------------------------------------------===//
// PatternSet
//===----------------------------------------------------------------------===//

static uint8_t byteOf(std::string_view text, size_t offset) {
  return static_cast<uint8_t>(text[offset]);
}

void PatternSet::assign(std::vector<Pattern> newPatterns) {
  patterns = std::move(newPatterns);
  // Of equal contents the first stays.
  std::sort(patterns.begin(), patterns.end(), [](const Pattern &a, const Pattern &b) {
    int order = a.content.compare(b.content);
    return order < 0 || (order == 0 && a.tokenIndex < b.tokenIndex);
  });
  patterns.erase(
      std::unique(patterns.begin(), patterns.end(),
                  [](const Pattern &a, const Pattern &b) { return a.content == b.content; }),
      patterns.end());
  std::fill(std::begin(firstByteRange), std::end(firstByteRange), 0);
  for (const Pattern &pattern : patterns)
    ++firstByteRange[byteOf(pattern.content, 0) + 1];
  std::partial_sum(std::begin(firstByteRange), std::end(firstByteRange),
                   std::begin(firstByteRange));
}

const PatternSet::Pattern *PatternSet::matchAt(std::string_view text, size_t offset) const {
  uint8_t first = byteOf(text, offset);
  auto low = patterns.begin() + firstByteRange[first];
  auto high = patterns.begin() + firstByteRange[first + 1];
  const Pattern *best = nullptr;
  // All of [low, high) agree with the text in their first `depth` bytes.
  for (size_t depth = 1; low != high; ++depth) {
    if (low->content.size() == depth) {
      best = &*low; // a prefix of the others sorts first
      ++low;
    }
    if (offset + depth == text.size())
      break;
    uint8_t next = byteOf(text, offset + depth);
    low = std::partition_point(
        low, high, [&](const Pattern &pattern) { return byteOf(pattern.content, depth) < next; });
    high = std::partition_point(
        low, high, [&](const Pattern &pattern) { return byteOf(pattern.content, depth) == next; });
  }
  return best;
}

//===----------------------------------------------------------------------===//
// AddedTokens
//===----------------------------------------------------------------------===//

void AddedTokens::assign(std::vector<AddedToken> newTokens) {
  tokens = std::move(newTokens);
  byId.resize(tokens.size());
  std::iota(byId.begin(), byId.end(), 0u);
  byContent = byId;
  std::sort(byId.begin(), byId.end(),
            [&](uint32_t a, uint32_t b) { return tokens[a].id < tokens[b].id; });
  std::sort(byContent.begin(), byContent.end(),
            [&](uint32_t a, uint32_t b) { return tokens[a].content < tokens[b].content; });

  std::vector<PatternSet::Pattern> patterns[2];
  for (size_t i = 0; i < tokens.size(); ++i)
    if (!tokens[i].spelling.empty())
      patterns[tokens[i].normalized].push_back({tokens[i].spelling, i});
  for (int normalized = 0; normalized < 2; ++normalized)
    sets[normalized].assign(std::move(patterns[normalized]));
}

static bool touchesWord(std::string_view text, size_t begin, size_t end) {
  return (begin > 0 && isWordChar(charBefore(text, begin).code)) ||
         (end < text.size() && isWordChar(charAt(text, end).code));
}

static size_t skipSpaceBackwards(std::string_view text, size_t end, size_t limit) {
  while (end > limit) {
    Utf8Char before = charBefore(text, end);
    if (charClassOf(before.code) != CharClass::Space)
      break;
    end -= before.lengthBytes;
  }
  return end;
}

static size_t skipSpace(std::string_view text, size_t begin) {
  while (begin < text.size()) {
    Utf8Char next = charAt(text, begin);
    if (charClassOf(next.code) != CharClass::Space)
      break;
    begin += next.lengthBytes;
  }
  return begin;
}

void AddedTokens::split(std::string_view text, bool normalized, std::vector<Part> &parts) const {
  const PatternSet &set = sets[normalized];
  parts.clear();
  size_t done = 0; // bytes before this offset lie in `parts`
  for (size_t offset = 0; !set.empty() && offset < text.size();) {
    const PatternSet::Pattern *match = set.matchAt(text, offset);
    if (!match) {
      ++offset;
      continue;
    }
    const AddedToken &token = tokens[match->tokenIndex];
    size_t begin = offset;
    size_t end = offset + match->content.size();
    offset = end;
    if (token.singleWord && touchesWord(text, begin, end))
      continue;
    // White space that an rstrip token took may hold a match of its own: as in
    // `tokenizers` that match counts too, and the text goes on after it.
    if (token.lstrip)
      begin = std::max(skipSpaceBackwards(text, begin, done), done);
    if (token.rstrip)
      end = skipSpace(text, end);
    if (done < begin)
      parts.push_back({done, begin, -1});
    if (begin < end)
      parts.push_back({begin, end, token.id});
    done = end;
  }
  if (done < text.size())
    parts.push_back({done, text.size(), -1});
}

const AddedToken *AddedTokens::findById(int32_t id) const {
  auto found = std::lower_bound(byId.begin(), byId.end(), id,
                                [&](uint32_t a, int32_t b) { return tokens[a].id < b; });
  if (found == byId.end() || tokens[*found].id != id)
    return nullptr;
  return &tokens[*found];
}

const AddedToken *AddedTokens::findByContent(std::string_view content) const {
  auto found =
      std::lower_bound(byContent.begin(), byContent.end(), content,
                       [&](uint32_t a, std::string_view b) { return tokens[a].content < b; });
  if (found == byContent.end() || tokens[*found].content != content)
    return nullptr;
  return &tokens[*found];
}

int32_t AddedTokens::idLimit() const { return byId.empty() ? 0 : tokens[byId.back()].id + 1; }

} // namespace pi::text
