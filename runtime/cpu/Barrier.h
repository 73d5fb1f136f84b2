//===- Barrier.h - Meeting point of a fixed team of threads ---------------===//

#ifndef PI_RUNTIME_CPU_BARRIER_H
#define PI_RUNTIME_CPU_BARRIER_H

#include <atomic>
#include <cstdint>

namespace pi {

/// Spins for a bounded time, then sleeps in the kernel (futex): quick where every
/// thread has a core, and no burden where they share cores.
class Barrier {
public:
  /// For `count` >= 1 threads; `spinCycles`: time-stamp cycles to spin before sleeping.
  Barrier(uint32_t count, uint64_t spinCycles) : count(count), spinCycles(spinCycles) {}

  /// Waits until all threads have arrived. What any thread wrote before, all see after.
  void wait();

private:
  void sleepUntilNot(uint32_t generation);

  // Written by every arriving thread; kept off the line that waiting threads read.
  alignas(64) std::atomic<uint32_t> arrived{0};
  alignas(64) std::atomic<uint32_t> generation{0};
  std::atomic<uint32_t> sleepers{0};
  const uint32_t count;
  const uint64_t spinCycles;
};

} // namespace pi

#endif // PI_RUNTIME_CPU_BARRIER_H
