//===- BpeModel.cpp - Byte-pair encoding of one word ----------------------===//
// Symbols form a doubly linked list; a binary heap holds the merges that may
// apply. Entries go stale when a neighbour is merged and are then skipped.
//===----------------------------------------------------------------------===//

#include "runtime/text/BpeModel.h"

#include "runtime/text/Unicode.h"
#include "runtime/text/Vocabulary.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace pi::text {

//===----------------------------------------------------------------------===//
// MergeTable
//===----------------------------------------------------------------------===//

static uint64_t keyOf(int32_t left, int32_t right) {
  return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
}

void MergeTable::reserve(size_t count) {
  size_t slotCount = 16;
  while (slotCount < 2 * count)
    slotCount *= 2;
  if (slotCount <= slots.size())
    return;
  std::vector<Slot> old(slotCount, Slot{kEmpty, {0, -1}});
  old.swap(slots);
  for (const Slot &slot : old)
    if (slot.key != kEmpty)
      slots[slotOf(slot.key)] = slot;
}

size_t MergeTable::slotOf(uint64_t key) const {
  size_t mask = slots.size() - 1;
  uint64_t hash = (key ^ key >> 32) * 0x9E3779B97F4A7C15ull;
  size_t slot = (hash ^ hash >> 32) & mask;
  while (slots[slot].key != key && slots[slot].key != kEmpty)
    slot = (slot + 1) & mask;
  return slot;
}

void MergeTable::set(int32_t left, int32_t right, Rule rule) {
  reserve(ruleCount + 1);
  Slot &slot = slots[slotOf(keyOf(left, right))];
  ruleCount += slot.key == kEmpty;
  slot = {keyOf(left, right), rule};
}

MergeTable::Rule MergeTable::find(int32_t left, int32_t right) const {
  if (slots.empty())
    return {0, -1};
  return slots[slotOf(keyOf(left, right))].rule;
}

//===----------------------------------------------------------------------===//
// BpeModel
//===----------------------------------------------------------------------===//

static void addSymbol(int32_t id, BpeModel::Scratch &scratch) {
  auto index = static_cast<int32_t>(scratch.symbols.size());
  scratch.symbols.push_back({id, index - 1, index + 1});
}

bool BpeModel::addByteSymbols(std::string_view character, Scratch &scratch) const {
  static constexpr char kHex[] = "0123456789ABCDEF";
  int32_t byteIds[4];
  size_t count = 0;
  for (char c : character) {
    auto byte = static_cast<uint8_t>(c);
    char token[] = {'<', '0', 'x', kHex[byte >> 4], kHex[byte & 15], '>'};
    int32_t id = vocab.idOf({token, sizeof(token)});
    if (id < 0)
      return false; // all bytes of the character or none
    byteIds[count++] = id;
  }
  for (size_t i = 0; i < count; ++i)
    addSymbol(byteIds[i], scratch);
  return true;
}

void BpeModel::splitIntoSymbols(std::string_view word, Scratch &scratch) const {
  scratch.symbols.clear();
  bool unkPending = false;
  auto flushUnk = [&] {
    if (unkPending)
      addSymbol(unkId, scratch);
    unkPending = false;
  };
  for (size_t offset = 0; offset < word.size();) {
    size_t lengthBytes = charAt(word, offset).lengthBytes;
    std::string_view character = word.substr(offset, lengthBytes);
    offset += lengthBytes;
    int32_t id = vocab.idOf(character);
    if (id >= 0) {
      flushUnk();
      addSymbol(id, scratch);
      continue;
    }
    // As in `tokenizers`, byte symbols overtake a pending unk. It matters only
    // where some of the 256 byte tokens are missing.
    if (byteFallback && addByteSymbols(character, scratch))
      continue;
    if (unkId < 0)
      continue;
    if (!fuseUnk)
      flushUnk();
    unkPending = true;
  }
  flushUnk();
  if (!scratch.symbols.empty())
    scratch.symbols.back().next = -1;
}

void BpeModel::mergeSymbols(Scratch &scratch) const {
  using Candidate = Scratch::Candidate;
  std::vector<Scratch::Symbol> &symbols = scratch.symbols;
  std::vector<Candidate> &heap = scratch.heap;
  auto later = [](const Candidate &a, const Candidate &b) { return a.order > b.order; };
  // Appends the merge of the symbol at `position` with its right neighbour.
  auto propose = [&](int32_t position) {
    const Scratch::Symbol &left = symbols[position];
    if (left.next < 0)
      return false;
    MergeTable::Rule rule = merges.find(left.id, symbols[left.next].id);
    if (rule.newId < 0)
      return false;
    heap.push_back(
        {static_cast<uint64_t>(rule.rank) << 32 | static_cast<uint32_t>(position), rule.newId});
    return true;
  };

  heap.clear();
  for (size_t i = 0; i < symbols.size(); ++i)
    propose(static_cast<int32_t>(i));
  std::make_heap(heap.begin(), heap.end(), later);
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    Candidate top = heap.back();
    heap.pop_back();
    auto position = static_cast<int32_t>(top.order & UINT32_MAX);
    Scratch::Symbol &left = symbols[position];
    if (left.id < 0 || left.next < 0)
      continue;
    Scratch::Symbol &right = symbols[left.next];
    // Stale unless the pair that is here now still gives the same token.
    if (merges.find(left.id, right.id).newId != top.newId)
      continue;
    left.id = top.newId;
    left.next = right.next;
    right.id = -1;
    if (left.next >= 0)
      symbols[left.next].previous = position;
    if (left.previous >= 0 && propose(left.previous))
      std::push_heap(heap.begin(), heap.end(), later);
    if (propose(position))
      std::push_heap(heap.begin(), heap.end(), later);
  }
}

void BpeModel::encodeWord(std::string_view word, Scratch &scratch,
                          std::vector<int32_t> &ids) const {
  if (word.empty())
    return;
  if (ignoreMerges) {
    int32_t id = vocab.idOf(word);
    if (id >= 0) {
      ids.push_back(id);
      return;
    }
  }
  splitIntoSymbols(word, scratch);
  mergeSymbols(scratch);
  for (const Scratch::Symbol &symbol : scratch.symbols)
    if (symbol.id >= 0)
      ids.push_back(symbol.id);
}

} // namespace pi::text
