//===- CountCommand.cpp - Runs texts through an instrumented program ------===//
// Texts of a corpus go through in windows, one after the other, several tokens of one at
// once. Text that the model writes itself is several sequences at once, each with its own
// KV cache and random numbers, so that nothing depends on how many there are.

#include "runtime/abi/pi_counts.h"
#include "runtime/core/Program.h"
#include "runtime/core/Status.h"
#include "runtime/main/Clock.h"
#include "runtime/main/Commands.h"
#include "runtime/main/Counter.h"
#include "runtime/main/Options.h"
#include "runtime/main/Output.h"
#include "runtime/main/Session.h"
#include "runtime/main/Signals.h"
#include "runtime/text/Sampler.h"
#include "runtime/text/Unicode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace pi {

namespace {

/// Says how long it will take, then how far it is.
class CountProgress {
public:
  CountProgress(uint64_t total) : total(total), isTerminal(isatty(STDERR_FILENO) == 1) {}

  void update(uint64_t done) {
    constexpr double firstAfterMs = 200, betweenMs = 250;
    double now = clock.milliseconds();
    if (now < next || done == 0)
      return;
    double speed = perSecond(done, now);
    if (next == firstAfterMs)
      std::fprintf(stderr, "counting %llu tokens: about %.0f s (%.0f tokens/s)\n",
                   static_cast<unsigned long long>(total), std::max(double(total) / speed, 1.0),
                   speed);
    else if (isTerminal)
      std::fprintf(stderr, "\r%3.0f %% of %llu tokens, %.0f tokens/s, %.0f s left\x1b[K",
                   100 * double(done) / double(total), static_cast<unsigned long long>(total),
                   speed, double(total - done) / speed);
    hasLine = isTerminal && next != firstAfterMs;
    next = now + betweenMs;
  }
  ~CountProgress() {
    if (hasLine)
      std::fputs("\r\x1b[K", stderr);
  }

private:
  uint64_t total;
  bool isTerminal, hasLine = false;
  double next = 200; // ms
  Clock clock;
};

/// A sequence that a lane of its own writes.
struct Writer {
  uint64_t sequence = 0;
  int64_t position = 0; // of the next token in its text
  int32_t token = 0;
  std::vector<text::Sampler> sampler; // none before the first token, else one
};

} // namespace

/// Sequences of `all` that are this shard's: shard, shard + shards, ...
static uint64_t sequencesOfShard(uint64_t all, const CountOptions &count) {
  return all > count.shard ? (all - count.shard - 1) / count.shards + 1 : 0;
}

static int32_t notNumbers(std::string &detail) {
  return fail(PI_ERROR_NUMBERS, detail, "an activation is NaN");
}

//===----------------------------------------------------------------------===//
// A corpus
//===----------------------------------------------------------------------===//

/// The windows of all files: `window` tokens each, bos first where there is one. Tokens of
/// a file that do not fill a window are left out, unless no file fills one.
static int32_t readWindows(const Session &session, const Options &options, int64_t window,
                           std::vector<std::vector<int32_t>> &windows, std::string &detail) {
  constexpr uint64_t maxTextBytes = (uint64_t(1) << 31) - 1;
  int32_t bos = session.bosId();
  size_t textTokens = size_t(window) - (bos >= 0 && window > 1 ? 1 : 0);
  std::vector<int32_t> longest;
  auto addWindow = [&](const int32_t *tokens, size_t count, std::vector<int32_t> &to) {
    if (textTokens < size_t(window))
      to.push_back(bos);
    to.insert(to.end(), tokens, tokens + count);
  };
  for (const std::string &path : options.count.files) {
    std::string text;
    if (int32_t status = readFile(path, maxTextBytes, text, detail))
      return status;
    std::string_view used =
        options.maxChars < 0 ? text : text::firstCharacters(text, options.maxChars);
    std::vector<int32_t> ids = session.tokenizer().encode(used, /*addSpecialTokens=*/false);
    for (int32_t id : ids)
      if (id >= int64_t(session.vocab()))
        return fail(PI_ERROR_INPUT, detail,
                    path + ": the tokenizer gives id " + std::to_string(id) + ", the model has " +
                        std::to_string(session.vocab()) + " tokens");
    if (ids.size() > longest.size())
      longest = ids;
    for (size_t at = 0; at + textTokens <= ids.size(); at += textTokens) {
      windows.emplace_back();
      addWindow(&ids[at], textTokens, windows.back());
    }
  }
  if (windows.empty() && !longest.empty()) {
    windows.emplace_back();
    addWindow(longest.data(), longest.size(), windows.back());
  }
  return windows.empty() ? fail(PI_ERROR_INPUT, detail, "the corpus has no tokens")
                         : int32_t(PI_OK);
}

static int32_t countCorpus(Session &session, const Options &options, int64_t window,
                           Counter &counter, std::string &detail) {
  std::vector<std::vector<int32_t>> windows;
  if (int32_t status = readWindows(session, options, window, windows, detail))
    return status;
  uint64_t total = 0;
  for (uint64_t i = options.count.shard; i < windows.size(); i += options.count.shards)
    total += windows[i].size();
  CountProgress progress(total);
  for (uint64_t i = options.count.shard; i < windows.size(); i += options.count.shards)
    for (size_t at = 0; at < windows[i].size();) {
      auto block = uint32_t(std::min<size_t>(windows[i].size() - at, session.lanes()));
      if (int32_t status =
              session.stepBlock(&windows[i][at], block, int64_t(at), /*lastLogitsOnly=*/true))
        return status;
      TokenPlace places[kMaxLanes];
      for (uint32_t lane = 0; lane < block; ++lane)
        places[lane] = {i, at + lane};
      if (!counter.add(places, block))
        return notNumbers(detail);
      at += block;
      progress.update(counter.tokens());
    }
  return PI_OK;
}

