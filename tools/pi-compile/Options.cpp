//===- Options.cpp - The command line of pi-compile -===//

#include "tools/pi-compile/Options.h"

#include "compiler/Target/GpuTable.h"
#include "runtime/main/Flags.h"
#include "tools/pi-compile/Sizes.h"
#include "tools/pi-compile/Targets.h"
#include "tools/pi-compile/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>

using namespace pi;

namespace {

constexpr const char *kTarget = "Target";
constexpr const char *kModel = "Model";
constexpr const char *kNeurons = "Neurons";
constexpr const char *kIr = "Phases and IR";
constexpr const char *kOther = "Other";
constexpr const char *kPhases = "import|raise|partition|quantise|plan|codegen|link";
constexpr uint32_t kNow = 1, kLater = 1;
constexpr uint32_t kHidden = 2; // accepted, not in --help

constexpr FlagSpec kFlags[] = {
    {"o", nullptr, FlagValue::Required, "FILE", kModel,
     "write the executable (or IR, then - is stdout) here; default: MODEL's stem + .bin"},
    {"tokenizer", nullptr, FlagValue::Required, "FILE", kModel,
     "tokenizer.json; default: beside MODEL"},
    {"context", nullptr, FlagValue::Required, "N", kModel,
     "capacity of the KV cache in tokens; default: min(4096, the model's positions)"},
    {"weights", nullptr, FlagValue::Required, "TYPE", kModel,
     "how weights are stored; default: as-stored", "as-stored|f32", "f16|bf16|q8|q4"},
    {"kv", nullptr, FlagValue::Required, "TYPE", kModel,
     "element type of the KV cache; default: f16, with --exact f32", "f16|f32"},
    {"exact", nullptr, FlagValue::None, nullptr, kModel,
     "f32 activations and f32 KV cache, no predictor; default: off"},
    {"gpu", nullptr, FlagValue::Required, "NAME", kTarget,
     "GPU to plan for (its neurons run on the CPU until GPU code is\nbuilt); default: none"},
    {"cpu", nullptr, FlagValue::Required, "NAME", kTarget, "CPU to compile for; default: x86-64-v3",
     "x86-64-v3|x86-64-v4|native"},
    {"list-targets", nullptr, FlagValue::None, nullptr, kTarget,
     "print the CPUs and GPUs that are known, and what native is here"},
    {"vram-budget", nullptr, FlagValue::Required, "SIZE", kTarget,
     "device memory to use, as 12MiB or 22GiB; default: all of it"},
    {"vram-reserve", nullptr, FlagValue::Required, "SIZE", kTarget,
     "of it for the driver; default: 500MiB, 0 where the budget is\nbelow 1GiB"},
    {"machine", nullptr, FlagValue::Required, "FILE", kTarget,
     "speeds to plan with: what --measure wrote, or a class of memory\nsuch as ddr5-5600x2; "
     "default: rows of tables"},
    {"measure", nullptr, FlagValue::None, nullptr, kTarget,
     "measure this machine's CPU and write the file for --machine to\n-o, without a MODEL; "
     "default of -o then: - (stdout)"},
    {"profile", nullptr, FlagValue::Required, "FILE", kNeurons,
     "how often neurons are active, from pi-profile; default: with\n--gpu it is made now, from "
     "text that the model writes"},
    {"calibrate", nullptr, FlagValue::Required, "TEXT", kNeurons,
     "make the profile from this file of text; may be given several\ntimes; default: the model "
     "writes the text"},
    {"calibrate-tokens", nullptr, FlagValue::Required, "N", kNeurons,
     "tokens that the model writes for a profile; default: 32768"},
    {"no-profile", nullptr, FlagValue::None, nullptr, kNeurons,
     "no profile: every neuron counts as active; default: off"},
    {"predictor", nullptr, FlagValue::Required, "KIND", kNeurons,
     "how active neurons are found; default: none, by the exact gate", "none", "lowrank|auto"},
    {"placement", nullptr, FlagValue::Required, "KIND", kNeurons,
     "what is placed: neurons, or whole layers, dense; default: neurons", "neurons|layers"},
    {"compile-to", nullptr, FlagValue::Required, "PHASE", kIr,
     "stop after PHASE and write the IR; default: link, which writes the executable", kPhases},
    {"compile-from", nullptr, FlagValue::Required, "PHASE", kIr,
     "MODEL is the IR that --compile-to=PHASE wrote; default: MODEL is a model", kPhases},
    {"save-temps", nullptr, FlagValue::Optional, "DIR", kIr,
     "keep LLVM IR and object code, in DIR or beside the output; default: off"},
    {"explain", nullptr, FlagValue::Optional, "json", kIr,
     "print the plan: what is read for a token, and how fast that can be; default: off", "json"},
    {"dry-run", "n", FlagValue::None, nullptr, kIr,
     "run the phases up to plan and write nothing; default: off"},
    {"v", nullptr, FlagValue::None, nullptr, kOther,
     "print inputs and sizes, and time and memory of each phase; default: off"},
    {"help", "h", FlagValue::None, nullptr, kOther, "print this"},
    {"version", nullptr, FlagValue::None, nullptr, kOther, "print versions"},
    {"debug-fail", nullptr, FlagValue::Required, "HOW", kOther, "", "crash|silent|error", nullptr,
     kHidden},
    // Known, not built yet: refused, never ignored.
    {"predictor-file", nullptr, FlagValue::Required, "FILE", kNeurons, "", nullptr, nullptr, 0,
     kLater},
    {"recall", nullptr, FlagValue::Required, "X", kNeurons, "", nullptr, nullptr, 0, kLater},
};

/// Flags that belong to a phase: with --compile-from at or after it they come too late.
struct PhaseFlag {
  const char *name;
  Phase phase;
};
constexpr PhaseFlag kPhaseFlags[] = {
    {"tokenizer", Phase::Import},
    {"context", Phase::Import},
    {"exact", Phase::Import},
    {"kv", Phase::Raise},
    {"cpu", Phase::Raise},
    {"gpu", Phase::Raise},
    {"machine", Phase::Raise},
    {"vram-budget", Phase::Partition},
    {"vram-reserve", Phase::Partition},
    {"profile", Phase::Partition},
    {"calibrate", Phase::Partition},
    {"calibrate-tokens", Phase::Partition},
    {"no-profile", Phase::Partition},
    {"predictor", Phase::Partition},
    {"placement", Phase::Partition},
    {"weights", Phase::Quantise},
};

} // namespace

