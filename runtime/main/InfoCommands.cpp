//===- InfoCommands.cpp - What the file holds, and whether it is whole ----===//

#include "runtime/core/Format.h"
#include "runtime/core/Status.h"
#include "runtime/main/Commands.h"
#include "runtime/main/Json.h"
#include "runtime/main/ModelFacts.h"
#include "runtime/main/Options.h"
#include "runtime/main/Output.h"
#include "runtime/main/Session.h"
#include "runtime/main/Signals.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace pi {

int32_t runInfo(const Session &session, const Options &options, Output &output) {
  std::string info(session.payload().info());
  return output.write(options.json ? info + "\n" : describeModel(info));
}

int32_t runVerify(const Session &session, const Options &options, Output &output,
                  std::string &detail) {
  const Payload &payload = session.payload();
  std::set<std::pair<const uint8_t *, uint64_t>> good; // entries may share their bytes
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < payload.numWeights(); ++i) {
    if (wasInterrupted())
      return PI_ERROR_INTERRUPTED;
    WeightView weight = payload.weight(i);
    if (good.count({weight.data, weight.checksum}))
      continue;
    bytes += weight.bytes;
    if (verifyWeight(weight))
      good.insert({weight.data, weight.checksum});
    else
      detail += std::string(detail.empty() ? "" : ", ") + std::string(weight.name);
  }
  if (!detail.empty())
    return PI_ERROR_WEIGHT;
  if (!options.json)
    return output.write("ok: " + std::to_string(payload.numWeights()) + " weights, " +
                        std::to_string(bytes) + " bytes\n");
  JsonWriter json;
  json.beginObject().key("ok").boolean(true).key("weights").integer(payload.numWeights());
  json.key("bytes").integer(int64_t(bytes)).endObject();
  return output.write(json.text() + "\n");
}

} // namespace pi
