//===- Steps.h - Kernels on a team of threads, timed -*- C++ -*-===//

#ifndef PI_TEST_TOOLS_PI_BENCH_LAYERS_STEPS_H
#define PI_TEST_TOOLS_PI_BENCH_LAYERS_STEPS_H

#include "runtime/abi/pi_abi.h"
#include "runtime/cpu/Team.h"

#include <cstdint>
#include <vector>

namespace pi::bench {

/// One dispatch, as in a program.
struct Step {
  pi_kernel_fn function;
  std::vector<void *> args;
  int64_t tiles;
};

/// Wall: from the first dispatch to the end of the last. Cpu: for each dispatch the longest
/// time that a thread was given for it, summed; leaves out other programs on the same CPUs,
/// and the waits of barriers.
enum class ClockKind { Wall, Cpu };

/// Runs the steps one after the other as the runtime does, each shared out over the team
/// with a barrier behind it; returns seconds.
double runSteps(Team &team, const std::vector<Step> &steps, ClockKind clock);

} // namespace pi::bench

#endif // PI_TEST_TOOLS_PI_BENCH_LAYERS_STEPS_H
