//===- Options.cpp - The command line of pi-profile -===//

#include "tools/pi-profile/Options.h"

#include "runtime/main/Flags.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <limits>
#include <string_view>

using namespace pi;

namespace {

constexpr uint32_t kShow = 1, kMerge = 2, kReport = 4;
constexpr uint32_t kRun = 8; // of a model
constexpr uint32_t kAll = kShow | kMerge | kReport | kRun;

constexpr FlagSpec kFlags[] = {
    {"json", nullptr, FlagValue::None, nullptr, "show", "print a JSON object; default: text",
     nullptr, nullptr, kShow},
    {"o", nullptr, FlagValue::Required, "FILE", "MODEL, merge, report",
     "write the profile, or the page (then - is stdout), here; required", nullptr, nullptr,
     kMerge | kReport | kRun},
    {"corpus", nullptr, FlagValue::Required, "FILE", "MODEL",
     "a text to count; may be given several times; default: text that\nthe model writes itself",
     nullptr, nullptr, kRun},
    {"tokens", nullptr, FlagValue::Required, "N", "MODEL",
     "tokens that the model writes; default: 32768", nullptr, nullptr, kRun},
    {"seed", nullptr, FlagValue::Required, "N", "MODEL",
     "of the model's text and of the sample; default: 1", nullptr, nullptr, kRun},
    {"shard", nullptr, FlagValue::Required, "I/N", "MODEL",
     "count the I-th of N parts, from 1, for `merge`; default: 1/1", nullptr, nullptr, kRun},
    {"window", nullptr, FlagValue::Required, "N", "MODEL",
     "tokens of text in a sequence; default: 511, less where the\nmodel's positions are fewer",
     nullptr, nullptr, kRun},
    {"max-chars", nullptr, FlagValue::Required, "N", "MODEL",
     "use the first N characters of each text only; default: all", nullptr, nullptr, kRun},
    {"tokenizer", nullptr, FlagValue::Required, "FILE", "MODEL",
     "tokenizer.json; default: beside MODEL", nullptr, nullptr, kRun},
    {"t", "threads", FlagValue::Required, "N", "MODEL", "threads; default: one per CPU", nullptr,
     nullptr, kRun},
    {"v", nullptr, FlagValue::None, nullptr, "MODEL",
     "print time and memory of each phase; default: off", nullptr, nullptr, kRun},
    {"plan", nullptr, FlagValue::Required, "FILE", "report",
     "show this placement too: what pi-compile MODEL --gpu=NAME -n\n--explain=json printed; "
     "default: none",
     nullptr, nullptr, kReport},
    {"help", "h", FlagValue::None, nullptr, "Other", "print this", nullptr, nullptr, kAll},
    {"version", nullptr, FlagValue::None, nullptr, "Other", "print the version", nullptr, nullptr,
     kAll},
};

struct CommandName {
  const char *name;
  ProfileCommand command;
  uint32_t scope;
};
constexpr CommandName kCommands[] = {
    {"show", ProfileCommand::Show, kShow},
    {"merge", ProfileCommand::Merge, kMerge},
    {"report", ProfileCommand::Report, kReport},
};

} // namespace

int pi::reportProfileUsage(const std::string &message) {
  llvm::errs() << "pi-profile: error: " << message << "\n"
               << "pi-profile: note: pi-profile --help lists commands and flags\n";
  return 2;
}

static void printHelp() {
  FlagTable table(kFlags);
  llvm::outs()
      << "How often each neuron of a model is active.\n\n"
         "usage: pi-profile MODEL -o OUT [flags]        count a model's neurons\n"
         "       pi-profile show FILE [--json]         what a profile holds\n"
         "       pi-profile merge FILE FILE... -o OUT   the shards of one run as one "
         "profile\n"
         "       pi-profile report FILE -o OUT.html     a page with charts\n\n"
         "MODEL is a model.onnx, or a Hugging Face directory. It is compiled into an\n"
         "executable that counts, which takes the model's space beside OUT while it runs.\n"
         "Ctrl-C keeps what was counted.\n\n"
      << table.help(kAll)
      << "\nexamples:\n"
         "  pi-profile model.onnx -o model.piprof\n"
         "  pi-profile model.onnx --corpus wiki.txt --corpus code.txt -o model.piprof\n"
         "  pi-profile merge part0.piprof part1.piprof -o model.piprof\n"
         "  pi-profile show model.piprof --json | jq .layers[0].sparsity\n"
         "  pi-profile report model.piprof -o report.html\n"
         "\nexit codes: 0 ok, 1 bad model, text, profile or output, 2 usage,\n"
         "  4 tool or linker missing, 70 internal, 130 interrupted\n";
}

/// The commands are words, so a model may not be called so; `./show` is one.
static const CommandName *findCommand(std::string_view word) {
  for (const CommandName &command : kCommands)
    if (word == command.name)
      return &command;
  return nullptr;
}

