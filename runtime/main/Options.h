//===- Options.h - The command line of an executable ----------------------===//

#ifndef PI_RUNTIME_MAIN_OPTIONS_H
#define PI_RUNTIME_MAIN_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace pi {

/// Values are bits, for FlagSpec::scopes.
enum class Command : uint32_t {
  Generate = 1,
  Logits = 2,
  Perplexity = 4,
  Info = 8,
  Verify = 16,
};

/// What the command line asks for, checked for usage.
struct Options {
  Command command = Command::Generate;
  bool help = false;
  bool version = false;
  bool json = false;
  bool gpuRequired = false;
  uint32_t threads = 0;
  int64_t contextLimit = 0; ///< tokens; 0: as compiled

  bool hasPrompt = false;
  std::string prompt;
  int64_t maxTokens = -1; ///< to generate; -1: no limit
  bool ignoreEos = false;

  std::vector<int32_t> ids; ///< for logits, instead of a prompt
  int64_t top = 10;         ///< logits per position

  std::string file;
  int64_t window = 511;  ///< text tokens per window
  int64_t maxChars = -1; ///< code points; -1: all
};

/// Reads `argc` arguments without the program's name. False and a message on anything
/// wrong: exit code 2.
bool parseOptions(int argc, const char *const *argv, Options &out, std::string &error);

/// The --help text of a command; `program` is how it was called.
std::string helpText(Command command, const std::string &program);

} // namespace pi

#endif // PI_RUNTIME_MAIN_OPTIONS_H
