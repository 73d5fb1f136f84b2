//===- GenerateOptions.cpp - Flags of generation --------------------------===//

#include "runtime/main/GenerateOptions.h"

#include "runtime/main/Flags.h"
#include "runtime/main/Options.h"
#include "runtime/text/Sampler.h"
#include "runtime/text/Unicode.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace pi {

static bool readSampling(const ParsedFlags &flags, Options &out, std::string &error) {
  constexpr int64_t any = std::numeric_limits<int32_t>::max();
  constexpr int64_t maxSeed = std::numeric_limits<uint32_t>::max();
  text::SamplerSettings &settings = out.sampling;
  return flags.getNumber("temp", 0, 100, settings.temperature, error) &&
         flags.getInteger("top-k", 0, any, settings.topK, error) &&
         flags.getNumber("top-p", 0, 1, settings.topP, error) &&
         flags.getNumber("min-p", 0, 1, settings.minP, error) &&
         flags.getNumber("repeat-penalty", 0.01, 100, settings.repeatPenalty, error) &&
         flags.getInteger("repeat-last-n", -1, any, settings.repeatLastN, error) &&
         flags.getInteger("seed", -1, maxSeed, out.seed, error);
}

static bool readStops(const ParsedFlags &flags, Options &out, std::string &error) {
  for (std::string_view stop : flags.all("stop")) {
    if (stop.empty() || !text::isValidUtf8(stop)) {
      error = stop.empty() ? "--stop: the text is empty" : "--stop: the text is not UTF-8";
      return false;
    }
    out.stops.emplace_back(stop);
  }
  return true;
}

bool readGenerateOptions(const ParsedFlags &flags, Options &out, std::string &error) {
  out.interactive = flags.has("i");
  out.ignoreEos = flags.has("ignore-eos");
  if (!readSampling(flags, out, error) || !readStops(flags, out, error))
    return false;
  if (out.hasPrompt && out.hasFile)
    error = "-p and -f both give the prompt; give one of them";
  else if (out.interactive && out.hasFile && out.file == "-")
    error = "-f - and -i both read standard input; give one of them";
  else if (out.interactive && out.json)
    error = "-i has no JSON form; give a prompt, without -i";
  else if (out.interactive && out.maxTokens == 0)
    error = "-n 0 only tokenises, -i has answers; give -n 1 or more";
  return error.empty();
}

} // namespace pi
