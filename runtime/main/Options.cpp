//===- Options.cpp - The command line of an executable --------------------===//

#include "runtime/main/Options.h"

#include "runtime/cpu/Team.h"
#include "runtime/main/Flags.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace pi {

static constexpr uint32_t generate = uint32_t(Command::Generate);
static constexpr uint32_t logits = uint32_t(Command::Logits);
static constexpr uint32_t perplexity = uint32_t(Command::Perplexity);
static constexpr uint32_t computing = generate | logits | perplexity;
static constexpr uint32_t none = 0, anywhere = ~0u;

static constexpr const char *text = "Text", *sampling = "Choosing tokens", *machine = "Machine",
                            *output = "Output", *later = "Later";

static constexpr FlagSpec flagSpecs[] = {
    {"p", "prompt", FlagValue::Required, "TEXT", text,
     "the prompt; \"\" is the begin-of-text token alone", nullptr, nullptr, generate | logits},
    {"n", "predict", FlagValue::Required, "N", text,
     "tokens to generate; -1: until the end of the text or of the\ncontext (default); 0: only "
     "tokenise",
     nullptr, nullptr, generate},
    {"c", "ctx-size", FlagValue::Required, "N", text,
     "tokens of context to use (default: as compiled)", nullptr, nullptr, computing},
    {"ids", nullptr, FlagValue::Required, "1,2,3", text, "token ids instead of a prompt", nullptr,
     nullptr, logits},
    {"f", "file", FlagValue::Required, "FILE", text, "the text; - is standard input", nullptr,
     nullptr, perplexity, generate},
    {"window", nullptr, FlagValue::Required, "N", text, "tokens per window (default: 511)", nullptr,
     nullptr, perplexity},
    {"max-chars", nullptr, FlagValue::Required, "N", text, "use the first N characters only",
     nullptr, nullptr, perplexity},
    {"temp", nullptr, FlagValue::Required, "X", sampling,
     "0: always the likeliest token (default; sampling is not built yet)", nullptr, nullptr,
     generate},
    {"ignore-eos", nullptr, FlagValue::None, nullptr, sampling, "go on after an end-of-text token",
     nullptr, nullptr, generate},
    {"top", nullptr, FlagValue::Required, "N", output, "logits per position (default: 10)", nullptr,
     nullptr, logits},
    {"json", nullptr, FlagValue::None, nullptr, output, "print a JSON object"},
    {"help", "h", FlagValue::None, nullptr, output, "print this"},
    {"version", nullptr, FlagValue::None, nullptr, output, "print what made this file"},
    {"t", "threads", FlagValue::Required, "N", machine, "threads (default: one per CPU)", nullptr,
     nullptr, computing},
    {"no-gpu", nullptr, FlagValue::None, nullptr, machine, "use the CPU alone", nullptr, nullptr,
     computing},
    {"gpu-required", nullptr, FlagValue::None, nullptr, machine,
     "fail (exit code 4) where no GPU is used", nullptr, nullptr, computing},
    {"load", nullptr, FlagValue::Required, nullptr, machine,
     "map: weights are read where they lie (default)", "map", "pin", computing},
    // Known, not built yet: refused, never ignored.
    {"top-k", nullptr, FlagValue::Required, "N", later, "", nullptr, nullptr, none, anywhere},
    {"top-p", nullptr, FlagValue::Required, "X", later, "", nullptr, nullptr, none, anywhere},
    {"min-p", nullptr, FlagValue::Required, "X", later, "", nullptr, nullptr, none, anywhere},
    {"repeat-penalty", nullptr, FlagValue::Required, "X", later, "", nullptr, nullptr, none,
     anywhere},
    {"seed", nullptr, FlagValue::Required, "N", later, "", nullptr, nullptr, none, anywhere},
    {"min-recall", nullptr, FlagValue::Required, "X", later, "", nullptr, nullptr, none, anywhere},
    {"interactive", "i", FlagValue::None, nullptr, later, "", nullptr, nullptr, none, anywhere},
    {"layers", nullptr, FlagValue::None, nullptr, later, "", nullptr, nullptr, none, anywhere},
    {"trace", nullptr, FlagValue::Required, "FILE", later, "", nullptr, nullptr, none, anywhere},
};

namespace {
struct CommandName {
  Command command;
  const char *name;
};
} // namespace
static constexpr CommandName commandNames[] = {
    {Command::Logits, "logits"},
    {Command::Perplexity, "perplexity"},
    {Command::Info, "info"},
    {Command::Verify, "verify"},
};

/// Takes the command's name from the front of the arguments.
static bool takeCommand(int &argc, const char *const *&argv, Options &out, std::string &name,
                        std::string &error) {
  name = "generation";
  if (argc == 0 || argv[0][0] == '-')
    return true;
  std::string_view word = argv[0];
  std::string words;
  for (const CommandName &known : commandNames) {
    if (word == known.name) {
      out.command = known.command;
      name = known.name;
      --argc;
      ++argv;
      return true;
    }
    words += std::string(words.empty() ? "" : "|") + known.name;
  }
  if (word == "bench" || word == "serve" || word == "chat") {
    error = std::string(word) + " is not built yet";
    return false;
  }
  error = "unknown command '" + std::string(word) + "'";
  if (std::string_view near = nearestWord(word, words); !near.empty())
    error += "; did you mean '" + std::string(near) + "'?";
  else
    error += "; a prompt is given with -p TEXT";
  return false;
}

