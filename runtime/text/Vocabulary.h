//===- Vocabulary.h - Tokens and their ids ----------------------*- C++ -*-===//
// The two-way table between token strings and ids. All strings lie in one
// block of memory; look-ups allocate nothing.
//===----------------------------------------------------------------------===//

#ifndef PI_RUNTIME_TEXT_VOCABULARY_H
#define PI_RUNTIME_TEXT_VOCABULARY_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pi::text {

/// Tokens by id and ids by token. Filled while a tokenizer is parsed, constant
/// afterwards.
class Vocabulary {
public:
  /// Result of `add`.
  enum class AddResult : uint8_t { Added, TokenTaken, IdTaken };

  /// Makes room for `count` tokens of `textBytes` bytes in all.
  void reserve(size_t count, size_t textBytes);

  /// Adds one token; `id` >= 0. Memory grows with the largest id: the caller
  /// bounds it.
  AddResult add(std::string_view token, int32_t id);

  /// The id of `token`, or -1.
  int32_t idOf(std::string_view token) const;

  /// The string of `id`; empty for an id that has none (see `contains`). Valid
  /// as long as this object and until the next `add`.
  std::string_view tokenOf(int32_t id) const;

  /// True if `id` has a token.
  bool contains(int32_t id) const;

  /// Number of tokens.
  size_t count() const { return tokenCount; }

  /// Largest id + 1; 0 if there is no token.
  int32_t idLimit() const { return static_cast<int32_t>(entries.size()); }

private:
  struct Entry {
    uint32_t offset;
    uint32_t lengthBytes; // kAbsent: no token has this id
  };
  static constexpr uint32_t kAbsent = UINT32_MAX;

  size_t slotOf(std::string_view token) const;
  void grow(size_t slotCount);

  std::string textBlock;
  std::vector<Entry> entries; // [idLimit]
  std::vector<int32_t> slots; // open addressing, power of two; id or -1
  size_t tokenCount = 0;
};

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_VOCABULARY_H
