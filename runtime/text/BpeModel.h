//===- BpeModel.h - Byte-pair encoding of one word --------------*- C++ -*-===//
// The merge table and the merging of one word into ids. What a word is, the
// pre-tokenizer decides; it may be a whole file.
//===----------------------------------------------------------------------===//

#ifndef PI_RUNTIME_TEXT_BPEMODEL_H
#define PI_RUNTIME_TEXT_BPEMODEL_H

#include "runtime/text/Vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace pi::text {

/// Merge rules by pair of ids.
class MergeTable {
public:
  struct Rule {
    uint32_t rank; ///< 0 is merged first
    int32_t newId; ///< -1: no such rule
  };

  /// Makes room for `count` rules.
  void reserve(size_t count);

  /// Sets the rule of a pair; a later rule for the same pair replaces it.
  void set(int32_t left, int32_t right, Rule rule);

  /// The rule for a pair, `newId` -1 if there is none. O(1).
  Rule find(int32_t left, int32_t right) const;

private:
  struct Slot {
    uint64_t key; // left << 32 | right; kEmpty where unused
    Rule rule;
  };
  static constexpr uint64_t kEmpty = UINT64_MAX;

  size_t slotOf(uint64_t key) const;

  std::vector<Slot> slots; // open addressing, power of two
  size_t ruleCount = 0;
};

/// Byte-pair encoding with the merge order of Hugging Face `tokenizers`:
/// lowest rank first, ties leftmost.
struct BpeModel {
  Vocabulary vocab;
  MergeTable merges;
  int32_t unkId = -1;        ///< -1: unknown characters are dropped
  bool fuseUnk = false;      ///< a run of unknown characters is one unk
  bool byteFallback = false; ///< unknown characters become `<0xNN>` tokens
  bool ignoreMerges = false; ///< a word in the vocabulary is that token

  /// Working memory of `encodeWord`, reused from word to word.
  struct Scratch {
    struct Symbol {
      int32_t id; // -1 once merged into its left neighbour
      int32_t previous;
      int32_t next;
    };
    struct Candidate {
      uint64_t order; // rank << 32 | position
      int32_t newId;
    };
    std::vector<Symbol> symbols;
    std::vector<Candidate> heap;
  };

  /// Appends the ids of `word` (well-formed UTF-8, less than 2^31 bytes) to
  /// `ids`. O(n log n) in the word's length; no recursion.
  void encodeWord(std::string_view word, Scratch &scratch, std::vector<int32_t> &ids) const;

private:
  bool addByteSymbols(std::string_view character, Scratch &scratch) const;
  void splitIntoSymbols(std::string_view word, Scratch &scratch) const;
  void mergeSymbols(Scratch &scratch) const;
};

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_BPEMODEL_H