static int usage(const llvm::Twine &message) {
  llvm::errs() << "pi-compile: error: " << message << "\n"
               << "pi-compile: note: pi-compile --help lists the flags\n";
  return kExitUsage;
}

static void printHelp() {
  FlagTable table(kFlags);
  llvm::outs()
      << "Compiles a ReLU language model into one executable.\n\n"
         "usage: pi-compile MODEL [-o OUT] [flags]\n\n"
         "MODEL is a model.onnx, or a Hugging Face directory (config.json, safetensors,\n"
         "tokenizer.json).\n\n"
      << table.help(kNow)
      << "\nexamples:\n"
         "  pi-compile model.onnx -o model.bin && ./model.bin -p \"Once upon a time\" -n 64\n"
         "  pi-compile model.onnx -n --explain                 what a token reads, nothing "
         "written\n"
         "  pi-compile model.onnx --gpu=rtx4090 --vram-budget=12GiB -n --explain   the plan for a "
         "GPU\n"
         "  pi-compile model.onnx --compile-to=raise -o -      the model as transformer blocks\n"
         "\nexit codes: 0 ok, 1 bad input or model, 2 usage, 3 does not fit,\n"
         "  4 tool, linker or device missing, 70 internal, 130 interrupted, 143 terminated\n";
}

