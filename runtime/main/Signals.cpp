//===- Signals.cpp - SIGINT, SIGPIPE and SIGBUS ---------------------------===//

#include "runtime/main/Signals.h"

#include <atomic>
#include <csignal>

#include <signal.h>
#include <unistd.h>

namespace pi {

// A signal handler can reach nothing but a global.
static volatile std::sig_atomic_t interrupted = 0;

static void onInterrupt(int) { interrupted = 1; }

// Several threads may fault at once; the first one reports.
static std::atomic_flag reported = ATOMIC_FLAG_INIT;

static void onBusError(int) {
  while (reported.test_and_set())
    pause(); // until the process ends
  static const char message[] =
      "error: the weights cannot be read any more: was the file changed while it ran?\n";
  ssize_t ignored = write(STDERR_FILENO, message, sizeof message - 1);
  (void)ignored;
  _exit(1);
}

static void catchInterrupt() {
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  action.sa_handler = onInterrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
}

void installSignalHandlers() {
  struct sigaction action = {}, before = {};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, nullptr, &before);
  if (before.sa_handler != SIG_IGN) // nohup and background jobs ignore it
    catchInterrupt();
  action.sa_handler = onBusError;
  sigaction(SIGBUS, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
}

bool wasInterrupted() { return interrupted != 0; }

void rearmInterrupt() {
  interrupted = 0;
  catchInterrupt();
}

} // namespace pi