/// `1,2,3`.
static bool parseIds(std::string_view list, Options &out, std::string &error) {
  while (true) {
    size_t end = list.find(',');
    int64_t id = 0;
    if (!parseInteger(list.substr(0, end), 0, std::numeric_limits<int32_t>::max(), id)) {
      error = "--ids: expected token ids separated by commas, got '" +
              std::string(list.substr(0, end)) + "'";
      return false;
    }
    out.ids.push_back(static_cast<int32_t>(id));
    if (end == std::string_view::npos)
      return true;
    list.remove_prefix(end + 1);
  }
}

/// What one command needs and another lacks.
static bool checkNeeds(const ParsedFlags &flags, const Options &options, std::string &error) {
  switch (options.command) {
  case Command::Generate:
    if (!options.hasPrompt)
      error = "a prompt is needed: -p TEXT (a prompt on standard input and interactive use are "
              "not built yet)";
    break;
  case Command::Logits:
    if (options.hasPrompt == flags.has("ids"))
      error = "either --ids 1,2,3 or -p TEXT is needed";
    break;
  case Command::Perplexity:
    if (options.file.empty())
      error = "a text is needed: -f FILE";
    break;
  case Command::Info:
  case Command::Verify:
    break;
  }
  if (flags.has("gpu-required") && flags.has("no-gpu"))
    error = "--gpu-required and --no-gpu contradict each other";
  return error.empty();
}

static bool readNumbers(const ParsedFlags &flags, Options &out, std::string &error) {
  constexpr int64_t any = std::numeric_limits<int32_t>::max();
  int64_t threads = defaultThreads();
  double temperature = 0;
  if (!flags.getInteger("t", 1, kMaxThreads, threads, error) ||
      !flags.getInteger("c", 1, any, out.contextLimit, error) ||
      !flags.getInteger("n", -1, any, out.maxTokens, error) ||
      !flags.getInteger("top", 1, any, out.top, error) ||
      !flags.getInteger("window", 1, any, out.window, error) ||
      !flags.getInteger("max-chars", 0, std::numeric_limits<int64_t>::max(), out.maxChars, error) ||
      !flags.getNumber("temp", 0, 100, temperature, error))
    return false;
  out.threads = static_cast<uint32_t>(threads);
  if (temperature > 0) {
    error = "--temp above 0 is not built yet; --temp 0 takes the likeliest token";
    return false;
  }
  return true;
}

bool parseOptions(int argc, const char *const *argv, Options &out, std::string &error) {
  std::string name;
  if (!takeCommand(argc, argv, out, name, error))
    return false;
  ParsedFlags flags;
  if (!FlagTable(flagSpecs).parse(argc, argv, uint32_t(out.command), name, flags, error))
    return false;
  out.help = flags.has("help");
  out.version = flags.has("version");
  if (out.help || out.version)
    return true;
  if (!flags.positionals().empty()) {
    error = "unexpected argument '" + std::string(flags.positionals()[0]) + "'";
    return false;
  }
  out.json = flags.has("json");
  out.gpuRequired = flags.has("gpu-required");
  out.hasPrompt = flags.has("p");
  out.prompt = flags.get("p");
  out.ignoreEos = flags.has("ignore-eos");
  out.file = flags.get("f");
  if (flags.has("ids") && !parseIds(flags.get("ids"), out, error))
    return false;
  return readNumbers(flags, out, error) && checkNeeds(flags, out, error);
}

std::string helpText(Command command, const std::string &program) {
  std::string usage;
  switch (command) {
  case Command::Generate:
    usage = "Usage: " + program + " -p TEXT [flags]                  continue a text\n       " +
            program + " logits --ids 1,2,3|-p TEXT       logits at every position\n       " +
            program + " perplexity -f FILE               how well it predicts a text\n       " +
            program + " info                             what this file holds\n       " + program +
            " verify                           check every weight\n" +
            "Each command has its own --help. The text goes to standard output, all else to\n"
            "standard error.\n"
            "Exit codes: 0 ok, 1 bad input or file, 2 usage, 3 does not fit, 4 CPU or device\n"
            "missing, 70 internal error, 130 interrupted.\n";
    break;
  case Command::Logits:
    usage = "Usage: " + program +
            " logits --ids 1,2,3|-p TEXT [flags]\n"
            "The largest logits at every position, each token fed as given.\n";
    break;
  case Command::Perplexity:
    usage = "Usage: " + program +
            " perplexity -f FILE [flags]\n"
            "The text is cut into windows of tokens; each is fed after a begin-of-text token and\n"
            "every token of it is scored.\n";
    break;
  case Command::Info:
    usage = "Usage: " + program + " info [flags]\nWhat this file holds.\n";
    break;
  case Command::Verify:
    usage =
        "Usage: " + program + " verify [flags]\nReads all weights and compares their checksums.\n";
    break;
  }
  return usage + "\n" + FlagTable(flagSpecs).help(uint32_t(command));
}

} // namespace pi
