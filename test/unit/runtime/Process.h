//===- Process.h - Runs a program and keeps what it prints ----------------===//

#ifndef PI_TEST_UNIT_RUNTIME_PROCESS_H
#define PI_TEST_UNIT_RUNTIME_PROCESS_H

#include <string>
#include <vector>

namespace pi::test {

struct ProcessResult {
  int exitCode; ///< 128 + the signal's number where one ended it
  std::string out, err;
};

/// Runs `command` in the shell. `$0` is `program`.
ProcessResult runShell(const std::string &program, const std::string &command);

/// Runs `program` with `arguments`, without a shell.
ProcessResult run(const std::string &program, const std::vector<std::string> &arguments);

/// A folder that is removed with everything in it.
class TempFolder {
public:
  TempFolder();
  ~TempFolder();
  std::string file(const std::string &name) const { return path + "/" + name; }
  std::string path;
};

std::string readAll(const std::string &path);
void writeAll(const std::string &path, const std::string &bytes); ///< executable

} // namespace pi::test

#endif // PI_TEST_UNIT_RUNTIME_PROCESS_H
