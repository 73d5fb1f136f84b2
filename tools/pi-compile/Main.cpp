//===- Main.cpp - pi-compile: a model in, one executable out -===//

#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "tools/pi-compile/Options.h"

#include <csignal>
#include <unistd.h>

int main(int argc, char **argv) {
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  llvm::setBugReportMsg("pi-compile: internal error; please report it with the command line\n");
  // Half-written files are removed by LLVM's handler, which then calls this.
  llvm::sys::SetInterruptFunction([] { _exit(pi::kExitInterrupted); });
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN); // a write beyond the limit fails with EFBIG
  pi::DriverOptions options;
  if (std::optional<int> code = pi::parseOptions(argc, argv, options))
    return *code;
  return pi::runDriver(options);
}
