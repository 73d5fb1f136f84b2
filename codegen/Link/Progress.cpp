//===- Progress.cpp - How far long work is, for people -===//

#include "codegen/Link/Progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <utility>

using namespace pi;

static constexpr double kSilentSeconds = 2;   // shorter work needs no progress
static constexpr double kRedrawSeconds = 0.1; // on a terminal
static constexpr double kLineSeconds = 10;    // elsewhere
static constexpr double kSampleSeconds = 0.5; // between two samples of speed
static constexpr double kWindowSeconds = 10;  // over which the speed is taken

std::string pi::formatBytes(uint64_t bytes) {
  static constexpr const char *kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit)
    value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, unit ? "%.1f %s" : "%.0f %s", value, kUnits[unit]);
  return text;
}

std::string pi::formatDuration(double seconds) {
  constexpr double longest = 99 * 3600.0; // nobody believes more
  auto whole = static_cast<long>(std::lround(std::clamp(seconds, 0.0, longest)));
  char text[32];
  if (whole < 1)
    return "under a second";
  if (whole < 60)
    std::snprintf(text, sizeof text, "%ld s", whole);
  else if (whole < 3600)
    std::snprintf(text, sizeof text, "%ld min %02ld s", whole / 60, whole % 60);
  else
    std::snprintf(text, sizeof text, "%ld h %02ld min", whole / 3600, whole % 3600 / 60);
  return text;
}

Progress::Progress(std::string what, bool isTerminal, std::function<double()> clock,
                   std::function<void(std::string_view)> print)
    : what(std::move(what)), isTerminal(isTerminal), now(std::move(clock)), print(std::move(print)),
      start(now()) {
  samples.emplace_back(0, 0);
}

std::string Progress::describe(double time) const {
  // Rounded down: 100 % is said when it is true.
  double percent = total ? std::floor(100.0 * static_cast<double>(done) / total) : 100;
  char number[16];
  std::snprintf(number, sizeof number, "%3.0f %%", percent);
  std::string line = what + ": " + number + ", " + formatBytes(done) + " of " + formatBytes(total);
  auto [sampleTime, sampleBytes] = samples.front();
  double seconds = time - sampleTime;
  if (done > sampleBytes && seconds > 0 && done < total) {
    double speed = static_cast<double>(done - sampleBytes) / seconds;
    line += ", " + formatBytes(static_cast<uint64_t>(speed)) + "/s, " +
            formatDuration(static_cast<double>(total - done) / speed) + " left";
  }
  return line;
}

void Progress::update(uint64_t doneBytes, uint64_t totalBytes) {
  done = doneBytes;
  total = totalBytes;
  double time = getSeconds();
  bool isDue = lastPrint < 0 || time - lastPrint >= (isTerminal ? kRedrawSeconds : kLineSeconds);
  if (time >= kSilentSeconds && isDue) {
    std::string line = describe(time);
    print(isTerminal ? "\r" + line + "\x1b[K" : line + "\n");
    isLineOpen = isTerminal;
    lastPrint = time;
  }
  if (time - samples.back().first >= kSampleSeconds)
    samples.emplace_back(time, done);
  while (samples.size() > 1 && time - samples.front().first > kWindowSeconds)
    samples.pop_front();
}

void Progress::finish() {
  if (std::exchange(isLineOpen, false))
    print("\r\x1b[K");
}
