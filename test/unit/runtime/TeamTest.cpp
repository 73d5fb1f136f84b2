//===- TeamTest.cpp - Threads and their barrier ---------------------------===//

#include "runtime/cpu/Team.h"
#include "runtime/abi/pi_abi.h"
#include "runtime/cpu/Barrier.h"
#include "runtime/cpu/Features.h"

#include <gtest/gtest.h>

#include <sched.h>

#include <set>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace pi;

namespace {

TEST(TileSpan, ContiguousDisjointWhole) {
  for (int64_t tiles : {int64_t(0), int64_t(1), int64_t(2), int64_t(7), int64_t(1000), kMaxTiles})
    for (uint32_t threads : {1u, 2u, 3u, 8u, kMaxThreads}) {
      int64_t next = 0, smallest = tiles, largest = 0;
      for (uint32_t thread = 0; thread < threads; ++thread) {
        TileSpan span = tileSpan(tiles, thread, threads);
        ASSERT_EQ(span.begin, next);
        ASSERT_LE(span.begin, span.end);
        next = span.end;
        smallest = std::min(smallest, span.end - span.begin);
        largest = std::max(largest, span.end - span.begin);
      }
      EXPECT_EQ(next, tiles);
      EXPECT_LE(largest - smallest, 1);
    }
}

/// All threads add to their own cell, meet, and read everyone's.
struct Exchange {
  Team &team;
  std::vector<int64_t> cells;
  std::vector<int64_t> seen;

  static void job(void *context, uint32_t thread) {
    auto &self = *static_cast<Exchange *>(context);
    for (int round = 0; round < 20; ++round) {
      self.cells[thread] += thread + 1;
      self.team.meet();
      int64_t sum = 0;
      for (int64_t cell : self.cells)
        sum += cell;
      self.seen[thread] = sum;
      self.team.meet(); // before the cells change again
    }
  }
};

TEST(Team, EveryThreadSeesWhatAllWroteBefore) {
  for (uint32_t threads : {1u, 2u, 3u, 8u, 33u}) { // more than there are CPUs, too
    Team team(threads);
    Exchange exchange = {team, std::vector<int64_t>(threads), std::vector<int64_t>(threads)};
    for (int run = 1; run <= 10; ++run) {
      team.run(Exchange::job, &exchange);
      int64_t expected = int64_t(threads) * (threads + 1) / 2 * 20 * run;
      for (int64_t seen : exchange.seen)
        ASSERT_EQ(seen, expected) << threads << " threads, run " << run;
    }
  }
}

TEST(Team, SizeIsClamped) {
  EXPECT_EQ(Team(0).size(), 1u);
  EXPECT_GE(defaultThreads(), 1u);
  EXPECT_LE(defaultThreads(), kMaxDefaultThreads);
}

TEST(Team, SleepsThroughLongPauses) {
  Team team(3);
  Exchange exchange = {team, std::vector<int64_t>(3), std::vector<int64_t>(3)};
  for (int run = 1; run <= 3; ++run) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // the workers sleep by now
    team.run(Exchange::job, &exchange);
    EXPECT_EQ(exchange.seen[2], 6 * 20 * run);
  }
}

