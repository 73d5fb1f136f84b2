//===- PhaseReport.cpp - What -v says -===//

#include "tools/pi-compile/PhaseReport.h"

#include "codegen/Link/Progress.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <sys/resource.h>
#include <utility>

using namespace pi;

void PhaseReport::finish(llvm::StringRef phase) {
  Clock::time_point now = Clock::now();
  double ms = std::chrono::duration<double, std::milli>(now - std::exchange(start, now)).count();
  if (!verbose)
    return;
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  llvm::errs() << llvm::formatv("pi-compile: phase {0,-9} {1,10:f1} ms, peak memory {2}\n", phase,
                                ms, formatBytes(static_cast<uint64_t>(usage.ru_maxrss) << 10));
}

void PhaseReport::listInputs(llvm::ArrayRef<std::string> files) const {
  if (!verbose)
    return;
  for (const std::string &file : files) {
    uint64_t bytes = 0;
    bool isKnown = !llvm::sys::fs::file_size(file, bytes);
    llvm::errs() << "pi-compile: read " << file << ": " << (isKnown ? formatBytes(bytes) : "gone")
                 << "\n";
  }
}
