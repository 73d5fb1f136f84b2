//===- Team.h - A fixed team of threads -----------------------------------===//
// Runs one job at a time on all threads at once. No queue, no stealing: who does what
// is decided by the thread's number alone.

#ifndef PI_RUNTIME_CPU_TEAM_H
#define PI_RUNTIME_CPU_TEAM_H

#include <cstdint>
#include <memory>

namespace pi {

class Barrier;

/// Threads this process may run on at once: CPUs of its affinity mask, at least 1 and
/// at most `kMaxDefaultThreads`.
uint32_t defaultThreads();

inline constexpr uint32_t kMaxDefaultThreads = 64;
inline constexpr uint32_t kMaxThreads = 1024;

class Team {
public:
  /// What every thread runs: `job(context, thread)`, thread in [0, size()).
  using Job = void (*)(void *context, uint32_t thread);

  /// A team of `threads` in [1, kMaxThreads]; the caller's thread is number 0. Where
  /// the system refuses a thread the team is smaller. Signals go to other threads. A team
  /// of as many threads as the process has CPUs keeps each on one of its own, the caller's
  /// until the team ends.
  explicit Team(uint32_t threads);
  Team(const Team &) = delete;
  ~Team();

  uint32_t size() const { return count; }

  /// Runs `job` on every thread, returns when all have finished. Only from the thread
  /// that made the team. Does not allocate.
  void run(Job job, void *context);

  /// Within a job: waits until every thread of the team has come here.
  void meet();

private:
  struct Workers;
  static void *workerMain(void *argument);

  std::unique_ptr<Workers> workers;
  std::unique_ptr<Barrier> barrier;
  uint32_t count = 1;
  // Set by thread 0 before the barrier, read by the others after it.
  Job job = nullptr;
  void *context = nullptr;
};

/// The part of [0, tiles) that `thread` of `threads` runs: contiguous, disjoint, whole.
/// tiles <= kMaxTiles.
struct TileSpan {
  int64_t begin, end;
};
inline constexpr int64_t kMaxTiles = int64_t(1) << 48;
inline TileSpan tileSpan(int64_t tiles, uint32_t thread, uint32_t threads) {
  return {tiles * thread / threads, tiles * (thread + int64_t(1)) / threads};
}

} // namespace pi

#endif // PI_RUNTIME_CPU_TEAM_H
