//===- CompileMain.cpp - pi-compile: a model in, one executable out -===//

#include "tools/pi-compile/CompileMain.h"

#include "tools/Mains.h"
#include "tools/pi-compile/ChildProcess.h"
#include "tools/pi-compile/Measure.h"
#include "tools/pi-compile/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <string>
#include <sys/auxv.h>
#include <unistd.h>
#include <vector>

/// Ends a program that was begun, removes half-written files and ends with the shell's code for the
/// signal: 130 after Ctrl-C, 143 after SIGTERM.
extern "C" void onTermination(int signal) {
  pi::signalChild(SIGTERM);
  llvm::sys::RunInterruptHandlers();
  _exit(128 + signal);
}

std::string pi::findProgram(llvm::StringRef name) {
  const char *executed = reinterpret_cast<const char *>(getauxval(AT_EXECFN));
  if (name.contains('/') || !executed)
    return name.str();
  llvm::SmallString<256> path(executed);
  (void)llvm::sys::fs::make_absolute(path); // else as it is
  return path.str().str();
}

static constexpr int kTerminating[] = {SIGHUP, SIGINT, SIGTERM};

/// Those of kTerminating that are ignored, as under nohup: they stay so.
static std::vector<int> findIgnored() {
  std::vector<int> ignored;
  for (int signal : kTerminating) {
    struct sigaction now = {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == SIG_IGN)
      ignored.push_back(signal);
  }
  return ignored;
}

void pi::installTerminationHandlers(const char *program) {
  std::vector<int> ignored = findIgnored();
  llvm::sys::PrintStackTraceOnErrorSignal(program);
  llvm::setBugReportMsg("pi-compile: internal error; please report it with the command line\n");
  // After LLVM's own handlers, which know one exit code only.
  for (int signal : kTerminating)
    std::signal(signal, llvm::is_contained(ignored, signal) ? SIG_IGN : onTermination);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN); // a write beyond the limit fails with EFBIG
}

int pi::compileMain(int argc, char **argv) {
  installTerminationHandlers(argv[0]);
  pi::DriverOptions options;
  if (std::optional<int> code = pi::parseOptions(argc, argv, options))
    return *code;
  if (options.measure)
    return pi::runMeasure(options.output);
  options.programPath = findProgram(options.programPath);
  return pi::runDriver(options);
}