//===----------------------------------------------------------------------===//
// The model's own text
//===----------------------------------------------------------------------===//

/// Every token as likely as the model says.
static text::SamplerSettings plainSampling() {
  text::SamplerSettings settings;
  settings.temperature = 1;
  settings.topK = 0;
  settings.topP = 1;
  settings.minP = 0;
  return settings;
}

/// Begins a sequence: its random numbers depend on its number alone.
static void begin(Writer &writer, uint64_t sequence, const Session &session, uint64_t seed) {
  writer.sequence = sequence;
  writer.position = 0;
  writer.token = session.bosId();
  writer.sampler.clear();
  writer.sampler.emplace_back(plainSampling(), session.vocab(),
                              samplePriority(seed, {sequence, UINT64_MAX}));
}

namespace {
/// Choosing the next tokens, a job for the team.
struct Choice {
  const Session &session;
  std::vector<Writer> &writers;
};
} // namespace

/// Chooses next tokens from the lanes' logits; an ended text is followed by a new one.
static void choose(void *context, uint32_t thread) {
  auto &choice = *static_cast<Choice *>(context);
  const Session &session = choice.session;
  for (size_t i = thread; i < choice.writers.size(); i += session.threads()) {
    Writer &writer = choice.writers[i];
    ++writer.position;
    writer.token = writer.sampler.front().choose(session.logits(uint32_t(i)));
    if (session.isEos(writer.token)) {
      writer.token = session.bosId();
      writer.position = 0;
    }
  }
}

/// One token of each sequence, the `written`th.
static int32_t stepWriters(Session &session, std::vector<Writer> &writers, int64_t written,
                           Counter &counter, std::string &detail) {
  Program::Input inputs[kMaxLanes];
  TokenPlace places[kMaxLanes];
  auto lanes = uint32_t(writers.size());
  for (uint32_t i = 0; i < lanes; ++i) {
    inputs[i] = {writers[i].token, writers[i].position, true};
    places[i] = {writers[i].sequence, uint64_t(written)};
  }
  if (int32_t status = session.stepLanes(inputs, lanes))
    return status;
  Choice choice{session, writers};
  session.threadTeam().run(choose, &choice);
  bool areNumbers = counter.add(places, lanes);
  for (const Writer &writer : writers)
    areNumbers &= writer.token >= 0;
  return areNumbers ? int32_t(PI_OK) : notNumbers(detail);
}

static int32_t countOwnText(Session &session, const Options &options, int64_t window,
                            Counter &counter, std::string &detail) {
  if (session.bosId() < 0 || session.bosId() >= int64_t(session.vocab()))
    return fail(PI_ERROR_INPUT, detail,
                "the model has no bos token to begin a text with; give a corpus");
  const CountOptions &count = options.count;
  uint64_t all = (uint64_t(count.tokens) + uint64_t(window) - 1) / uint64_t(window);
  uint64_t mine = sequencesOfShard(all, count), begun = 0;
  CountProgress progress(mine * uint64_t(window));
  std::vector<Writer> writers;
  while (begun < mine) { // as many sequences as there are lanes, which end together
    writers.resize(size_t(std::min<uint64_t>(session.lanes(), mine - begun)));
    for (Writer &writer : writers)
      begin(writer, count.shard + begun++ * count.shards, session, uint64_t(count.seed));
    for (int64_t written = 0; written < window; ++written) {
      if (int32_t status = stepWriters(session, writers, written, counter, detail))
        return status;
      progress.update(counter.tokens());
    }
  }
  return PI_OK;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// Lanes whose KV caches take no more than a quarter of the memory that is free.
static uint32_t affordableLanes(const pi_program &tables, uint32_t wanted) {
  uint64_t cacheBytes = 1;
  for (uint32_t i = 0; i < tables.num_arenas; ++i)
    if (tables.arenas[i].kind == PI_ARENA_KV_CACHE)
      cacheBytes += tables.arenas[i].bytes;
  auto known = [](int name) { return uint64_t(std::max(sysconf(name), 0L)); };
  uint64_t free = known(_SC_AVPHYS_PAGES) * known(_SC_PAGESIZE);
  return uint32_t(std::min<uint64_t>(wanted, std::max<uint64_t>(free / 4 / cacheBytes, 1)));
}

int32_t runCount(Session &session, const Options &options, std::string &detail) {
  constexpr uint64_t maxSampleBytes = uint64_t(64) << 20;
  const CountOptions &count = options.count;
  if (session.runningProgram().numTraces() == 0)
    return fail(PI_ERROR_USAGE, detail,
                "count needs an executable that was made for it; pi-profile makes and runs one");
  if (count.files.empty()) {
    uint32_t lanes = affordableLanes(session.programTables(), options.batchTokens);
    if (int32_t status = session.setLanes(lanes, LaneCaches::Own, detail))
      return status;
  }
  // With bos, and no more than fits.
  int64_t window = std::min(options.window + 1, session.context());
  Counter counter(session.runningProgram(), session.threadTeam(), uint64_t(count.seed),
                  maxSampleBytes);
  int32_t status = count.files.empty() ? countOwnText(session, options, window, counter, detail)
                                       : countCorpus(session, options, window, counter, detail);
  if (status != PI_OK && status != PI_ERROR_INTERRUPTED)
    return status;
  pi_counts head = {};
  head.window = uint32_t(window);
  head.shard = count.shard;
  head.shards = count.shards;
  head.complete = status == PI_OK;
  head.self_sampled = count.files.empty();
  if (int32_t problem = counter.write(count.output, head, detail))
    return problem;
  return status;
}

} // namespace pi
