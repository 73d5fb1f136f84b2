//===- Perplexity.cpp - How well the model predicts a text ----------------===//

#include "runtime/core/Status.h"
#include "runtime/main/Commands.h"
#include "runtime/main/Json.h"
#include "runtime/main/Options.h"
#include "runtime/main/Output.h"
#include "runtime/main/Session.h"
#include "runtime/text/Probabilities.h"
#include "runtime/text/Unicode.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace pi {

/// The tokenizer takes no more.
static constexpr uint64_t maxTextBytes = (uint64_t(1) << 31) - 1;

/// Sums of active neurons over the tokens fed, per layer.
class Activity {
public:
  /// The token that `lane` ran.
  void add(const Program &program, uint32_t lane) {
    ++tokens;
    for (uint32_t i = 0; i < program.numGroups(); ++i) {
      const pi_activity &group = program.group(i);
      if (group.layer >= kMaxLayers)
        continue;
      if (layers.size() <= group.layer)
        layers.resize(size_t(group.layer) + 1);
      Layer &layer = layers[group.layer];
      layer.active += program.activeNeurons(i, lane);
      layer.neurons += tokens == 1 ? double(group.neurons) : 0;
    }
  }
  /// Share of zero activations, per layer.
  std::vector<double> sparsity() const {
    std::vector<double> result;
    for (const Layer &layer : layers)
      result.push_back(layer.neurons > 0 ? 1 - layer.active / (layer.neurons * double(tokens)) : 0);
    return result;
  }

private:
  static constexpr uint32_t kMaxLayers = 1u << 16;
  struct Layer {
    double active = 0, neurons = 0;
  };
  std::vector<Layer> layers;
  uint64_t tokens = 0;
};

/// Adds the negative log-likelihoods of `tokens`, fed after `bos` from position 0.
static int32_t scoreWindow(Session &session, int32_t bos, const int32_t *tokens, size_t count,
                           double &nll, Activity &activity) {
  int32_t inputs[kMaxLanes];
  for (size_t done = 0; done < count;) {
    auto block = uint32_t(std::min<size_t>(count - done, session.lanes()));
    for (uint32_t i = 0; i < block; ++i)
      inputs[i] = done + i == 0 ? bos : tokens[done + i - 1];
    if (int32_t status = session.stepBlock(inputs, block, int64_t(done)))
      return status;
    for (uint32_t i = 0; i < block; ++i) {
      activity.add(session.runningProgram(), i);
      nll -= text::logProbability(session.logits(i), session.vocab(), size_t(tokens[done + i]));
    }
    done += block;
  }
  return std::isnan(nll) ? PI_ERROR_NUMBERS : PI_OK;
}

/// The ids of the text to score, and the token each window begins with.
static int32_t prepare(const Session &session, const Options &options, std::vector<int32_t> &ids,
                       std::string &detail) {
  if (options.window > session.context())
    return fail(PI_ERROR_INPUT, detail,
                "a window of " + std::to_string(options.window) +
                    " tokens is longer than the context of " + std::to_string(session.context()) +
                    "; give --window=" + std::to_string(session.context()) + " or less");
  if (session.bosId() < 0 || session.bosId() >= int64_t(session.vocab()))
    return fail(PI_ERROR_INPUT, detail, "the model has no bos token to begin a window with");
  std::string text;
  if (int32_t status = readFile(options.file, maxTextBytes, text, detail))
    return status;
  std::string_view used =
      options.maxChars < 0 ? text : text::firstCharacters(text, options.maxChars);
  ids = session.tokenizer().encode(used, /*addSpecialTokens=*/false);
  if (ids.empty())
    return fail(PI_ERROR_INPUT, detail, options.file + ": no tokens to score");
  for (int32_t id : ids)
    if (id >= int64_t(session.vocab()))
      return fail(PI_ERROR_INPUT, detail,
                  "the tokenizer gives id " + std::to_string(id) + ", the model has " +
                      std::to_string(session.vocab()) + " tokens");
  return PI_OK;
}

static int32_t report(const Options &options, Output &output, double meanNll, size_t tokens,
                      const Activity &activity) {
  double perplexity = std::exp(meanNll);
  if (!options.json) {
    char line[96];
    std::snprintf(line, sizeof line, "perplexity %.6f, mean nll %.6f, %zu tokens\n", perplexity,
                  meanNll, tokens);
    return output.write(line);
  }
  JsonWriter json;
  json.beginObject();
  json.key("perplexity").number(perplexity);
  json.key("mean_nll").number(meanNll);
  json.key("tokens").integer(int64_t(tokens));
  json.key("recall").null();
  json.key("precision").null();
  json.key("sparsity").beginArray();
  for (double share : activity.sparsity())
    json.number(share);
  json.endArray();
  json.key("window").integer(options.window);
  json.endObject();
  return output.write(json.text() + "\n");
}

int32_t runPerplexity(Session &session, const Options &options, Output &output,
                      std::string &detail) {
  std::vector<int32_t> ids;
  if (int32_t status = prepare(session, options, ids, detail))
    return status;
  bool showProgress = isatty(STDERR_FILENO) == 1;
  double nll = 0;
  Activity activity;
  size_t window = size_t(options.window), done = 0;
  while (done < ids.size()) {
    size_t count = std::min(window, ids.size() - done);
    if (int32_t status =
            scoreWindow(session, session.bosId(), ids.data() + done, count, nll, activity))
      return status;
    done += count;
    if (showProgress)
      std::fprintf(stderr, "\r%zu of %zu tokens, perplexity %.4f%s", done, ids.size(),
                   std::exp(nll / double(done)), done == ids.size() ? "\n" : "");
  }
  return report(options, output, nll / double(done), done, activity);
}

} // namespace pi