/// Reads --compile-to and --compile-from; an exit code on misuse.
static std::optional<int> parsePhases(const ParsedFlags &flags, DriverOptions &options) {
  for (auto [name, phase] :
       {std::pair("compile-to", &options.to), {"compile-from", &options.from}}) {
    if (!flags.has(name))
      continue;
    std::string_view value = flags.get(name);
    if (value == "link")
      return usage(llvm::Twine("--") + name +
                   "=link: the phase link has no IR; leave the flag out");
    *phase = parsePhase(llvm::StringRef(value.data(), value.size()));
  }
  if (options.from && options.to && *options.to <= *options.from)
    return usage("--compile-to must name a phase after --compile-from");
  if (!options.from)
    return std::nullopt;
  for (const PhaseFlag &flag : kPhaseFlags)
    if (flags.has(flag.name) && flag.phase <= *options.from)
      return usage(llvm::Twine("--") + flag.name + " belongs to phase " + phaseName(flag.phase) +
                   ", which --compile-from=" + phaseName(*options.from) + " has passed");
  return std::nullopt;
}

/// The default of -o, and of the folder of --save-temps.
static std::optional<int> chooseOutputs(const ParsedFlags &flags, DriverOptions &options) {
  options.output = std::string(flags.get("o"));
  if (flags.has("o") && options.output.empty())
    return usage("-o needs a file name");
  if (options.output == "-" && !options.to)
    return usage("-o - is for IR (--compile-to); an executable needs a file name");
  if (options.output.empty()) {
    if (options.to) {
      options.output = "-";
    } else {
      // Of a directory (`llama-2.7b/`) the whole name counts.
      llvm::StringRef input = llvm::StringRef(options.input).rtrim('/');
      bool isDirectory = llvm::sys::fs::is_directory(input);
      options.output =
          ((isDirectory ? llvm::sys::path::filename(input) : llvm::sys::path::stem(input)) + ".bin")
              .str();
    }
  }
  if (flags.has("save-temps")) {
    options.saveTemps = std::string(flags.get("save-temps"));
    if (options.saveTemps.empty())
      options.saveTemps = llvm::sys::path::parent_path(options.output).str();
    if (options.saveTemps.empty())
      options.saveTemps = ".";
  }
  return std::nullopt;
}

/// Reads --dry-run and --explain, after phases and outputs.
static std::optional<int> parseExplain(const ParsedFlags &flags, DriverOptions &options) {
  options.dryRun = flags.has("dry-run");
  if (!flags.has("explain"))
    return std::nullopt;
  options.explain = flags.get("explain") == "json" ? ExplainForm::Json : ExplainForm::Text;
  if (options.to && *options.to < Phase::Plan)
    return usage("--explain needs the plan, and --compile-to=" + phaseName(*options.to) +
                 " stops before it");
  if (options.from && *options.from > Phase::Plan)
    return usage("--explain needs the plan, which --compile-from=" + phaseName(*options.from) +
                 " has passed");
  if (options.explain == ExplainForm::Json && options.output == "-" && !options.dryRun)
    return usage("--explain=json and the IR both go to standard output; give -o FILE, or -n");
  return std::nullopt;
}

/// Reads a size; an exit code where it is none.
static std::optional<int> parseBytes(const ParsedFlags &flags, const char *name, int64_t least,
                                     int64_t &bytes) {
  if (!flags.has(name))
    return std::nullopt;
  std::string_view text = flags.get(name);
  std::optional<int64_t> size = parseSize(llvm::StringRef(text.data(), text.size()));
  if (!size || *size < least)
    return usage(llvm::Twine("--") + name + ": expected a size such as 12MiB or 22GiB, got '" +
                 std::string(text) + "'");
  bytes = *size;
  return std::nullopt;
}