TEST(Barrier, WithAndWithoutSpinning) {
  for (uint64_t spinCycles : {uint64_t(0), uint64_t(1000000)}) {
    constexpr int rounds = 2000, count = 3;
    Barrier barrier(count, spinCycles);
    int64_t shared = 0; // written by one thread a round, guarded by the barrier alone
    std::vector<std::thread> threads;
    std::vector<int64_t> errors(count);
    for (int thread = 0; thread < count; ++thread)
      threads.emplace_back([&, thread] {
        for (int round = 0; round < rounds; ++round) {
          if (round % count == thread)
            ++shared;
          barrier.wait();
          errors[size_t(thread)] += shared != round + 1;
          barrier.wait();
        }
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(shared, rounds);
    for (int64_t error : errors)
      EXPECT_EQ(error, 0);
  }
}

const uint32_t v3 = PI_CPU_SSE3 | PI_CPU_SSSE3 | PI_CPU_SSE41 | PI_CPU_SSE42 | PI_CPU_POPCNT |
                    PI_CPU_CX16 | PI_CPU_LAHF | PI_CPU_XSAVE | PI_CPU_AVX | PI_CPU_AVX2 |
                    PI_CPU_FMA | PI_CPU_F16C | PI_CPU_BMI1 | PI_CPU_BMI2 | PI_CPU_LZCNT |
                    PI_CPU_MOVBE;
const uint32_t v4 =
    v3 | PI_CPU_AVX512F | PI_CPU_AVX512BW | PI_CPU_AVX512CD | PI_CPU_AVX512DQ | PI_CPU_AVX512VL;

TEST(Features, NamesWhatIsMissing) {
  EXPECT_EQ(missingCpuFeatures(v3, v3 | PI_CPU_AVX512F), "");
  EXPECT_EQ(missingCpuFeatures(0, 0), "");
  // What programs asked for when the ABI had fewer bits.
  EXPECT_EQ(missingCpuFeatures(PI_CPU_AVX2 | PI_CPU_FMA | PI_CPU_F16C, v3), "");
  EXPECT_EQ(missingCpuFeatures(v3 | PI_CPU_AVX512F | PI_CPU_AVX512VL, v3),
            "it lacks AVX512F, AVX512VL; compile the model with pi-compile --cpu=x86-64-v3");
  EXPECT_EQ(missingCpuFeatures(v4, v4 & ~uint32_t(PI_CPU_AVX512CD)),
            "it lacks AVX512CD; compile the model with pi-compile --cpu=x86-64-v3");
  EXPECT_EQ(missingCpuFeatures(v3, v3 & ~uint32_t(PI_CPU_BMI2 | PI_CPU_MOVBE)),
            "it lacks BMI2, MOVBE; no model can be compiled for less than x86-64-v3");
  EXPECT_EQ(missingCpuFeatures(1u << 30, v3),
            "it lacks features this runtime does not know; compile the model with pi-compile "
            "--cpu=x86-64-v3");
}

// Each feature is named alone, so that each has a place in the runtime's table.
TEST(Features, AllAreKnown) {
  for (uint32_t bit = 1; bit <= PI_CPU_SSE41; bit <<= 1)
    EXPECT_EQ(missingCpuFeatures(bit, v4 & ~bit).find("does not know"), std::string::npos) << bit;
}

TEST(Features, AgreeWithTheCompiler) {
  uint32_t found = cpuFeatures();
  __builtin_cpu_init();
  EXPECT_EQ((found & v3) == v3, __builtin_cpu_supports("x86-64-v3") != 0);
  EXPECT_EQ((found & v4) == v4, __builtin_cpu_supports("x86-64-v4") != 0);
  EXPECT_EQ((found & PI_CPU_SSE3) != 0, __builtin_cpu_supports("sse3") != 0);
  EXPECT_EQ((found & PI_CPU_SSSE3) != 0, __builtin_cpu_supports("ssse3") != 0);
  EXPECT_EQ((found & PI_CPU_SSE41) != 0, __builtin_cpu_supports("sse4.1") != 0);
  EXPECT_EQ((found & PI_CPU_SSE42) != 0, __builtin_cpu_supports("sse4.2") != 0);
  EXPECT_EQ((found & PI_CPU_POPCNT) != 0, __builtin_cpu_supports("popcnt") != 0);
  EXPECT_EQ((found & PI_CPU_AVX) != 0, __builtin_cpu_supports("avx") != 0);
  EXPECT_EQ((found & PI_CPU_AVX2) != 0, __builtin_cpu_supports("avx2") != 0);
  EXPECT_EQ((found & PI_CPU_FMA) != 0, __builtin_cpu_supports("fma") != 0);
  EXPECT_EQ((found & PI_CPU_AVX) != 0, __builtin_cpu_supports("avx") != 0);
  EXPECT_EQ((found & PI_CPU_BMI1) != 0, __builtin_cpu_supports("bmi") != 0);
  EXPECT_EQ((found & PI_CPU_BMI2) != 0, __builtin_cpu_supports("bmi2") != 0);
  EXPECT_EQ((found & PI_CPU_LZCNT) != 0, __builtin_cpu_supports("lzcnt") != 0);
  EXPECT_EQ((found & PI_CPU_MOVBE) != 0, __builtin_cpu_supports("movbe") != 0);
  EXPECT_EQ((found & PI_CPU_POPCNT) != 0, __builtin_cpu_supports("popcnt") != 0);
  EXPECT_EQ((found & PI_CPU_SSE42) != 0, __builtin_cpu_supports("sse4.2") != 0);
  EXPECT_EQ((found & PI_CPU_AVX512CD) != 0, __builtin_cpu_supports("avx512cd") != 0);
  EXPECT_EQ((found & PI_CPU_F16C) != 0, __builtin_cpu_supports("f16c") != 0);
  EXPECT_EQ((found & PI_CPU_BMI1) != 0, __builtin_cpu_supports("bmi") != 0);
  EXPECT_EQ((found & PI_CPU_BMI2) != 0, __builtin_cpu_supports("bmi2") != 0);
  EXPECT_EQ((found & PI_CPU_LZCNT) != 0, __builtin_cpu_supports("lzcnt") != 0);
  EXPECT_EQ((found & PI_CPU_MOVBE) != 0, __builtin_cpu_supports("movbe") != 0);
  EXPECT_EQ((found & PI_CPU_AVX512F) != 0, __builtin_cpu_supports("avx512f") != 0);
  EXPECT_EQ((found & PI_CPU_AVX512BW) != 0, __builtin_cpu_supports("avx512bw") != 0);
  EXPECT_EQ((found & PI_CPU_AVX512CD) != 0, __builtin_cpu_supports("avx512cd") != 0);
  EXPECT_EQ((found & PI_CPU_AVX512VL) != 0, __builtin_cpu_supports("avx512vl") != 0);
  EXPECT_EQ((found & PI_CPU_AVX512DQ) != 0, __builtin_cpu_supports("avx512dq") != 0);
}

/// CPUs that the calling thread may run on.
static int allowedCpus() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  return sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : -1;
}

TEST(Team, OfAllCpusStaysWhereItIs) {
  int cpus = allowedCpus();
  if (cpus < 2)
    GTEST_SKIP() << "one CPU";
  struct Seen {
    std::vector<int> allowed, on;
  };
  auto look = [](void *context, uint32_t thread) {
    auto &seen = *static_cast<Seen *>(context);
    seen.allowed[thread] = allowedCpus();
    seen.on[thread] = sched_getcpu();
  };
  for (uint32_t threads : {uint32_t(cpus), uint32_t(cpus) - 1, uint32_t(cpus) + 1}) {
    Seen seen{std::vector<int>(threads), std::vector<int>(threads)};
    {
      Team team(threads);
      team.run(look, &seen);
    }
    bool pins = threads == uint32_t(cpus);
    for (int allowed : seen.allowed)
      EXPECT_EQ(allowed, pins ? 1 : cpus) << threads << " threads";
    if (pins)
      EXPECT_EQ(std::set<int>(seen.on.begin(), seen.on.end()).size(), threads);
    EXPECT_EQ(allowedCpus(), cpus) << "the caller is free again";
  }
}

} // namespace
