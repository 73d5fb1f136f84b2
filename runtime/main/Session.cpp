//===- Session.cpp - Everything loaded that a command needs ---------------===//

#include "runtime/main/Session.h"

#include "runtime/core/Status.h"
#include "runtime/cpu/Features.h"
#include "runtime/cpu/Team.h"
#include "runtime/main/Signals.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace pi {

int32_t Session::openFile(const char *argv0, std::string &detail) {
  if (int32_t status = Executable::openSelf(argv0, executable, detail))
    return status;
  contextTokens = tables.context;
  return readModelFacts(payload().info(), facts, detail);
}

/// A line on a terminal while weights are copied, where that takes long.
static bool showCopying(uint64_t done, uint64_t total) {
  constexpr uint64_t worthALine = uint64_t(1) << 30;
  if (total >= worthALine && isatty(STDERR_FILENO) == 1)
    std::fprintf(stderr, "\rloading weights: %3llu %% of %.1f GiB%s",
                 static_cast<unsigned long long>(100 * done / total),
                 double(total) / double(1 << 30), done == total ? "\r\x1b[K" : "");
  return !wasInterrupted();
}

int32_t Session::loadProgram(const Options &options, std::string &detail) {
  std::string missing = missingCpuFeatures(tables.cpu_features, cpuFeatures());
  if (!missing.empty())
    return fail(PI_ERROR_CPU, detail, missing);
  if (options.contextLimit > int64_t(tables.context))
    return fail(
        PI_ERROR_INPUT, detail,
        "-c asks for " + std::to_string(options.contextLimit) +
            " tokens, the model was compiled for " + std::to_string(tables.context) +
            "; compile it with pi-compile --context=" + std::to_string(options.contextLimit));
  if (options.contextLimit > 0)
    contextTokens = options.contextLimit;
  team.reset(new Team(options.threads));
  if (options.pinsWeights) {
    if (int32_t status = pinned.load(executable.payload(), *team, showCopying, detail))
      return status;
    executable.releasePages();
  }
  if (int32_t status = Program::load(tables, payload(), *team, program, detail))
    return status;
  return program->setLanes(options.batchTokens, LaneCaches::Shared, detail);
}

int32_t Session::loadTokenizer(std::string &detail) {
  std::string_view bytes = payload().tokenizer();
  if (bytes.empty())
    return fail(PI_ERROR_TOKENIZER, detail, "there is none in this file");
  loadedTokenizer = text::Tokenizer::parse(bytes, detail);
  return loadedTokenizer ? PI_OK : PI_ERROR_TOKENIZER;
}

int32_t Session::encodePrompt(std::string_view text, std::vector<int32_t> &ids,
                              std::string &detail) const {
  ids = loadedTokenizer->encode(text, /*addSpecialTokens=*/true);
  if (!ids.empty())
    return PI_OK;
  if (!text.empty())
    return fail(PI_ERROR_INPUT, detail,
                "the prompt gives no tokens: the tokenizer drops all of it");
  if (bosId() < 0)
    return fail(PI_ERROR_INPUT, detail,
                "the prompt is empty and the model has no bos token to begin with; give a prompt");
  ids.push_back(bosId());
  return PI_OK;
}

int32_t Session::bosId() const {
  if (facts.bos >= 0 || !loadedTokenizer)
    return facts.bos;
  return loadedTokenizer->bosId().value_or(-1);
}

bool Session::isEos(int32_t id) const {
  return std::find(facts.eos.begin(), facts.eos.end(), id) != facts.eos.end();
}

int32_t Session::checkIds(const std::vector<int32_t> &ids, std::string &detail) const {
  for (int32_t id : ids)
    if (id < 0 || id >= int64_t(vocab()))
      return fail(PI_ERROR_INPUT, detail,
                  "token id " + std::to_string(id) + " is outside the vocabulary of " +
                      std::to_string(vocab()) + " tokens");
  if (int64_t(ids.size()) <= contextTokens)
    return PI_OK;
  bool limited = contextTokens < int64_t(tables.context);
  return fail(PI_ERROR_INPUT, detail,
              "the input has " + std::to_string(ids.size()) + " tokens, the context holds " +
                  std::to_string(contextTokens) + "; shorten it, or " +
                  (limited ? "raise -c" : "compile the model with a larger --context"));
}

int32_t Session::stepBlock(const int32_t *tokens, uint32_t count, int64_t position,
                           bool lastLogitsOnly) {
  assert(count >= 1 && count <= lanes());
  Program::Input inputs[kMaxLanes];
  for (uint32_t i = 0; i < count; ++i)
    inputs[i] = {tokens[i], position + int64_t(i), i + 1 == count || !lastLogitsOnly};
  return stepLanes(inputs, count);
}

int32_t Session::stepLanes(const Program::Input *inputs, uint32_t count) {
  if (wasInterrupted())
    return PI_ERROR_INTERRUPTED;
  lastLane = count - 1;
  return program->stepLanes(inputs, count);
}

int32_t Session::feed(const int32_t *tokens, size_t count, int64_t position, size_t &fed) {
  for (size_t done = 0; done < count;) {
    auto block = uint32_t(std::min<size_t>(count - done, lanes()));
    if (int32_t status = stepBlock(tokens + done, block, position + int64_t(done),
                                   /*lastLogitsOnly=*/true))
      return status;
    done += block;
    fed += block;
  }
  return PI_OK;
}

} // namespace pi
