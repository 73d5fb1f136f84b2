//===- Steps.cpp - Kernels on a team of threads, timed -===//

#include "test/tools/pi-bench-layers/Steps.h"

#include <algorithm>
#include <cstddef>
#include <ctime>

using namespace pi;
using namespace pi::bench;

namespace {
struct Run {
  Team &team;
  const std::vector<Step> &steps;
  ClockKind clock;
  std::vector<double> seconds; // [thread][step], with ClockKind::Cpu
};
} // namespace

static double now(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

static void runThread(void *context, uint32_t thread) {
  auto &run = *static_cast<Run *>(context);
  pi_call call{};
  call.struct_bytes = sizeof call;
  for (size_t i = 0; i < run.steps.size(); ++i) {
    const Step &step = run.steps[i];
    TileSpan span = tileSpan(step.tiles, thread, run.team.size());
    bool isTimed = run.clock == ClockKind::Cpu;
    double begin = isTimed ? now(CLOCK_THREAD_CPUTIME_ID) : 0;
    step.function(&call, step.args.data(), span.begin, span.end);
    if (isTimed)
      run.seconds[thread * run.steps.size() + i] = now(CLOCK_THREAD_CPUTIME_ID) - begin;
    if (i + 1 < run.steps.size())
      run.team.meet();
  }
}

double pi::bench::runSteps(Team &team, const std::vector<Step> &steps, ClockKind clock) {
  Run run{team, steps, clock, std::vector<double>(team.size() * steps.size())};
  double begin = now(CLOCK_MONOTONIC);
  team.run(runThread, &run);
  double wall = now(CLOCK_MONOTONIC) - begin, sum = 0;
  if (clock == ClockKind::Wall)
    return wall;
  for (size_t i = 0; i < steps.size(); ++i) {
    double longest = 0;
    for (size_t thread = 0; thread < team.size(); ++thread)
      longest = std::max(longest, run.seconds[thread * steps.size() + i]);
    sum += longest;
  }
  return sum;
}