/// Reads what is planned for, and how.
static std::optional<int> parsePlacement(const ParsedFlags &flags, DriverOptions &options) {
  options.gpu = std::string(flags.get("gpu", options.gpu));
  if (options.gpu == "native")
    return usage("--gpu=native is not built yet; name the GPU (--list-targets)");
  if (options.gpu != "none" && !findGpu(options.gpu))
    return usage("--gpu: unknown GPU '" + options.gpu + "'; known are none, " + knownGpus());
  options.machine = std::string(flags.get("machine"));
  options.placement = std::string(flags.get("placement", options.placement));
  options.profile = std::string(flags.get("profile"));
  options.noProfile = flags.has("no-profile");
  for (std::string_view text : flags.all("calibrate"))
    options.calibrationText.emplace_back(text);
  int sources = flags.has("profile") + flags.has("no-profile") + flags.has("calibrate");
  if (sources > 1)
    return usage("--profile, --calibrate and --no-profile exclude one another");
  if (flags.has("calibrate-tokens") && sources > 0)
    return usage("--calibrate-tokens is for text that the model writes itself");
  bool hasGpu = options.gpu != "none" || options.from;
  for (const char *name : {"vram-budget", "vram-reserve"})
    if (flags.has(name) && !hasGpu)
      return usage(llvm::Twine("--") + name + " needs a GPU: --gpu=NAME");
  if (options.placement == "layers" && !hasGpu)
    return usage("--placement=layers needs a GPU: --gpu=NAME");
  std::string error;
  constexpr int64_t any = std::numeric_limits<int64_t>::max() / 2;
  if (!flags.getInteger("calibrate-tokens", 1, any, options.calibrationTokens, error))
    return usage(error);
  if (std::optional<int> code = parseBytes(flags, "vram-budget", 1, options.vramBudget))
    return code;
  return parseBytes(flags, "vram-reserve", 0, options.vramReserve);
}

/// Reads --measure, which goes with -o alone.
static std::optional<int> parseMeasure(const ParsedFlags &flags, DriverOptions &options) {
  if (!flags.positionals().empty())
    return usage("--measure measures this machine and takes no MODEL, got '" +
                 std::string(flags.positionals()[0]) + "'");
  for (const ParsedFlags::Occurrence &flag : flags.occurrences())
    if (std::string_view name = flag.spec->name; name != "measure" && name != "o")
      return usage("--measure goes with -o alone, got " +
                   llvm::Twine(name.size() > 1 ? "--" : "-") + flag.spec->name);
  options.measure = true;
  options.output = std::string(flags.get("o", "-"));
  if (options.output.empty())
    return usage("-o needs a file name");
  return std::nullopt;
}

std::optional<int> pi::parseOptions(int argc, const char *const *argv, DriverOptions &options) {
  FlagTable table(kFlags);
  ParsedFlags flags;
  std::string error;
  if (!table.parse(argc - 1, argv + 1, kNow | kHidden, "", flags, error))
    return usage(error);
  if (flags.has("help")) {
    printHelp();
    return kExitOk;
  }
  if (flags.has("version")) {
    llvm::outs() << versionString() << "\n";
    return kExitOk;
  }
  if (flags.has("list-targets")) {
    listTargets(llvm::outs());
    return kExitOk;
  }
  if (flags.has("measure"))
    return parseMeasure(flags, options);
  if (flags.positionals().empty())
    return usage("no MODEL given; for example: pi-compile model.onnx -o model.bin");
  if (flags.positionals().size() > 1)
    return usage("one MODEL at a time, got '" + std::string(flags.positionals()[0]) + "' and '" +
                 std::string(flags.positionals()[1]) + "'");
  options.input = std::string(flags.positionals()[0]);
  options.programPath = argv[0];
  options.tokenizer = std::string(flags.get("tokenizer"));
  options.cpu = std::string(flags.get("cpu", options.cpu));
  options.weights = std::string(flags.get("weights", options.weights));
  options.exact = flags.has("exact");
  options.kv = std::string(flags.get("kv", options.exact ? "f32" : "f16"));
  options.verbose = flags.has("v");
  if (options.exact && options.kv != "f32")
    return usage("--exact keeps the KV cache in f32; --kv=" + options.kv + " contradicts it");
  if (!flags.getInteger("context", 1, 1 << 24, options.context, error))
    return usage(error);
  if (std::optional<int> code = parsePhases(flags, options))
    return code;
  if (std::optional<int> code = parsePlacement(flags, options))
    return code;
  if (std::optional<int> code = chooseOutputs(flags, options))
    return code;
  options.debugFail = std::string(flags.get("debug-fail"));
  return parseExplain(flags, options);
}
