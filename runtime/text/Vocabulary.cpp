//===- Vocabulary.cpp - Tokens and their ids ------------------------------===//
// Open addressing with linear probing, at most half full.
//===----------------------------------------------------------------------===//

#include "runtime/text/Vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace pi::text {

// Multiply and fold over 8 bytes at a time (the mixing step of wyhash).
static uint64_t hashOf(std::string_view text) {
  uint64_t hash = 0x9E3779B97F4A7C15ull ^ text.size();
  while (!text.empty()) {
    uint64_t word = 0;
    size_t countBytes = text.size() < 8 ? text.size() : 8;
    std::memcpy(&word, text.data(), countBytes);
    hash = (hash ^ word) * 0xD6E8FEB86659FD93ull;
    hash ^= hash >> 32;
    text.remove_prefix(countBytes);
  }
  return hash * 0xD6E8FEB86659FD93ull >> 20;
}

void Vocabulary::reserve(size_t count, size_t textBytes) {
  textBlock.reserve(textBytes);
  entries.reserve(count);
  size_t slotCount = 16;
  while (slotCount < 2 * count)
    slotCount *= 2;
  if (slotCount > slots.size())
    grow(slotCount);
}

size_t Vocabulary::slotOf(std::string_view token) const {
  size_t mask = slots.size() - 1;
  size_t slot = hashOf(token) & mask;
  while (slots[slot] >= 0 && tokenOf(slots[slot]) != token)
    slot = (slot + 1) & mask;
  return slot;
}

void Vocabulary::grow(size_t slotCount) {
  slots.assign(slotCount, -1);
  for (int32_t id = 0; id < idLimit(); ++id)
    if (contains(id))
      slots[slotOf(tokenOf(id))] = id;
}

Vocabulary::AddResult Vocabulary::add(std::string_view token, int32_t id) {
  if (2 * (tokenCount + 1) > slots.size())
    grow(slots.empty() ? 16 : 2 * slots.size());
  size_t slot = slotOf(token);
  if (slots[slot] >= 0)
    return AddResult::TokenTaken;
  if (contains(id))
    return AddResult::IdTaken;
  if (id >= idLimit())
    entries.resize(static_cast<size_t>(id) + 1, Entry{0, kAbsent});
  entries[id] = {static_cast<uint32_t>(textBlock.size()), static_cast<uint32_t>(token.size())};
  textBlock.append(token);
  slots[slot] = id;
  ++tokenCount;
  return AddResult::Added;
}

int32_t Vocabulary::idOf(std::string_view token) const {
  return slots.empty() ? -1 : slots[slotOf(token)];
}

std::string_view Vocabulary::tokenOf(int32_t id) const {
  if (!contains(id))
    return {};
  return {textBlock.data() + entries[id].offset, entries[id].lengthBytes};
}

bool Vocabulary::contains(int32_t id) const {
  return id >= 0 && id < idLimit() && entries[id].lengthBytes != kAbsent;
}

} // namespace pi::text
