//===- Barrier.cpp - Meeting point of a fixed team of threads -------------===//

#include "runtime/cpu/Barrier.h"

#include <atomic>
#include <climits>
#include <cstdint>

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

namespace pi {

static long futex(std::atomic<uint32_t> &word, int operation, uint32_t value) {
  static_assert(sizeof word == sizeof(uint32_t), "the kernel sees a 32-bit word");
  return syscall(SYS_futex, reinterpret_cast<uint32_t *>(&word), operation | FUTEX_PRIVATE_FLAG,
                 value, nullptr, nullptr, 0);
}

void Barrier::wait() {
  if (count == 1)
    return;
  // Nobody can pass this barrier without us, so the generation is ours.
  uint32_t ours = generation.load(std::memory_order_relaxed);
  if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == count) {
    arrived.store(0, std::memory_order_relaxed); // published by the next store
    // Both seq_cst, as in sleepUntilNot: either we see the sleeper, or it sees this.
    generation.store(ours + 1, std::memory_order_seq_cst);
    if (sleepers.load(std::memory_order_seq_cst) > 0)
      futex(generation, FUTEX_WAKE, INT_MAX);
    return;
  }
  // Some 3 us alone; then let others run between two looks, for the thread we wait for
  // may be queued behind us on this very core.
  constexpr uint64_t politeAfterCycles = 8000;
  uint64_t start = __rdtsc(), waited = 0;
  do {
    if (generation.load(std::memory_order_acquire) != ours)
      return;
    if (waited < politeAfterCycles)
      _mm_pause();
    else
      sched_yield();
    waited = __rdtsc() - start;
  } while (waited < spinCycles);
  sleepUntilNot(ours);
}

void Barrier::sleepUntilNot(uint32_t ours) {
  sleepers.fetch_add(1, std::memory_order_seq_cst);
  // The kernel compares again under its lock; signals and stray wakes only loop.
  while (generation.load(std::memory_order_seq_cst) == ours)
    futex(generation, FUTEX_WAIT, ours);
  sleepers.fetch_sub(1, std::memory_order_seq_cst);
}

} // namespace pi
