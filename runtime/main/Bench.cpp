//===- Bench.cpp - How fast prompts are read and texts generated ----------===//

#include "runtime/core/Status.h"
#include "runtime/main/BytesRead.h"
#include "runtime/main/Clock.h"
#include "runtime/main/Commands.h"
#include "runtime/main/Json.h"
#include "runtime/main/Options.h"
#include "runtime/main/Output.h"
#include "runtime/main/ReadBandwidth.h"
#include "runtime/main/Session.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

namespace pi {

namespace {

/// One row of the table. Times are those of a whole run.
struct Row {
  std::string test;
  size_t tokens = 0;
  uint32_t blockTokens = 1; // run at once
  double minMs = 0;
  double medianMs = 0;
  double bytesPerToken = 0; // mean over the tokens of a run
  double readBytesPerSecond = 0;

  double tokensPerSecond() const { return perSecond(tokens, medianMs); }
  double cpuGbs() const { return bytesPerToken * tokensPerSecond() / 1e9; }
  double readGbs() const { return readBytesPerSecond / 1e9; }
  double boundTokensPerSecond() const {
    return bytesPerToken > 0 ? readBytesPerSecond / bytesPerToken : 0;
  }
};

} // namespace

/// The same ids on every machine and in every run.
static std::vector<int32_t> fixedTokens(size_t count, uint32_t vocab) {
  std::mt19937_64 random(1);
  std::vector<int32_t> ids(count);
  for (int32_t &id : ids)
    id = static_cast<int32_t>(random() % vocab);
  return ids;
}

/// Feeds `ids` into an empty context, as a prompt (`blockTokens` at once, logits of each
/// block's last) or as a generated text (1). With `counter`, adds what is read.
static int32_t feed(Session &session, const std::vector<int32_t> &ids, uint32_t blockTokens,
                    const BytesRead *counter, double &bytes) {
  for (size_t i = 0; i < ids.size(); i += blockTokens) {
    auto count = uint32_t(std::min<size_t>(ids.size() - i, blockTokens));
    if (int32_t status = session.stepBlock(&ids[i], count, int64_t(i), /*lastLogitsOnly=*/true))
      return status;
    if (counter)
      bytes += counter->ofLastBlock(session.runningProgram(), count, int64_t(i));
  }
  return PI_OK;
}

static int32_t measure(Session &session, const std::string &test, size_t count,
                       uint32_t blockTokens, int64_t repetitions, Row &row) {
  bool showProgress = isatty(STDERR_FILENO) == 1;
  std::vector<int32_t> ids = fixedTokens(count, session.vocab());
  BytesRead counter(session.programTables(), session.payload());
  double bytes = 0;
  if (int32_t status = feed(session, ids, blockTokens, &counter, bytes)) // warms up, and counts
    return status;
  std::vector<double> times;
  for (int64_t i = 0; i < repetitions; ++i) {
    if (showProgress)
      std::fprintf(stderr, "\r%s: run %lld of %lld\x1b[K", test.c_str(),
                   static_cast<long long>(i + 1), static_cast<long long>(repetitions));
    Clock clock;
    if (int32_t status = feed(session, ids, blockTokens, nullptr, bytes))
      return status;
    times.push_back(clock.milliseconds());
  }
  if (showProgress)
    std::fputs("\r\x1b[K", stderr);
  std::sort(times.begin(), times.end());
  size_t middle = times.size() / 2;
  row.test = test;
  row.tokens = count;
  row.blockTokens = blockTokens;
  row.minMs = times.front();
  row.medianMs = times.size() % 2 ? times[middle] : (times[middle - 1] + times[middle]) / 2;
  row.bytesPerToken = bytes / double(count);
  return PI_OK;
}

static int32_t checkLength(const Session &session, const char *flag, int64_t tokens,
                           std::string &detail) {
  if (tokens <= session.context())
    return PI_OK;
  std::string most = std::to_string(session.context());
  return fail(PI_ERROR_INPUT, detail,
              "bench " + std::string(flag) + " " + std::to_string(tokens) +
                  " is longer than the context of " + most + " tokens; give " + flag + " " + most +
                  " or less, or compile the model with a larger --context");
}

static std::string toJson(const Session &session, const Options &options,
                          const std::vector<Row> &rows) {
  constexpr int digits = 6;
  JsonWriter json;
  json.beginArray();
  for (const Row &row : rows) {
    json.beginObject();
    json.key("test").string(row.test);
    json.key("batch").integer(1);
    json.key("tok_s").number(row.tokensPerSecond(), digits);
    json.key("ms_min").number(row.minMs, digits);
    json.key("ms_median").number(row.medianMs, digits);
    json.key("cpu_bytes").integer(int64_t(row.bytesPerToken));
    json.key("gpu_bytes").integer(0);
    json.key("cpu_gbs").number(row.cpuGbs(), digits);
    json.key("gpu_gbs").null();
    json.key("read_gbs").number(row.readGbs(), digits);
    json.key("copy_gbs").null();
    json.key("bound_tok_s").number(row.boundTokensPerSecond(), digits);
    json.key("threads").integer(session.threads());
    json.key("batch_tokens").integer(row.blockTokens);
    json.key("repetitions").integer(options.bench.repetitions);
    json.key("load").string(options.pinsWeights ? "pin" : "map");
    json.endObject();
  }
  json.endArray();
  return json.text() + "\n";
}

static std::string toMarkdown(const Session &session, const Options &options,
                              const std::vector<Row> &rows) {
  std::string text =
      "| test | batch | tok_s | ms_min | ms_median | cpu_bytes | gpu_bytes | cpu_gbs "
      "| gpu_gbs | read_gbs | copy_gbs | bound_tok_s |\n"
      "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n";
  for (const Row &row : rows) {
    char line[256];
    std::snprintf(line, sizeof line,
                  "| %s | 1 | %.2f | %.3f | %.3f | %.0f | 0 | %.2f | - | %.2f | - | %.2f |\n",
                  row.test.c_str(), row.tokensPerSecond(), row.minMs, row.medianMs,
                  row.bytesPerToken, row.cpuGbs(), row.readGbs(), row.boundTokensPerSecond());
    text += line;
  }
  return text + "\ncpu, " + std::to_string(session.threads()) + " threads, -b " +
         std::to_string(session.lanes()) + ", " + std::to_string(options.bench.repetitions) +
         " runs per row, --load=" + (options.pinsWeights ? "pin" : "map") + "\n";
}

int32_t runBench(Session &session, const Options &options, Output &output, std::string &detail) {
  const BenchOptions &bench = options.bench;
  if (int32_t status = checkLength(session, "-p", bench.promptTokens, detail))
    return status;
  if (int32_t status = checkLength(session, "-n", bench.newTokens, detail))
    return status;
  std::vector<Row> rows;
  auto add = [&](const char *kind, int64_t count, uint32_t blockTokens) {
    if (count == 0)
      return int32_t(PI_OK);
    rows.emplace_back();
    return measure(session, kind + std::to_string(count), size_t(count), blockTokens,
                   bench.repetitions, rows.back());
  };
  if (int32_t status = add("pp", bench.promptTokens, session.lanes()))
    return status;
  if (int32_t status = add("tg", bench.newTokens, 1))
    return status;
  double bytesPerSecond = 0;
  if (int32_t status =
          measureReadBandwidth(session.threadTeam(), bandwidthBufferBytes(), bytesPerSecond))
    return status;
  for (Row &row : rows)
    row.readBytesPerSecond = bytesPerSecond;
  return output.write(options.json ? toJson(session, options, rows)
                                   : toMarkdown(session, options, rows));
}

} // namespace pi
