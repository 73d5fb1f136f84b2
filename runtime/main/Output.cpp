//===- Output.cpp - Standard output with errors ---------------------------===//

#include "runtime/main/Output.h"

#include "runtime/core/Status.h"
#include "runtime/main/Signals.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pi {

int32_t Output::write(std::string_view bytes) {
  while (!bytes.empty() && !failure) {
    ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written > 0) {
      lastByte = bytes[static_cast<size_t>(written) - 1];
      bytes.remove_prefix(static_cast<size_t>(written));
    } else if (written < 0 && errno == EAGAIN) { // a non-blocking pipe
      pollfd ready = {descriptor, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (written < 0 && errno != EINTR) {
      failure = errno;
    }
  }
  return failure ? PI_ERROR_WRITE : PI_OK;
}

bool Output::readerGone() const { return failure == EPIPE; }

/// Whether both descriptors lead to the same file or terminal.
static bool leadToOne(int a, int b) {
  struct stat first, second;
  return fstat(a, &first) == 0 && fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

void Output::separateNotes() {
  if (lastByte != '\n' && leadToOne(descriptor, STDERR_FILENO))
    std::fputc('\n', stderr);
  lastByte = '\n';
}

bool Output::isTerminal() const { return isatty(descriptor) == 1; }

int32_t readFile(const std::string &path, uint64_t maxBytes, std::string &out,
                 std::string &detail) {
  bool isInput = path == "-";
  std::string name = isInput ? "standard input" : path;
  int fd = isInput ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ssize_t got = -1;
  out.clear();
  if (fd >= 0) {
    constexpr size_t pieceBytes = 1 << 16;
    do {
      size_t had = out.size();
      out.resize(had + pieceBytes);
      got = ::read(fd, out.data() + had, pieceBytes);
      out.resize(had + static_cast<size_t>(got > 0 ? got : 0));
    } while ((got > 0 && out.size() <= maxBytes) ||
             (got < 0 && errno == EINTR && !wasInterrupted()));
  }
  int error = errno;
  if (fd > STDIN_FILENO)
    close(fd);
  if (got < 0 && error == EINTR)
    return PI_ERROR_INTERRUPTED;
  if (got < 0)
    return fail(PI_ERROR_OPEN, detail, name + ": " + std::strerror(error));
  if (out.size() > maxBytes)
    return fail(PI_ERROR_INPUT, detail,
                name + ": more than " + std::to_string(maxBytes >> 20) + " MiB of text");
  return PI_OK;
}

} // namespace pi
