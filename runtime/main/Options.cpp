//===- Options.cpp - The command line of an executable --------------------===//

#include "runtime/main/Options.h"

#include "runtime/core/Program.h"
#include "runtime/cpu/Team.h"
#include "runtime/main/Flags.h"
#include "runtime/main/GenerateOptions.h"
#include "runtime/main/OptionTable.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace pi {

namespace {
struct CommandName {
  Command command;
  const char *name;
};
} // namespace
static constexpr CommandName commandNames[] = {
    {Command::Logits, "logits"}, {Command::Perplexity, "perplexity"}, {Command::Info, "info"},
    {Command::Verify, "verify"}, {Command::Bench, "bench"},           {Command::Count, "count"},
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
  if (word == "serve" || word == "chat") {
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
  case Command::Logits:
    if (options.hasPrompt == flags.has("ids"))
      error = "either --ids 1,2,3 or -p TEXT is needed";
    break;
  case Command::Perplexity:
    if (options.file.empty())
      error = "a text is needed: -f FILE";
    break;
  case Command::Bench:
    if (options.bench.promptTokens == 0 && options.bench.newTokens == 0)
      error = "nothing to measure: -p and -n are both 0";
    break;
  default:
    break;
  }
  if (flags.has("gpu-required") && flags.has("no-gpu"))
    error = "--gpu-required and --no-gpu contradict each other";
  return error.empty();
}

static bool readNumbers(const ParsedFlags &flags, Options &out, std::string &error) {
  constexpr int64_t any = std::numeric_limits<int32_t>::max();
  int64_t threads = defaultThreads(), batch = out.batchTokens;
  if (!flags.getInteger("t", 1, kMaxThreads, threads, error) ||
      !flags.getInteger("b", 1, kMaxLanes, batch, error) ||
      !flags.getInteger("c", 1, any, out.contextLimit, error) ||
      (out.command != Command::Bench && !flags.getInteger("n", -1, any, out.maxTokens, error)) ||
      !flags.getInteger("top", 1, any, out.top, error) ||
      !flags.getInteger("window", 1, any, out.window, error) ||
      !flags.getInteger("max-chars", 0, std::numeric_limits<int64_t>::max(), out.maxChars, error))
    return false;
  out.threads = static_cast<uint32_t>(threads);
  out.batchTokens = static_cast<uint32_t>(batch);
  return true;
}

/// `-p` and `-n` are numbers here.
static bool readBench(const ParsedFlags &flags, Options &out, std::string &error) {
  constexpr int64_t any = std::numeric_limits<int32_t>::max();
  BenchOptions &bench = out.bench;
  if (!flags.getInteger("p", 0, any, bench.promptTokens, error) ||
      !flags.getInteger("n", 0, any, bench.newTokens, error) ||
      !flags.getInteger("r", 1, 10000, bench.repetitions, error))
    return false;
  if (out.json && flags.get("o") == "md")
    error = "--json and -o md contradict each other";
  out.json = out.json || flags.get("o") == "json";
  return error.empty();
}

/// `I/N`, I of 1 to N.
static bool readShard(std::string_view text, CountOptions &out, std::string &error) {
  constexpr int64_t most = 1 << 20;
  size_t slash = std::min(text.find('/'), text.size());
  int64_t shard = 0, shards = 0;
  bool isGood = slash < text.size() && parseInteger(text.substr(slash + 1), 1, most, shards) &&
                parseInteger(text.substr(0, slash), 1, shards, shard);
  if (!isGood)
    error = "--shard: expected I/N with I from 1 to N, got '" + std::string(text) + "'";
  out.shard = static_cast<uint32_t>(shard - 1);
  out.shards = static_cast<uint32_t>(shards);
  return isGood;
}

static bool readCount(const ParsedFlags &flags, Options &out, std::string &error) {
  constexpr int64_t any = std::numeric_limits<int64_t>::max() / 2;
  CountOptions &count = out.count;
  for (std::string_view file : flags.all("f"))
    count.files.emplace_back(file);
  count.output = flags.get("o");
  if (count.output.empty())
    error = "a file for the counts is needed: -o FILE";
  return error.empty() && flags.getInteger("tokens", 1, any, count.tokens, error) &&
         flags.getInteger("seed", 0, any, count.seed, error) &&
         (!flags.has("shard") || readShard(flags.get("shard"), count, error));
}

/// What only one command takes.
static bool readCommandOptions(const ParsedFlags &flags, Options &out, std::string &error) {
  if (out.command == Command::Bench)
    return readBench(flags, out, error);
  if (out.command == Command::Count)
    return readCount(flags, out, error);
  out.hasPrompt = flags.has("p");
  out.prompt = flags.get("p");
  out.hasFile = flags.has("f");
  out.file = flags.get("f");
  if (out.command == Command::Generate)
    return readGenerateOptions(flags, out, error);
  return !flags.has("ids") || parseIds(flags.get("ids"), out, error);
}

bool parseOptions(int argc, const char *const *argv, Options &out, std::string &error) {
  std::string name;
  if (!takeCommand(argc, argv, out, name, error))
    return false;
  ParsedFlags flags;
  if (!optionTable().parse(argc, argv, uint32_t(out.command), name, flags, error))
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
  out.pinsWeights = flags.get("load") == "pin";
  return readNumbers(flags, out, error) && readCommandOptions(flags, out, error) &&
         checkNeeds(flags, out, error);
}

} // namespace pi
