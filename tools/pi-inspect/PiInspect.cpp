//===- PiInspect.cpp - pi-inspect: what an executable of pi-compile holds ------===//
// Reads the file; never executes it.

#include "runtime/core/Executable.h"
#include "runtime/core/Format.h"
#include "runtime/core/Status.h"
#include "runtime/main/Flags.h"
#include "runtime/main/Json.h"
#include "runtime/main/ModelFacts.h"
#include "runtime/main/Output.h"
#include "tools/Mains.h"
#include "tools/pi-inspect/ElfNote.h"

#include <cstdint>
#include <cstdio>
#include <string>

#include <unistd.h>

using namespace pi;

static constexpr FlagSpec flagSpecs[] = {
    {"weights", nullptr, FlagValue::None, nullptr, "Output",
     "add the table of weights, as weight_table"},
    {"text", nullptr, FlagValue::None, nullptr, "Output", "print text for people, not JSON"},
    {"json", nullptr, FlagValue::None, nullptr, "Output", "print a JSON object (default)"},
    {"help", "h", FlagValue::None, nullptr, "Output", "print this"},
    {"version", nullptr, FlagValue::None, nullptr, "Output", "print the version"},
};

static void writeWeight(JsonWriter &json, const Payload &payload, uint32_t index) {
  WeightView weight = payload.weight(index);
  json.beginObject();
  json.key("index").integer(index);
  json.key("name").string(weight.name);
  json.key("type").string(dtypeName(weight.dtype));
  json.key("rows").integer(int64_t(weight.rows));
  json.key("cols").integer(int64_t(weight.cols));
  json.key("bytes").integer(int64_t(weight.bytes));
  json.key("offset").integer(int64_t(payload.weightOffset(index)));
  json.key("layer");
  weight.layer == UINT32_MAX ? json.null() : json.integer(weight.layer);
  json.endObject();
}

/// The info object, with the table of weights as one more member if asked for.
static std::string toJson(const Payload &payload, bool withWeights) {
  std::string info(payload.info());
  if (!withWeights)
    return info + "\n";
  JsonWriter json;
  json.beginObject().key("weight_table").beginArray();
  for (uint32_t i = 0; i < payload.numWeights(); ++i)
    writeWeight(json, payload, i);
  json.endArray().endObject();
  size_t brace = info.rfind('}'); // there is one: info is an object
  bool empty = info.find('"') == std::string::npos;
  return info.substr(0, brace) + (empty ? "" : ",") + json.text().substr(1) + "\n";
}

static std::string toText(const Payload &payload, bool withWeights) {
  std::string text = describeModel(payload.info());
  for (uint32_t i = 0; withWeights && i < payload.numWeights(); ++i) {
    WeightView weight = payload.weight(i);
    text += std::to_string(i) + "  " + std::string(weight.name) + "  " + dtypeName(weight.dtype) +
            " [" + std::to_string(weight.rows) + ", " + std::to_string(weight.cols) + "]  " +
            std::to_string(weight.bytes) + " bytes at " + std::to_string(payload.weightOffset(i)) +
            "\n";
  }
  return text;
}

static int usageError(const std::string &message) {
  std::fprintf(stderr, "pi-inspect: error: %s\nnote: see --help\n", message.c_str());
  return pi_status_exit_code(PI_ERROR_USAGE);
}

/// Prints what the file at `path` holds.
static int32_t inspect(const std::string &path, const ParsedFlags &flags, Output &output,
                       std::string &detail) {
  Executable file;
  if (int32_t status = Executable::open(path, file, detail))
    return status;
  ModelFacts facts; // only to know that the object is one
  if (int32_t status = readModelFacts(file.payload().info(), facts, detail))
    return status;
  bool withWeights = flags.has("weights");
  return output.write(flags.has("text") ? toText(file.payload(), withWeights)
                                        : toJson(file.payload(), withWeights));
}

int pi::inspectMain(int argc, char **argv) {
  FlagTable table(flagSpecs);
  ParsedFlags flags;
  std::string detail;
  if (!table.parse(argc - 1, argv + 1, 1, "pi-inspect", flags, detail))
    return usageError(detail);
  Output output(STDOUT_FILENO);
  if (flags.has("help"))
    return pi_status_exit_code(
        output.write("Usage: pi-inspect FILE [flags]\n"
                     "What an executable made by pi-compile holds; it is not executed.\n\n" +
                     table.help(1)));
  if (flags.has("version"))
    return pi_status_exit_code(output.write("pi-inspect " PI_VERSION "\n"));
  if (flags.positionals().size() != 1)
    return usageError(flags.positionals().empty() ? "no file given" : "more than one file given");
  std::string path(flags.positionals()[0]);
  int32_t status = inspect(path, flags, output, detail);
  if (status != PI_OK) {
    // PI_ERROR_OPEN has the path in its detail.
    std::string prefix = status == PI_ERROR_OPEN ? "pi-inspect" : path;
    // Nothing is missing from a file that never had a payload.
    std::string message = status == PI_ERROR_NO_FOOTER && !hasOwnNote(path)
                              ? "this is no executable made by pi-compile"
                              : describe(status, detail);
    std::fprintf(stderr, "%s: error: %s\n", prefix.c_str(), message.c_str());
  }
  return pi_status_exit_code(status);
}
