//===- LineReader.h - Lines from standard input, interruptible ------------===//

#ifndef PI_RUNTIME_MAIN_LINEREADER_H
#define PI_RUNTIME_MAIN_LINEREADER_H

#include <cstdint>
#include <string>

namespace pi {

/// Reads lines from a file descriptor. Editing a line is the terminal's business.
class LineReader {
public:
  explicit LineReader(int descriptor) : descriptor(descriptor) {}

  /// The next line without its end, into `line`; `ended` is set instead where there are
  /// no more. A last line without an end counts. Errors: PI_ERROR_INTERRUPTED,
  /// PI_ERROR_OPEN (unreadable), PI_ERROR_INPUT (a line of more than 1 MiB).
  int32_t next(std::string &line, bool &ended, std::string &detail);

private:
  int descriptor;
  std::string buffer; // read and not yet returned
  bool atEnd = false;
};

} // namespace pi

#endif // PI_RUNTIME_MAIN_LINEREADER_H
