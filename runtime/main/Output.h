//===- Output.h - Standard output with errors -----------------------------===//

#ifndef PI_RUNTIME_MAIN_OUTPUT_H
#define PI_RUNTIME_MAIN_OUTPUT_H

#include <cstdint>
#include <string>
#include <string_view>

namespace pi {

/// Writes to a file descriptor at once, without a buffer. After the first failure it
/// writes nothing more.
class Output {
public:
  explicit Output(int descriptor) : descriptor(descriptor) {}

  /// Error: PI_ERROR_WRITE, also for every later call.
  int32_t write(std::string_view bytes);

  /// errno of the failure; 0 if there was none.
  int error() const { return failure; }

  /// True for a reader that went away (`| head`): no message is due.
  bool readerGone() const;

  /// Ends an unfinished line on standard error where that goes to the same file or
  /// terminal, for what is printed there next. The output itself stays as it is.
  void separateNotes();

  /// True for a terminal.
  bool isTerminal() const;

private:
  int descriptor;
  int failure = 0;
  char lastByte = '\n';
};

/// Reads all of the file at `path` (`-` is standard input) into `out`. Errors:
/// PI_ERROR_OPEN, PI_ERROR_INPUT beyond `maxBytes`, PI_ERROR_INTERRUPTED; `detail` names
/// the path.
int32_t readFile(const std::string &path, uint64_t maxBytes, std::string &out, std::string &detail);

} // namespace pi

#endif // PI_RUNTIME_MAIN_OUTPUT_H
