//===- Main.cpp - pi-bench-layers: feed-forward layers at memory speed? -===//
// Makes layers of real shapes, compiles their kernels as pi-compile does, and compares
// what they read per second with what the machine can read. A tool for developers.

#include "runtime/cpu/Team.h"
#include "runtime/main/Flags.h"
#include "runtime/main/ReadBandwidth.h"
#include "test/tools/pi-bench-layers/Report.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace pi;
using namespace pi::bench;

static constexpr FlagSpec kFlags[] = {
    {"shape", nullptr, FlagValue::Required, "HxN", "Layers",
     "hidden size and neurons, f16; HxN:plain has no gate; may be given\n"
     "several times; default: 4096x11008 8192x28672 7168x28672:plain"},
    {"active", nullptr, FlagValue::Required, "P,P,...", "Layers",
     "percent of neurons; default: 100,30,10,5,2"},
    {"pool", nullptr, FlagValue::Required, "MIB", "Layers",
     "weights, as many layers as this takes, at least one;\ndefault: twice the last cache"},
    {"cpu", nullptr, FlagValue::Required, "NAME", "Runs", "default: both, where the CPU has both",
     "x86-64-v3|x86-64-v4"},
    {"t", "threads", FlagValue::Required, "N,N,...", "Runs", "default: 1,2,4,... to one per CPU"},
    {"r", "repeats", FlagValue::Required, "N", "Runs", "default: 9"},
    {"clock", nullptr, FlagValue::Required, "KIND", "Runs",
     "wall time, or per dispatch the longest CPU time of a thread, for\n"
     "machines that others use too; default: wall",
     "wall|cpu"},
    {"o", nullptr, FlagValue::Required, "FORM", "Runs", "default: md", "md|json"},
    {"help", "h", FlagValue::None, nullptr, "Other", "print this"},
};

static int usage(const std::string &message) {
  llvm::errs() << "pi-bench-layers: error: " << message
               << "\npi-bench-layers: note: pi-bench-layers --help lists the flags\n";
  return 2;
}

/// `HxN` or `HxN:plain`.
static bool parseShape(std::string_view text, LayerShape &out) {
  constexpr int64_t most = 1 << 20;
  size_t colon = std::min(text.find(':'), text.size());
  out.isGated = colon == text.size();
  if (!out.isGated && text.substr(colon) != ":plain")
    return false;
  text = text.substr(0, colon);
  size_t x = text.find('x');
  return x != std::string_view::npos && parseInteger(text.substr(0, x), 1, most, out.hidden) &&
         parseInteger(text.substr(x + 1), 1, most, out.neurons);
}

/// Whole numbers of [1, most], separated by commas.
template <typename T>
static bool parseList(std::string_view text, int64_t most, std::vector<T> &out) {
  for (out.clear();;) {
    size_t comma = std::min(text.find(','), text.size());
    int64_t value;
    if (!parseInteger(text.substr(0, comma), 1, most, value))
      return false;
    out.push_back(static_cast<T>(value));
    if (comma == text.size())
      return true;
    text.remove_prefix(comma + 1);
  }
}

static std::vector<uint32_t> defaultThreadCounts() {
  std::vector<uint32_t> counts;
  for (uint32_t n = 1; n < defaultThreads(); n *= 2)
    counts.push_back(n);
  counts.push_back(defaultThreads());
  return counts;
}

/// Empty, or what is wrong.
static std::string readOptions(const ParsedFlags &flags, MeasureOptions &options) {
  options.shapes = {{4096, 11008, true}, {8192, 28672, true}, {7168, 28672, false}};
  if (flags.has("shape"))
    options.shapes.clear();
  for (std::string_view text : flags.all("shape"))
    if (!parseShape(text, options.shapes.emplace_back()))
      return "--shape: expected HxN or HxN:plain, got '" + std::string(text) + "'";
  options.threads = defaultThreadCounts();
  if (flags.has("t") && !parseList(flags.get("t"), kMaxThreads, options.threads))
    return "-t: expected numbers separated by commas";
  std::sort(options.threads.begin(), options.threads.end());
  if (!parseList(flags.get("active", "100,30,10,5,2"), 100, options.activePercent))
    return "--active: expected whole percents separated by commas";
  bool hasAvx512 = test::hostHasAvx512();
  std::string_view cpu = flags.get("cpu", hasAvx512 ? "both" : "x86-64-v3");
  if (cpu == "x86-64-v4" && !hasAvx512)
    return "--cpu=x86-64-v4: this CPU has no AVX-512";
  if (cpu != "x86-64-v4")
    options.vectorBits.push_back(256);
  if (cpu != "x86-64-v3")
    options.vectorBits.push_back(512);
  options.clock = flags.get("clock") == "cpu" ? ClockKind::Cpu : ClockKind::Wall;
  options.poolBytes = static_cast<int64_t>(bandwidthBufferBytes());
  std::string error;
  int64_t mib = 0;
  if (!flags.getInteger("r", 1, 10000, options.repeats, error) ||
      !flags.getInteger("pool", 1, 1 << 20, mib, error))
    return error;
  if (mib)
    options.poolBytes = mib << 20;
  return {};
}

int main(int argc, char **argv) {
  FlagTable table(kFlags);
  ParsedFlags flags;
  std::string error;
  if (!table.parse(argc - 1, argv + 1, ~0u, "pi-bench-layers", flags, error))
    return usage(error);
  if (flags.has("help")) {
    llvm::outs() << "Feed-forward layers against the memory bandwidth of this machine.\n\n"
                    "usage: pi-bench-layers [flags]\n\n"
                 << table.help(~0u);
    return 0;
  }
  if (!flags.positionals().empty())
    return usage("unexpected argument '" + std::string(flags.positionals()[0]) + "'");
  MeasureOptions options;
  if (error = readOptions(flags, options); !error.empty())
    return usage(error);
  std::vector<Setting> settings;
  auto progress = [](const std::string &what) { llvm::errs() << what << "\n"; };
  if (!measure(options, progress, settings))
    return 70;
  llvm::outs() << (flags.get("o") == "json" ? toJson(settings) : toMarkdown(options, settings));
  return 0;
}
