//===- PhaseReport.h - What -v says -===//

#ifndef PI_TOOLS_PI_COMPILE_PHASEREPORT_H
#define PI_TOOLS_PI_COMPILE_PHASEREPORT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <string>

namespace pi {

/// Prints to stderr, if asked to, what was read and how long each phase took.
class PhaseReport {
public:
  explicit PhaseReport(bool verbose) : verbose(verbose), start(Clock::now()) {}

  /// Ends the work since the last call: its time, and the largest amount of memory that
  /// the process has had so far.
  void finish(llvm::StringRef phase);
  /// The files with their sizes in bytes.
  void listInputs(llvm::ArrayRef<std::string> files) const;

private:
  using Clock = std::chrono::steady_clock;
  bool verbose;
  Clock::time_point start;
};

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_PHASEREPORT_H
