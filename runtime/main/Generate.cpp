//===- Generate.cpp - Continues a prompt ----------------------------------===//

#include "runtime/core/Status.h"
#include "runtime/main/Clock.h"
#include "runtime/main/Commands.h"
#include "runtime/main/Json.h"
#include "runtime/main/Options.h"
#include "runtime/main/Output.h"
#include "runtime/main/Session.h"
#include "runtime/text/Probabilities.h"
#include "runtime/text/StreamDecoder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace pi {

namespace {

/// One generation: state of the loop and what is reported at its end.
struct Generation {
  std::vector<int32_t> prompt;
  std::vector<int32_t> tokens; // generated
  std::string text;            // with --json; else it is printed at once
  const char *finish = "length";
  double promptMs = 0;
  double decodeMs = 0;
  size_t decodeSteps = 0; // tokens fed after the prompt

  double promptSpeed() const { return perSecond(prompt.size(), promptMs); }
  double decodeSpeed() const { return perSecond(decodeSteps, decodeMs); }
};

} // namespace

static int32_t feedPrompt(Session &session, Generation &state) {
  Clock clock;
  for (size_t i = 0; i < state.prompt.size(); ++i)
    if (int32_t status = session.step(state.prompt[i], int64_t(i)))
      return status;
  state.promptMs = clock.milliseconds();
  return PI_OK;
}

/// Chooses and feeds tokens until something ends the text. Allocates nothing once the
/// buffers of the decoder have grown.
static int32_t decode(Session &session, const Options &options, Output &output,
                      text::StreamDecoder &decoder, Generation &state) {
  Clock clock;
  auto emit = [&](std::string_view piece) {
    if (!options.json)
      return output.write(piece);
    state.text += piece;
    return int32_t(PI_OK);
  };
  while (true) {
    int32_t next = text::argmax(session.logits(), session.vocab());
    if (next < 0)
      return PI_ERROR_NUMBERS;
    state.tokens.push_back(next);
    if (int32_t status = emit(decoder.push(next)))
      return status;
    state.decodeMs = clock.milliseconds();
    if (session.isEos(next) && !options.ignoreEos) {
      state.finish = "eos";
      break;
    }
    if (int64_t(state.tokens.size()) == options.maxTokens)
      break;
    int64_t position = int64_t(state.prompt.size() + state.tokens.size()) - 1;
    if (position >= session.context()) {
      state.finish = "context";
      break;
    }
    if (int32_t status = session.step(next, position))
      return status;
    ++state.decodeSteps;
  }
  return emit(decoder.finish());
}

static std::string toJson(const Generation &state) {
  JsonWriter json;
  json.beginObject();
  json.key("prompt_tokens").integers(state.prompt);
  json.key("tokens").integers(state.tokens);
  json.key("text").string(state.text);
  json.key("finish").string(state.finish);
  json.key("device").string("cpu");
  json.key("predictor").string("none");
  json.key("recall").null();
  json.key("timings").beginObject();
  json.key("prompt_ms").number(state.promptMs, 6);
  json.key("decode_ms").number(state.decodeMs, 6);
  json.key("prompt_tok_s").number(state.promptSpeed(), 6);
  json.key("decode_tok_s").number(state.decodeSpeed(), 6);
  json.endObject().endObject();
  return json.text() + "\n";
}

static void printStatistics(const Session &session, const Generation &state) {
  std::fprintf(stderr,
               "prompt: %zu tokens, %.1f ms, %.1f tokens/s; generated: %zu tokens, %.1f ms, %.1f "
               "tokens/s; cpu, %u threads\n",
               state.prompt.size(), state.promptMs, state.promptSpeed(), state.tokens.size(),
               state.decodeMs, state.decodeSpeed(), session.threads());
}

int32_t runGenerate(Session &session, const Options &options, Output &output, std::string &detail) {
  Generation state;
  if (int32_t status = session.encodePrompt(options.prompt, state.prompt, detail))
    return status;
  int32_t status = PI_OK;
  if (options.maxTokens != 0) {
    if (int32_t problem = session.checkIds(state.prompt, detail))
      return problem;
    int64_t room = session.context() - int64_t(state.prompt.size()) + 1;
    state.tokens.reserve(size_t(options.maxTokens < 0 ? room : std::min(room, options.maxTokens)));
    text::StreamDecoder decoder(session.tokenizer(), state.prompt.data(), state.prompt.size());
    status = feedPrompt(session, state);
    if (status == PI_OK)
      status = decode(session, options, output, decoder, state);
  }
  if (status != PI_OK && status != PI_ERROR_INTERRUPTED)
    return status;
  if (std::string_view(state.finish) == "context")
    std::fprintf(stderr,
                 "note: stopped: the context of %lld tokens is full; compile the model with a "
                 "larger --context\n",
                 static_cast<long long>(session.context()));
  if (options.json)
    return status ? status : output.write(toJson(state));
  // The completion is printed as it is; a terminal, and an unfinished one, get a line end.
  if (status == PI_ERROR_INTERRUPTED || (output.isTerminal() && options.maxTokens != 0))
    if (int32_t problem = output.write("\n"))
      return problem;
  printStatistics(session, state);
  return status;
}

} // namespace pi
