//===- Options.h - The command line of an executable ----------------------===//

#ifndef PI_RUNTIME_MAIN_OPTIONS_H
#define PI_RUNTIME_MAIN_OPTIONS_H

#include "runtime/text/Sampler.h"

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
  Bench = 32,
  Count = 64,
};

/// What `bench` measures.
struct BenchOptions {
  int64_t promptTokens = 512;
  int64_t newTokens = 128;
  int64_t repetitions = 5;
};

/// What `count` runs, for pi-profile.
struct CountOptions {
  std::vector<std::string> files; ///< of text; none: the model writes it itself
  std::string output;
  int64_t tokens = 32768; ///< of text that the model writes
  int64_t seed = 1;
  uint32_t shard = 0, shards = 1; ///< sequences i with i % shards == shard
};

/// What the command line asks for, checked for usage.
struct Options {
  Command command = Command::Generate;
  bool help = false;
  bool version = false;
  bool json = false;
  bool gpuRequired = false;
  uint32_t threads = 0;
  bool pinsWeights = false;  ///< copied at start into large pages
  uint32_t batchTokens = 16; ///< tokens of a given text that are run at once
  int64_t contextLimit = 0;  ///< tokens; 0: as compiled

  bool hasPrompt = false;
  std::string prompt;
  bool interactive = false; ///< go on with lines from standard input
  int64_t maxTokens = -1;   ///< to generate, per answer; -1: no limit
  bool ignoreEos = false;
  text::SamplerSettings sampling; ///< repeatLastN -1: the whole context
  int64_t seed = -1;              ///< -1: a random one
  std::vector<std::string> stops; ///< none is empty; well-formed UTF-8

  std::vector<int32_t> ids; ///< for logits, instead of a prompt
  int64_t top = 10;         ///< logits per position

  bool hasFile = false;
  std::string file;
  int64_t window = 511;  ///< text tokens per window
  int64_t maxChars = -1; ///< code points; -1: all

  BenchOptions bench;
  CountOptions count;
};

/// Reads `argc` arguments without the program's name. False and a message on anything
/// wrong: exit code 2.
bool parseOptions(int argc, const char *const *argv, Options &out, std::string &error);

/// The --help text of a command; `program` is how it was called.
std::string helpText(Command command, const std::string &program);

} // namespace pi

#endif // PI_RUNTIME_MAIN_OPTIONS_H