/// A command line that names no command: a model to profile, or a slip.
static std::optional<int> refuseSlips(const ParsedFlags &flags) {
  if (flags.positionals().empty())
    return reportProfileUsage("no command and no model given; for example: pi-profile model.onnx "
                              "-o model.piprof");
  std::string word(flags.positionals()[0]);
  std::string_view near = nearestWord(word, "show|merge|report");
  if (!near.empty() && !llvm::sys::fs::exists(word))
    return reportProfileUsage("unknown command '" + word + "'; did you mean '" + std::string(near) +
                              "'?");
  return std::nullopt;
}

/// `I/N`, I of 1 to N.
static bool readShard(std::string_view text, CalibrationOptions &out, std::string &error) {
  constexpr int64_t most = 1 << 20;
  size_t slash = std::min(text.find('/'), text.size());
  int64_t shard = 0, shards = 0;
  bool isGood = slash < text.size() && parseInteger(text.substr(slash + 1), 1, most, shards) &&
                parseInteger(text.substr(0, slash), 1, shards, shard);
  if (!isGood)
    error = "--shard: expected I/N with I from 1 to N, got '" + std::string(text) + "'";
  out.shard = static_cast<uint32_t>(shard);
  out.shards = static_cast<uint32_t>(shards);
  return isGood;
}

static std::optional<int> readRun(const ParsedFlags &flags, ProfileOptions &options) {
  constexpr int64_t any = std::numeric_limits<int64_t>::max() / 2, maxThreads = 1024;
  CalibrationOptions &calibration = options.calibration;
  std::string error;
  int64_t threads = 0;
  for (std::string_view corpus : flags.all("corpus"))
    calibration.corpora.emplace_back(corpus);
  if (!flags.getInteger("tokens", 1, any, calibration.tokens, error) ||
      !flags.getInteger("seed", 0, any, calibration.seed, error) ||
      !flags.getInteger("window", 1, 1 << 24, calibration.window, error) ||
      !flags.getInteger("max-chars", 0, any, calibration.maxChars, error) ||
      !flags.getInteger("t", 1, maxThreads, threads, error) ||
      (flags.has("shard") && !readShard(flags.get("shard"), calibration, error)))
    return reportProfileUsage(error);
  if (flags.has("tokens") && !calibration.corpora.empty())
    return reportProfileUsage("--tokens is for text that the model writes, not for --corpus");
  calibration.threads = static_cast<uint32_t>(threads);
  options.tokenizer = std::string(flags.get("tokenizer"));
  options.verbose = flags.has("v");
  return std::nullopt;
}

static std::optional<int> checkOptions(const ParsedFlags &flags, const std::string &command,
                                       ProfileOptions &options) {
  options.inputs.assign(flags.positionals().begin(), flags.positionals().end());
  options.output = std::string(flags.get("o"));
  options.json = flags.has("json");
  options.plan = std::string(flags.get("plan"));
  if (options.command == ProfileCommand::Merge && options.inputs.size() < 2)
    return reportProfileUsage("merge needs two profiles or more");
  bool isRun = options.command == ProfileCommand::Run;
  if (options.inputs.empty())
    return reportProfileUsage(command + " needs a profile");
  if (options.command != ProfileCommand::Merge && options.inputs.size() > 1)
    return reportProfileUsage(command + " takes one " + (isRun ? "model" : "profile") + ", got '" +
                              options.inputs[0] + "' and '" + options.inputs[1] + "'");
  if (options.command != ProfileCommand::Show && options.output.empty())
    return reportProfileUsage(command + " needs -o FILE");
  if (options.command != ProfileCommand::Report && options.output == "-")
    return reportProfileUsage("-o - is for report; a profile needs a file name");
  return std::nullopt;
}

std::optional<int> pi::parseProfileOptions(int argc, const char *const *argv,
                                           ProfileOptions &options) {
  const CommandName *command = argc > 1 ? findCommand(argv[1]) : nullptr;
  std::string name = command ? command->name : "";
  int first = command ? 2 : 1;
  FlagTable table(kFlags);
  ParsedFlags flags;
  std::string error;
  if (!table.parse(argc - first, argv + first, command ? command->scope : kRun,
                   command ? name : "pi-profile MODEL", flags, error))
    return reportProfileUsage(error);
  if (flags.has("help")) {
    printHelp();
    return 0;
  }
  if (flags.has("version")) {
    llvm::outs() << "pi-profile " PI_VERSION "\n";
    return 0;
  }
  if (!command)
    if (std::optional<int> code = refuseSlips(flags))
      return code;
  options.command = command ? command->command : ProfileCommand::Run;
  if (std::optional<int> code = checkOptions(flags, command ? name : "pi-profile", options))
    return code;
  return command ? std::nullopt : readRun(flags, options);
}
