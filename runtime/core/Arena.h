//===- Arena.h - One zeroed block of memory -------------------------------===//

#ifndef PI_RUNTIME_CORE_ARENA_H
#define PI_RUNTIME_CORE_ARENA_H

#include <cstdint>

namespace pi {

/// Zeroed pages straight from the system; touched pages only take memory. Movable.
class Arena {
public:
  Arena() = default;
  Arena(Arena &&other) noexcept;
  Arena &operator=(Arena &&other) noexcept;
  ~Arena();

  /// `bytes` zero bytes, aligned to a page. Error: PI_ERROR_MEMORY.
  static int32_t allocate(uint64_t bytes, Arena &out);

  uint8_t *data() const { return base; }

private:
  uint8_t *base = nullptr;
  uint64_t mapped = 0; // whole pages
};

} // namespace pi

#endif // PI_RUNTIME_CORE_ARENA_H
