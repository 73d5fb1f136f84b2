//===- Driver.h - Runs the phases from a model to an executable -===//

#ifndef PI_TOOLS_PI_COMPILE_DRIVER_H
#define PI_TOOLS_PI_COMPILE_DRIVER_H

#include "compiler/Pipelines/Phases.h"
#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pi {

/// Exit codes of every tool (documented in README.md).
enum ExitCode : int {
  kExitOk = 0,
  kExitBadInput = 1,
  kExitUsage = 2,
  kExitDoesNotFit = 3,
  kExitToolMissing = 4,
  kExitInternal = 70,
  kExitInterrupted = 130
};

/// How --explain prints the plan.
enum class ExplainForm { None, Text, Json };

/// What the command line asks for, checked for usage already.
struct DriverOptions {
  std::string input;     // model.onnx, or IR text with `from`
  std::string output;    // executable, or IR text with `to`; "-" is stdout (IR only)
  std::string tokenizer; // tokenizer.json; empty: beside the model
  std::string cpu = "x86-64-v3";
  std::string gpu = "none";          // or a name of the table, to plan for
  std::string machine;               // a machine file or a class of memory; empty: rows of tables
  std::string weights = "as-stored"; // or "f32"
  std::string kv = "f16";            // or "f32"
  std::string profile;               // a .piprof file; empty: made where a GPU is planned for
  bool noProfile = false;            // none is made: every neuron counts as active
  std::vector<std::string> calibrationText; // files to make it from; none: the model writes it
  int64_t calibrationTokens = 32768;        // that the model writes
  std::string placement = "neurons";        // or "layers"; "none" where nothing is to be placed
  int64_t vramBudget = 0;                   // bytes; 0: the device's memory
  int64_t vramReserve = -1;                 // bytes; -1: the default
  int64_t context = 0;                      // capacity of the KV cache in tokens; 0: default
  bool exact = false;                       // f32 KV cache, no predictor
  bool verbose = false;
  bool measure = false; // writes a machine file instead; of the others only `output` is set
  bool dryRun = false;  // runs the phases up to plan, writes nothing
  ExplainForm explain = ExplainForm::None;
  int64_t defaultContext = 4096; // where `context` is 0, and the model has as many positions
  bool instrument = false;       // the executable counts what neurons do
  bool errorsOnly = false;       // no warnings and remarks
  /// Called with the module before the executable is written; an exit code ends it.
  std::function<int(mlir::ModuleOp)> inspect = nullptr;
  std::string debugFail;     // how the last phase is to fail, for tests; empty: not
  std::string saveTemps;     // folder for intermediate files; empty: none
  std::optional<Phase> to;   // stop after this phase and write IR
  std::optional<Phase> from; // `input` is the IR after this phase
  std::string programPath;   // argv[0], to find the runtime archive and the sysroot
};

/// Compiles; prints diagnostics to stderr. Returns an exit code, kExitInternal also
/// where a part of the compiler crashes.
int runDriver(const DriverOptions &options);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_DRIVER_H
