//===- Options.cpp - The command line of pi-profile -===//

#include "tools/pi-profile/Options.h"

#include "runtime/main/Flags.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <string_view>

using namespace pi;

namespace {

constexpr uint32_t kShow = 1, kMerge = 2, kReport = 4;
constexpr uint32_t kRun = 8; // of a model; not built yet
constexpr uint32_t kAll = kShow | kMerge | kReport | kRun;

constexpr FlagSpec kFlags[] = {
    {"json", nullptr, FlagValue::None, nullptr, "show", "print a JSON object; default: text",
     nullptr, nullptr, kShow},
    {"o", nullptr, FlagValue::Required, "FILE", "merge, report",
     "write the profile, or the page (then - is stdout), here; required", nullptr, nullptr,
     kMerge | kReport, kRun},
    {"help", "h", FlagValue::None, nullptr, "Other", "print this", nullptr, nullptr, kAll},
    {"version", nullptr, FlagValue::None, nullptr, "Other", "print the version", nullptr, nullptr,
     kAll},
    // Known, not built yet: refused, never ignored.
    {"corpus", nullptr, FlagValue::Required, "FILE", "MODEL", "", nullptr, nullptr, 0, kRun},
    {"shard", nullptr, FlagValue::Required, "I/N", "MODEL", "", nullptr, nullptr, 0, kRun},
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
  llvm::outs() << "How often each neuron of a model is active.\n\n"
                  "usage: pi-profile show FILE [--json]         what a profile holds\n"
                  "       pi-profile merge FILE FILE... -o OUT   the shards of one run as one "
                  "profile\n"
                  "       pi-profile report FILE -o OUT.html     a page with charts\n\n"
               << table.help(kAll)
               << "\nexamples:\n"
                  "  pi-profile merge part0.piprof part1.piprof -o model.piprof\n"
                  "  pi-profile show model.piprof --json | jq .layers[0].sparsity\n"
                  "  pi-profile report model.piprof -o report.html\n"
                  "\nCounting (pi-profile MODEL --corpus FILE) is not built yet.\n"
                  "exit codes: 0 ok, 1 bad profile or output, 2 usage\n";
}

/// The commands are words, so a model may not be called so; `./show` is one.
static const CommandName *findCommand(std::string_view word) {
  for (const CommandName &command : kCommands)
    if (word == command.name)
      return &command;
  return nullptr;
}

/// A command line that names no command: a model to profile, or a slip.
static int refuseRun(const ParsedFlags &flags) {
  if (flags.positionals().empty())
    return reportProfileUsage("no command given; for example: pi-profile show model.piprof");
  std::string word(flags.positionals()[0]);
  std::string_view near = nearestWord(word, "show|merge|report");
  if (!near.empty() && !llvm::sys::fs::exists(word))
    return reportProfileUsage("unknown command '" + word + "'; did you mean '" + std::string(near) +
                              "'?");
  return reportProfileUsage("counting the neurons of a model ('" + word +
                            "') is not built yet; show, merge and report are");
}

static std::optional<int> checkOptions(const ParsedFlags &flags, const std::string &command,
                                       ProfileOptions &options) {
  options.inputs.assign(flags.positionals().begin(), flags.positionals().end());
  options.output = std::string(flags.get("o"));
  options.json = flags.has("json");
  if (options.command == ProfileCommand::Merge && options.inputs.size() < 2)
    return reportProfileUsage("merge needs two profiles or more");
  if (options.inputs.empty())
    return reportProfileUsage(command + " needs a profile");
  if (options.command != ProfileCommand::Merge && options.inputs.size() > 1)
    return reportProfileUsage(command + " takes one profile, got '" + options.inputs[0] +
                              "' and '" + options.inputs[1] + "'");
  if (options.command != ProfileCommand::Show && options.output.empty())
    return reportProfileUsage(command + " needs -o FILE");
  if (options.command == ProfileCommand::Merge && options.output == "-")
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
    return refuseRun(flags);
  options.command = command->command;
  return checkOptions(flags, name, options);
}
