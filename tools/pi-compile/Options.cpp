//===- Options.cpp - The command line of pi-compile -===//

#include "tools/pi-compile/Options.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "runtime/main/Flags.h"
#include "tools/pi-compile/Version.h"

using namespace pi;

namespace {

constexpr const char *kTarget = "Target";
constexpr const char *kModel = "Model";
constexpr const char *kNeurons = "Neurons";
constexpr const char *kIr = "Phases and IR";
constexpr const char *kOther = "Other";
constexpr const char *kPhases = "import|raise|partition|quantise|plan|codegen|link";
constexpr uint32_t kNow = 1, kLater = 1;

constexpr FlagSpec kFlags[] = {
    {"o", nullptr, FlagValue::Required, "FILE", kModel,
     "write the executable (or IR, then - is stdout) here; default: MODEL's stem + .bin"},
    {"tokenizer", nullptr, FlagValue::Required, "FILE", kModel,
     "tokenizer.json; default: beside MODEL"},
    {"context", nullptr, FlagValue::Required, "N", kModel,
     "capacity of the KV cache in tokens; default: min(4096, the model's positions)"},
    {"weights", nullptr, FlagValue::Required, "TYPE", kModel, "how weights are stored",
     "as-stored|f32", "f16|bf16|q8|q4"},
    {"kv", nullptr, FlagValue::Required, "TYPE", kModel,
     "element type of the KV cache; default: f16, with --exact f32", "f16|f32"},
    {"exact", nullptr, FlagValue::None, nullptr, kModel,
     "f32 activations and f32 KV cache, no predictor"},
    {"gpu", nullptr, FlagValue::Required, "NAME", kTarget, "GPU to compile for; default: none",
     "none", "rtx4090|rtx3090|rtx2080ti|a100|h100|h200|native|sm_75|sm_80|sm_86|sm_89|sm_90|sm_120"},
    {"cpu", nullptr, FlagValue::Required, "NAME", kTarget, "CPU to compile for; default: x86-64-v3",
     "x86-64-v3|x86-64-v4|native"},
    {"no-profile", nullptr, FlagValue::None, nullptr, kNeurons, "no activation profile (as now)"},
    {"predictor", nullptr, FlagValue::Required, "KIND", kNeurons,
     "how active neurons are found; none: by the exact gate", "none", "lowrank|auto"},
    {"placement", nullptr, FlagValue::Required, "KIND", kNeurons, "what is placed", "neurons",
     "layers"},
    {"compile-to", nullptr, FlagValue::Required, "PHASE", kIr,
     "stop after PHASE (import raise partition quantise plan codegen) and write the IR", kPhases},
    {"compile-from", nullptr, FlagValue::Required, "PHASE", kIr,
     "MODEL is the IR that --compile-to=PHASE wrote", kPhases},
    {"save-temps", nullptr, FlagValue::Optional, "DIR", kIr,
     "keep LLVM IR and object code, in DIR or beside the output"},
    {"v", nullptr, FlagValue::None, nullptr, kOther, "say what is done"},
    {"help", "h", FlagValue::None, nullptr, kOther, "print this"},
    {"version", nullptr, FlagValue::None, nullptr, kOther, "print versions"},
    // Known, not built yet: refused, never ignored.
    {"vram-budget", nullptr, FlagValue::Required, "SIZE", kTarget, "", nullptr, nullptr, 0, kLater},
    {"vram-reserve", nullptr, FlagValue::Required, "SIZE", kTarget, "", nullptr, nullptr, 0, kLater},
    {"list-targets", nullptr, FlagValue::None, nullptr, kTarget, "", nullptr, nullptr, 0, kLater},
    {"machine", nullptr, FlagValue::Required, "FILE", kTarget, "", nullptr, nullptr, 0, kLater},
    {"measure", nullptr, FlagValue::None, nullptr, kTarget, "", nullptr, nullptr, 0, kLater},
    {"profile", nullptr, FlagValue::Required, "FILE", kNeurons, "", nullptr, nullptr, 0, kLater},
    {"calibrate", nullptr, FlagValue::Required, "TEXT", kNeurons, "", nullptr, nullptr, 0, kLater},
    {"calibrate-tokens", nullptr, FlagValue::Required, "N", kNeurons, "", nullptr, nullptr, 0, kLater},
    {"predictor-file", nullptr, FlagValue::Required, "FILE", kNeurons, "", nullptr, nullptr, 0, kLater},
    {"recall", nullptr, FlagValue::Required, "X", kNeurons, "", nullptr, nullptr, 0, kLater},
    {"explain", nullptr, FlagValue::Optional, "json", kIr, "", nullptr, nullptr, 0, kLater},
    {"dry-run", "n", FlagValue::None, nullptr, kIr, "", nullptr, nullptr, 0, kLater},
};

/// Flags that belong to a phase: with --compile-from at or after it they come too late.
struct PhaseFlag {
  const char *name;
  Phase phase;
};
constexpr PhaseFlag kPhaseFlags[] = {
    {"tokenizer", Phase::Import},     {"context", Phase::Import},
    {"exact", Phase::Import},         {"kv", Phase::Raise},
    {"cpu", Phase::Raise},            {"gpu", Phase::Raise},
    {"no-profile", Phase::Partition}, {"predictor", Phase::Partition},
    {"placement", Phase::Partition},  {"weights", Phase::Quantise},
};

} // namespace

static int usage(const llvm::Twine &message) {
  llvm::errs() << "pi-compile: error: " << message << "\n"
               << "pi-compile: note: pi-compile --help lists the flags\n";
  return kExitUsage;
}

static void printHelp() {
  FlagTable table(kFlags);
  llvm::outs() << "Compiles a ReLU language model into one executable.\n\n"
                  "usage: pi-compile MODEL [-o OUT] [flags]\n\n"
                  "MODEL is a model.onnx, or a Hugging Face directory (config.json, safetensors,\n"
                  "tokenizer.json).\n\n"
               << table.help(kNow)
               << "\nexamples:\n"
                  "  pi-compile model.onnx -o model.bin && ./model.bin -p \"Once upon a time\" -n 64\n"
                  "  pi-compile model.onnx --compile-to=raise -o -      the model as transformer blocks\n"
                  "\nexit codes: 0 ok, 1 bad input or model, 2 usage, 3 does not fit,\n"
                  "  4 tool, linker or device missing, 70 internal, 130 interrupted\n";
}

/// Reads --compile-to and --compile-from; an exit code on misuse.
static std::optional<int> parsePhases(const ParsedFlags &flags, DriverOptions &options) {
  for (auto [name, phase] : {std::pair("compile-to", &options.to), {"compile-from", &options.from}}) {
    if (!flags.has(name))
      continue;
    std::string_view value = flags.get(name);
    if (value == "link")
      return usage(llvm::Twine("--") + name + "=link: the phase link has no IR; leave the flag out");
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
      options.output = ((isDirectory ? llvm::sys::path::filename(input)
                                     : llvm::sys::path::stem(input)) +
                        ".bin")
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

std::optional<int> pi::parseOptions(int argc, const char *const *argv, DriverOptions &options) {
  FlagTable table(kFlags);
  ParsedFlags flags;
  std::string error;
  if (!table.parse(argc - 1, argv + 1, kNow, "", flags, error))
    return usage(error);
  if (flags.has("help")) {
    printHelp();
    return kExitOk;
  }
  if (flags.has("version")) {
    llvm::outs() << versionString() << "\n";
    return kExitOk;
  }
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
  return chooseOutputs(flags, options);
}
