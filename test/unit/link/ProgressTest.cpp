//===- ProgressTest.cpp - What progress says, and when -===//

#include "codegen/Link/Progress.h"

#include "gtest/gtest.h"

using namespace pi;

namespace {

constexpr uint64_t kMiB = 1 << 20;

/// A progress with a clock that the test moves.
struct Fixture {
  explicit Fixture(bool isTerminal)
      : progress(
            "writing x", isTerminal, [this] { return time; },
            [this](std::string_view text) { said += text; }) {}
  /// What was said since the last call.
  std::string take() { return std::exchange(said, {}); }

  double time = 100; // seconds; the beginning of the clock is arbitrary
  std::string said;
  Progress progress;
};

} // namespace

TEST(Progress, ShortWorkIsSilent) {
  for (bool isTerminal : {false, true}) {
    Fixture f(isTerminal);
    for (int i = 0; i <= 19; ++i) {
      f.time = 100 + i * 0.1;
      f.progress.update(i * kMiB, 19 * kMiB);
    }
    f.progress.finish();
    EXPECT_EQ(f.take(), "");
  }
}

TEST(Progress, LinesEveryTenSeconds) {
  Fixture f(false);
  f.time = 102;
  f.progress.update(20 * kMiB, 400 * kMiB);
  EXPECT_EQ(f.take(), "writing x:   5 %, 20.0 MiB of 400.0 MiB, 10.0 MiB/s, 38 s left\n");
  for (double t = 103; t < 112; t += 0.5) {
    f.time = t;
    f.progress.update(static_cast<uint64_t>((t - 100) * 10 * kMiB), 400 * kMiB);
  }
  EXPECT_EQ(f.take(), "");
  f.time = 112;
  f.progress.update(120 * kMiB, 400 * kMiB);
  EXPECT_EQ(f.take(), "writing x:  30 %, 120.0 MiB of 400.0 MiB, 10.0 MiB/s, 28 s left\n");
  f.progress.finish();
  EXPECT_EQ(f.take(), "");
}

TEST(Progress, TerminalLineIsRedrawnAndTakenAway) {
  Fixture f(true);
  f.time = 102;
  f.progress.update(kMiB, 4 * kMiB);
  EXPECT_EQ(f.take(), "\rwriting x:  25 %, 1.0 MiB of 4.0 MiB, 512.0 KiB/s, 6 s left\x1b[K");
  f.time = 102.05; // sooner than a tenth of a second
  f.progress.update(2 * kMiB, 4 * kMiB);
  EXPECT_EQ(f.take(), "");
  f.time = 104;
  f.progress.update(4 * kMiB, 4 * kMiB);
  EXPECT_EQ(f.take(), "\rwriting x: 100 %, 4.0 MiB of 4.0 MiB\x1b[K");
  f.progress.finish();
  f.progress.finish();
  EXPECT_EQ(f.take(), "\r\x1b[K");
}

TEST(Progress, SpeedIsThatOfTheLastSeconds) {
  Fixture f(true);
  for (int second = 1; second <= 20; ++second) { // fast
    f.time = 100 + second;
    f.progress.update(second * 100 * kMiB, 4000 * kMiB);
  }
  for (int second = 1; second <= 11; ++second) { // slow
    f.time = 120 + second;
    f.progress.update((2000 + second) * kMiB, 4000 * kMiB);
  }
  std::string said = f.take();
  EXPECT_NE(said.find("2.0 GiB of 3.9 GiB, 1.0 MiB/s, 33 min 09 s left\x1b[K", said.rfind('\r')),
            std::string::npos)
      << said.substr(said.rfind('\r') + 1);
}

TEST(Progress, NoSpeedNoGuess) {
  Fixture f(false);
  f.time = 105;
  f.progress.update(0, 10 * kMiB);
  EXPECT_EQ(f.take(), "writing x:   0 %, 0 B of 10.0 MiB\n");
  Fixture empty(false);
  empty.time = 105;
  empty.progress.update(0, 0);
  EXPECT_EQ(empty.take(), "writing x: 100 %, 0 B of 0 B\n");
}

TEST(Progress, AlmostDoneIsNotDone) {
  Fixture f(false);
  f.time = 103;
  f.progress.update(99999, 100000);
  EXPECT_NE(f.take().find(" 99 %"), std::string::npos);
}

TEST(Progress, Durations) {
  EXPECT_EQ(formatDuration(0.2), "under a second");
  EXPECT_EQ(formatDuration(59.4), "59 s");
  EXPECT_EQ(formatDuration(59.6), "1 min 00 s");
  EXPECT_EQ(formatDuration(7800), "2 h 10 min");
  EXPECT_EQ(formatDuration(1e300), "99 h 00 min");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(3u << 19), "1.5 MiB");
}
