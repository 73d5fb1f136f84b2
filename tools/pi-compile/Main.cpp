//===- Main.cpp - pi-compile: a model in, one executable out -===//

#include "tools/pi-compile/Options.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <unistd.h>

/// Removes half-written files and ends with the shell's code for the signal: 130 after
/// Ctrl-C, 143 after SIGTERM.
extern "C" void onTermination(int signal) {
  llvm::sys::RunInterruptHandlers();
  _exit(128 + signal);
}

int main(int argc, char **argv) {
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  llvm::setBugReportMsg("pi-compile: internal error; please report it with the command line\n");
  // After LLVM's own handlers, which know one exit code only.
  for (int signal : {SIGHUP, SIGINT, SIGTERM})
    std::signal(signal, onTermination);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN); // a write beyond the limit fails with EFBIG
  pi::DriverOptions options;
  if (std::optional<int> code = pi::parseOptions(argc, argv, options))
    return *code;
  return pi::runDriver(options);
}
