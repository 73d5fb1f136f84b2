//===- InfoCommands.cpp - What the file holds, and whether it is whole ----===//

#include "runtime/abi/pi_checksum.h"
#include "runtime/abi/pi_format.h"
#include "runtime/core/Format.h"
#include "runtime/core/Program.h"
#include "runtime/core/Status.h"
#include "runtime/main/Commands.h"
#include "runtime/main/Json.h"
#include "runtime/main/ModelFacts.h"
#include "runtime/main/Options.h"
#include "runtime/main/Output.h"
#include "runtime/main/Session.h"
#include "runtime/main/Signals.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <utility>

#include <unistd.h>

namespace pi {

int32_t runInfo(const Session &session, const Options &options, Output &output) {
  std::string info(session.payload().info());
  return output.write(options.json ? info + "\n" : describeModel(info));
}

namespace {

/// Shows on a terminal how much has been read; at most a hundred times.
class VerifyProgress {
public:
  explicit VerifyProgress(uint64_t totalBytes)
      : shows(isatty(STDERR_FILENO) == 1), totalBytes(totalBytes) {}
  ~VerifyProgress() {
    if (shows)
      std::fputs("\r\x1b[K", stderr);
  }
  void add(uint64_t bytes) {
    doneBytes += bytes;
    uint64_t now = totalBytes ? doneBytes * 100 / totalBytes : 100;
    if (!shows || now == percent)
      return;
    percent = now;
    std::fprintf(stderr, "\rverify: %llu of %llu MiB, %llu %%",
                 static_cast<unsigned long long>(doneBytes >> 20),
                 static_cast<unsigned long long>(totalBytes >> 20),
                 static_cast<unsigned long long>(percent));
  }

private:
  const bool shows;
  const uint64_t totalBytes;
  uint64_t doneBytes = 0, percent = UINT64_MAX;
};

} // namespace

/// Weights that are stored once are counted and read once.
using WeightSet = std::set<std::pair<const uint8_t *, uint64_t>>;

static uint64_t bytesOfWeights(const Payload &payload) {
  WeightSet seen;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < payload.numWeights(); ++i)
    if (WeightView weight = payload.weight(i); seen.insert({weight.data, weight.checksum}).second)
      bytes += weight.bytes;
  return bytes;
}

/// Reads all weights; `detail` names the damaged ones.
static int32_t verifyWeights(const Payload &payload, uint64_t bytes, std::string &detail) {
  WeightSet good;
  VerifyProgress progress(bytes);
  for (uint32_t i = 0; i < payload.numWeights(); ++i) {
    if (wasInterrupted())
      return PI_ERROR_INTERRUPTED;
    WeightView weight = payload.weight(i);
    if (good.count({weight.data, weight.checksum}))
      continue;
    if (verifyWeight(weight))
      good.insert({weight.data, weight.checksum});
    else
      detail += std::string(detail.empty() ? "" : ", ") + std::string(weight.name);
    progress.add(weight.bytes);
  }
  return detail.empty() ? PI_OK : PI_ERROR_WEIGHT;
}

/// Compares the program's own bytes with what the packager wrote; files of older versions
/// do not say.
static int32_t verifyCode(const Payload &payload, const ModelFacts &facts, std::string &detail) {
  std::string_view program = payload.programBytes();
  if (facts.codeBytes == 0)
    return PI_OK;
  if (facts.codeBytes > program.size())
    return fail(PI_ERROR_CODE, detail, "it is longer than the file");
  pi_checksum_state state;
  pi_checksum_begin(&state);
  pi_checksum_update(&state, program.data(), size_t(facts.codeBytes));
  char found[17];
  std::snprintf(found, sizeof found, "%016llx",
                static_cast<unsigned long long>(pi_checksum_end(&state)));
  return facts.codeChecksum == found ? int32_t(PI_OK)
                                     : fail(PI_ERROR_CODE, detail, "compile the model again");
}

// The manifest (weight table, names, description, tokenizer) was checked against its
// checksum when the file was opened.
int32_t runVerify(Session &session, const Options &options, Output &output, std::string &detail) {
  const Payload &payload = session.payload();
  if (int32_t status = Program::check(session.programTables(), payload, detail))
    return status;
  if (int32_t status = verifyCode(payload, session.modelFacts(), detail))
    return status;
  bool hasTokenizer = !payload.tokenizer().empty();
  if (hasTokenizer)
    if (int32_t status = session.loadTokenizer(detail))
      return status;
  uint64_t bytes = bytesOfWeights(payload);
  if (int32_t status = verifyWeights(payload, bytes, detail))
    return status;
  if (!options.json)
    return output.write(
        "ok: " + std::to_string(payload.numWeights()) + " weights, " + std::to_string(bytes) +
        " bytes; " + (session.modelFacts().codeBytes ? "machine code, " : "") +
        "manifest and tables; " + (hasTokenizer ? "tokenizer\n" : "no tokenizer\n"));
  JsonWriter json;
  json.beginObject().key("ok").boolean(true).key("weights").integer(payload.numWeights());
  json.key("bytes").integer(int64_t(bytes)).key("tokenizer").boolean(hasTokenizer);
  json.key("code").boolean(session.modelFacts().codeBytes != 0).endObject();
  return output.write(json.text() + "\n");
}

/// What compiled the runtime, and what of others is in it.
static std::string describeRuntime() {
  std::string text;
#if defined(__clang__)
  text = "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
         std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
  text = "gcc " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__);
#endif
#ifdef _GLIBCXX_RELEASE
  text += ", libstdc++ " + std::to_string(_GLIBCXX_RELEASE);
#endif
  return text + ", nlohmann/json " + std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." +
         std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
         std::to_string(NLOHMANN_JSON_VERSION_PATCH);
}

int32_t printVersion(const Session &session, const std::string &program, Output &output) {
  const ModelFacts &facts = session.modelFacts();
  auto known = [](const std::string &text, const char *otherwise) {
    return text.empty() ? std::string(otherwise) : text;
  };
  return output.write(program + ": made by " + known(facts.compiler, "an unknown compiler") +
                      ", file format " + std::to_string(PI_FORMAT_VERSION) + ", ABI " +
                      std::to_string(session.programTables().abi_version) +
                      "\ntarget: " + known(facts.cpu, "an unknown CPU") +
                      ", Linux with glibc; GPU: " + known(facts.gpuArch, "none") +
                      "\nruntime: " + describeRuntime() + "\n");
}

} // namespace pi
