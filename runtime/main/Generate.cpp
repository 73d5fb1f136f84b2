//===- Generate.cpp - Continues one prompt --------------------------------===//

#include "runtime/core/Status.h"
#include "runtime/main/Commands.h"
#include "runtime/main/Generation.h"
#include "runtime/main/Json.h"
#include "runtime/main/Options.h"
#include "runtime/main/Output.h"
#include "runtime/main/Session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pi {

static std::string toJson(const std::vector<int32_t> &prompt, const Generation &generation) {
  const Timings &timings = generation.timings();
  JsonWriter json;
  json.beginObject();
  json.key("prompt_tokens").integers(prompt);
  json.key("tokens").integers(generation.newTokens());
  json.key("text").string(generation.text());
  json.key("finish").string(generation.finish());
  json.key("device").string("cpu");
  json.key("predictor").string("none");
  json.key("recall").null();
  json.key("seed");
  if (generation.usesSeed())
    json.integer(int64_t(generation.seed()));
  else
    json.null();
  json.key("timings").beginObject();
  json.key("prompt_ms").number(timings.promptMs, 6);
  json.key("first_token_ms").number(timings.firstTokenMs, 6);
  json.key("decode_ms").number(timings.decodeMs, 6);
  json.key("prompt_tok_s").number(timings.promptSpeed(), 6);
  json.key("decode_tok_s").number(timings.decodeSpeed(), 6);
  json.endObject().endObject();
  return json.text() + "\n";
}

int32_t runGenerate(Session &session, const Options &options, Output &output, std::string &detail) {
  std::vector<int32_t> prompt;
  if (int32_t status = session.encodePrompt(options.prompt, prompt, detail))
    return status;
  Generation generation(session, options);
  int32_t status = PI_OK;
  if (options.maxTokens != 0) {
    if (int32_t problem = generation.add(prompt, detail))
      return problem;
    status = generation.answer(options.json ? nullptr : &output);
  }
  if (status != PI_OK && status != PI_ERROR_INTERRUPTED)
    return status;
  // The completion is printed as it is; a terminal, and an unfinished one, get a line end.
  if (!options.json &&
      (status == PI_ERROR_INTERRUPTED || (output.isTerminal() && options.maxTokens != 0)))
    if (int32_t problem = output.write("\n"))
      return problem;
  output.separateNotes();
  if (generation.finish() == "context")
    noteFullContext(session, "compile the model with a larger --context");
  if (options.json)
    return status ? status : output.write(toJson(prompt, generation));
  printStatistics(session, generation);
  return status;
}

} // namespace pi
