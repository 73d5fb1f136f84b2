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
  std::vector<pthread_t> threads;
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
};

/// CPUs of the affinity mask; 0 if unknown.
static uint32_t affinityCpus() {
  for (int cpus = 1024; cpus <= 65536; cpus *= 4) { // the kernel refuses too small a mask
    cpu_set_t *mask = CPU_ALLOC(cpus);
    if (!mask)
      return 0;
    size_t bytes = CPU_ALLOC_SIZE(cpus);
    int got = sched_getaffinity(0, bytes, mask) == 0 ? CPU_COUNT_S(bytes, mask) : 0;
    CPU_FREE(mask);
    if (got > 0)
      return static_cast<uint32_t>(got);
  }
  return 0;
}

uint32_t defaultThreads() { return std::min(std::max(affinityCpus(), 1u), kMaxDefaultThreads); }

Team::Team(uint32_t threads) : workers(new Workers) {
  threads = std::min(std::max(threads, 1u), kMaxThreads);
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
  uint32_t cpus = affinityCpus();
  barrier.reset(new Barrier(count, count <= std::max(cpus, 1u) ? 100000 : 0));
  pthread_mutex_unlock(&workers->gate);
}

Team::~Team() {
  job = nullptr; // ends the workers
  barrier->wait();
  for (pthread_t thread : workers->threads)
    pthread_join(thread, nullptr);
  pthread_mutex_destroy(&workers->gate);
}

void *Team::workerMain(void *argument) {
  auto *start = static_cast<Workers::Start *>(argument);
  Team *team = start->team;
  uint32_t thread = start->thread;
  pthread_mutex_lock(&team->workers->gate);
  pthread_mutex_unlock(&team->workers->gate);
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
