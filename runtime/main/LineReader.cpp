//===- LineReader.cpp - Lines from standard input, interruptible ----------===//

#include "runtime/main/LineReader.h"

#include "runtime/core/Status.h"
#include "runtime/main/Signals.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include <poll.h>
#include <signal.h>
#include <unistd.h>

namespace pi {

/// Waits for input or SIGINT; false on SIGINT. The signal is blocked but while waiting,
/// so it cannot slip in between the check and the wait.
static bool waitForInput(int descriptor) {
  sigset_t interrupt, before;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  sigprocmask(SIG_BLOCK, &interrupt, &before);
  bool ready = false;
  while (!ready && !wasInterrupted()) {
    pollfd input = {descriptor, POLLIN, 0};
    ready = ppoll(&input, 1, nullptr, &before) >= 0 || errno != EINTR;
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return ready;
}

int32_t LineReader::next(std::string &line, bool &ended, std::string &detail) {
  constexpr size_t pieceBytes = 4096, maxLineBytes = 1 << 20;
  ended = false;
  while (true) {
    size_t end = buffer.find('\n');
    if (end != std::string::npos || (atEnd && !buffer.empty())) {
      line = buffer.substr(0, end);
      buffer.erase(0, end == std::string::npos ? end : end + 1);
      return PI_OK;
    }
    if (atEnd) {
      ended = true;
      return PI_OK;
    }
    if (buffer.size() > maxLineBytes)
      return fail(PI_ERROR_INPUT, detail, "standard input: a line of more than 1 MiB");
    if (!waitForInput(descriptor))
      return PI_ERROR_INTERRUPTED;
    char piece[pieceBytes];
    ssize_t got = read(descriptor, piece, sizeof piece);
    if (got < 0 && errno != EINTR && errno != EAGAIN)
      return fail(PI_ERROR_OPEN, detail, std::string("standard input: ") + std::strerror(errno));
    atEnd = got == 0;
    buffer.append(piece, size_t(got > 0 ? got : 0));
  }
}

} // namespace pi
