//===- Team.cpp - A fixed team of threads ---------------------------------===//

#include "runtime/cpu/Team.h"

#include "runtime/cpu/Barrier.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <pthread.h>
#include <sched.h>
#include <signal.h>

namespace pi {

/// Threads other than the caller's, and the gate that holds them until the team's
/// final size is known.
struct Team::Workers {
  struct Start {
    Team *team;
    uint32_t thread;
  };
  std::vector<Start> starts;
  std::vector<int> cpus; // of the process
  bool pins = false;     // thread i stays on cpus[i]
  std::vector<pthread_t> threads;
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
};

/// The CPUs of the calling thread's affinity mask, ascending; empty if unknown.
static std::vector<int> affinityCpus() {
  std::vector<int> found;
  for (int cpus = 1024; cpus <= 65536 && found.empty(); cpus *= 4) {
    cpu_set_t *mask = CPU_ALLOC(cpus); // the kernel refuses too small a mask
    if (!mask)
      break;
    size_t bytes = CPU_ALLOC_SIZE(cpus);
    if (sched_getaffinity(0, bytes, mask) == 0)
      for (int cpu = 0; cpu < cpus; ++cpu)
        if (CPU_ISSET_S(cpu, bytes, mask))
          found.push_back(cpu);
    CPU_FREE(mask);
  }
  return found;
}

/// Lets the calling thread run on these CPUs alone; where the system refuses, on any.
static void restrictTo(const std::vector<int> &allowed) {
  if (allowed.empty())
    return;
  int cpus = allowed.back() + 1;
  cpu_set_t *mask = CPU_ALLOC(cpus);
  if (!mask)
    return;
  size_t bytes = CPU_ALLOC_SIZE(cpus);
  CPU_ZERO_S(bytes, mask);
  for (int cpu : allowed)
    CPU_SET_S(cpu, bytes, mask);
  sched_setaffinity(0, bytes, mask);
  CPU_FREE(mask);
}

uint32_t defaultThreads() {
  auto cpus = static_cast<uint32_t>(affinityCpus().size());
  return std::min(std::max(cpus, 1u), kMaxDefaultThreads);
}

Team::Team(uint32_t threads) : workers(new Workers) {
  threads = std::min(std::max(threads, 1u), kMaxThreads);
  workers->cpus = affinityCpus();
  workers->starts.resize(threads);
  workers->threads.reserve(threads);
  pthread_mutex_lock(&workers->gate);
  sigset_t all, before;
  sigfillset(&all);
  for (int fault : {SIGBUS, SIGSEGV, SIGILL, SIGFPE}) // blocked, these would only kill
    sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before); // inherited by the workers
  for (uint32_t thread = 1; thread < threads; ++thread) {
    workers->starts[thread] = {this, thread};
    pthread_t id;
    if (pthread_create(&id, nullptr, workerMain, &workers->starts[thread]) != 0)
      break;
    workers->threads.push_back(id);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  count = static_cast<uint32_t>(workers->threads.size()) + 1;
  // Some 30 us; no spinning at all where threads have to share cores.
  auto cpus = static_cast<uint32_t>(workers->cpus.size());
  barrier.reset(new Barrier(count, count <= std::max(cpus, 1u) ? 100000 : 0));
  // A team of all CPUs has nowhere to go: a thread that moves only loses its caches. Smaller
  // ones are left alone, for two programs would else meet on the first CPUs.
  workers->pins = count == cpus && count > 1;
  if (workers->pins)
    restrictTo({workers->cpus[0]});
  pthread_mutex_unlock(&workers->gate);
}

Team::~Team() {
  job = nullptr; // ends the workers
  barrier->wait();
  for (pthread_t thread : workers->threads)
    pthread_join(thread, nullptr);
  pthread_mutex_destroy(&workers->gate);
  if (workers->pins)
    restrictTo(workers->cpus);
}

void *Team::workerMain(void *argument) {
  auto *start = static_cast<Workers::Start *>(argument);
  Team *team = start->team;
  uint32_t thread = start->thread;
  pthread_mutex_lock(&team->workers->gate);
  pthread_mutex_unlock(&team->workers->gate);
  if (team->workers->pins)
    restrictTo({team->workers->cpus[thread]});
  while (true) {
    team->barrier->wait(); // for a job
    if (!team->job)
      return nullptr;
    team->job(team->context, thread);
    team->barrier->wait(); // all finished
  }
}

void Team::run(Job newJob, void *newContext) {
  job = newJob;
  context = newContext;
  barrier->wait();
  job(context, 0);
  barrier->wait();
}

void Team::meet() { barrier->wait(); }

} // namespace pi
