//===- Arena.cpp - One zeroed block of memory -----------------------------===//

#include "runtime/core/Arena.h"

#include "runtime/core/Status.h"

#include <cstdint>
#include <utility>

#include <sys/mman.h>

namespace pi {

Arena::Arena(Arena &&other) noexcept { *this = std::move(other); }

Arena &Arena::operator=(Arena &&other) noexcept {
  std::swap(base, other.base);
  std::swap(mapped, other.mapped);
  return *this;
}

Arena::~Arena() {
  if (base)
    munmap(base, mapped);
}

int32_t Arena::allocate(uint64_t bytes, Arena &out) {
  constexpr uint64_t pageBytes = 4096, hugePageBytes = uint64_t(2) << 20;
  if (bytes > UINT64_MAX - pageBytes)
    return PI_ERROR_MEMORY;
  Arena arena;
  arena.mapped = bytes == 0 ? pageBytes : (bytes + pageBytes - 1) / pageBytes * pageBytes;
  void *base =
      mmap(nullptr, arena.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return PI_ERROR_MEMORY;
  arena.base = static_cast<uint8_t *>(base);
  if (arena.mapped >= hugePageBytes)
    madvise(base, arena.mapped, MADV_HUGEPAGE); // a wish: fewer page faults
  out = std::move(arena);
  return PI_OK;
}

} // namespace pi
