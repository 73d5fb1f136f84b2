//===- LogitsCommand.cpp - Logits at every position -----------------------===//

#include "runtime/core/Status.h"
#include "runtime/main/Commands.h"
#include "runtime/main/Json.h"
#include "runtime/main/Options.h"
#include "runtime/main/Output.h"
#include "runtime/main/Session.h"
#include "runtime/text/Probabilities.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace pi {

/// Enough digits to read the same f32 back.
static constexpr int floatDigits = 9;

/// One position as text: `position id logit` a line.
static std::string toText(const float *logits, size_t position, const std::vector<int32_t> &ids) {
  std::string text;
  for (int32_t id : ids) {
    char line[80];
    std::snprintf(line, sizeof line, "%6zu %8d %14.6f\n", position, id, double(logits[id]));
    text += line;
  }
  return text;
}

int32_t runLogits(Session &session, const Options &options, Output &output, std::string &detail) {
  std::vector<int32_t> ids = options.ids, top;
  if (options.hasPrompt)
    if (int32_t status = session.encodePrompt(options.prompt, ids, detail))
      return status;
  if (int32_t status = session.checkIds(ids, detail))
    return status;
  JsonWriter json;
  json.beginObject().key("ids").integers(ids).key("logits").beginArray();
  for (size_t position = 0; position < ids.size(); ++position) {
    uint32_t lane = uint32_t(position % session.lanes());
    auto block = uint32_t(std::min<size_t>(ids.size() - position, session.lanes()));
    if (lane == 0)
      if (int32_t status = session.stepBlock(&ids[position], block, int64_t(position)))
        return status;
    const float *logits = session.logits(lane);
    text::topIds(logits, session.vocab(), size_t(options.top), top);
    json.beginArray();
    for (int32_t id : top) {
      json.beginArray().integer(id).number(double(logits[id]), floatDigits);
      json.endArray();
    }
    json.endArray();
    if (int32_t status = output.write(options.json ? json.text() : toText(logits, position, top)))
      return status;
    json.clearText();
  }
  json.endArray().endObject();
  return options.json ? output.write(json.text() + "\n") : int32_t(PI_OK);
}

} // namespace pi
