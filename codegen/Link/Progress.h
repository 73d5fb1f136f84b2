//===- Progress.h - How far long work is, for people -===//
// Decides when to say something and what; knows neither clock nor terminal.

#ifndef PI_CODEGEN_LINK_PROGRESS_H
#define PI_CODEGEN_LINK_PROGRESS_H

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

namespace pi {

/// Says nothing in the first two seconds. On a terminal one line is then redrawn, at
/// most ten times a second; elsewhere there is a line every ten seconds.
class Progress {
public:
  /// `what` begins each line, e.g. "writing model.bin". `now` is a steady clock in
  /// seconds, `print` takes text as it is to be written. The work begins now.
  Progress(std::string what, bool isTerminal, std::function<double()> now,
           std::function<void(std::string_view)> print);
  /// Takes the line away again.
  ~Progress() { finish(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Bytes done so far, of the total. Cheap: may be called for every block.
  void update(uint64_t doneBytes, uint64_t totalBytes);
  /// Ends the redrawn line, so that other text can follow. Idempotent.
  void finish();

  uint64_t getTotalBytes() const { return total; }
  /// Seconds since the beginning.
  double getSeconds() const { return now() - start; }

private:
  std::string describe(double time) const;

  std::string what;
  bool isTerminal;
  std::function<double()> now;
  std::function<void(std::string_view)> print;
  double start;
  double lastPrint = -1; // seconds since the beginning; negative: never
  bool isLineOpen = false;
  uint64_t done = 0, total = 0; // bytes
  /// (seconds, bytes done) of the last ten seconds, for the present speed.
  std::deque<std::pair<double, uint64_t>> samples;
};

/// "812 B", "1.5 MiB".
std::string formatBytes(uint64_t bytes);
/// "under a second", "12 s", "3 min 05 s", "2 h 10 min".
std::string formatDuration(double seconds);

} // namespace pi

#endif // PI_CODEGEN_LINK_PROGRESS_H
