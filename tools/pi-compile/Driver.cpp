//===- Driver.cpp - Runs the phases from a model to an executable -===//
// Joins compiler and codegen at the plan dialect. No flags, no printing of IR details.

#include "tools/pi-compile/Driver.h"

#include "codegen/Cpu/CpuCodegen.h"
#include "codegen/Cpu/CpuTarget.h"
#include "compiler/Import/Import.h"
#include "compiler/Pipelines/Passes.h"
#include "compiler/Profile/ProfileFile.h"
#include "dialects/Neuron/IR/Neuron.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tools/pi-compile/Calibrate.h"
#include "tools/pi-compile/CheckTokenizer.h"
#include "tools/pi-compile/Diagnostics.h"
#include "tools/pi-compile/Dialects.h"
#include "tools/pi-compile/Explain.h"
#include "tools/pi-compile/Outputs.h"
#include "tools/pi-compile/PhaseReport.h"
#include "tools/pi-compile/Recovery.h"
#include "tools/pi-compile/ScratchFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace pi;

namespace {

/// One compilation: a context, a module, and where we are. Functions return an exit
/// code.
class Compilation {
public:
  explicit Compilation(const DriverOptions &options)
      : options(options), context(makeRegistry(), MLIRContext::Threading::DISABLED),
        diagnostics(&context, options.errorsOnly), report(options.verbose) {}

  int run();

private:
  Phase lastPhase() const {
    Phase last = options.to.value_or(Phase::Codegen);
    return options.dryRun ? std::min(last, Phase::Plan) : last;
  }
  PassManager makeManager() { return PassManager(&context, ModuleOp::getOperationName()); }
  int load();
  int import();
  int checkInputs();
  int runPhase(Phase phase);
  bool plansForGpu();
  int makeProfile();
  void noteCpuTwins();
  void addPasses(PassManager &manager, Phase phase);
  int explain();
  int finish();
  int refuse(StringRef phase);

  const DriverOptions &options;
  MLIRContext context;
  DiagnosticPrinter diagnostics;
  PhaseReport report;
  std::vector<std::string> configFiles; // that the import read
  std::string profilePath;              // empty: none
  std::optional<ScratchFile> ownProfile;
  OwningOpRef<ModuleOp> module;
};

} // namespace

/// Ends a compilation after diagnostics, with their number.
int Compilation::refuse(StringRef phase) {
  unsigned nodes = diagnostics.getNumNodes(), errors = diagnostics.getNumErrors();
  llvm::errs() << "pi-compile: ";
  if (nodes > 0 && phase == phaseName(Phase::Raise))
    llvm::errs() << nodes << (nodes == 1 ? " node of " : " nodes of ") << options.input
                 << " cannot be compiled";
  else
    llvm::errs() << errors << (errors == 1 ? " error" : " errors") << " in phase " << phase;
  // Of --save-temps something may be there already.
  bool isClean = options.saveTemps.empty() || phase != phaseName(Phase::Codegen);
  llvm::errs() << (isClean ? "; nothing was written\n" : "; no output was written\n");
  return diagnostics.saysDoesNotFit() ? kExitDoesNotFit : kExitBadInput;
}

int Compilation::import() {
  ImportOptions import;
  import.modelPath = options.input;
  import.tokenizerPath = options.tokenizer;
  import.context = options.context;
  import.defaultContext = options.defaultContext;
  import.exact = options.exact;
  import.configFiles = &configFiles;
  FailureOr<OwningOpRef<ModuleOp>> imported = importModel(&context, import);
  if (failed(imported))
    return refuse("import");
  module = std::move(*imported);
  report.finish("import");
  return kExitOk;
}

/// Whether the file begins like text; what cannot be read is left to the parser.
static bool looksLikeText(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFileSlice(path, 64, 0);
  return !buffer || llvm::none_of((*buffer)->getBuffer(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t';
  });
}

/// Calls `check`, and reports its errors at the IR file `input`: what is wrong is the file
/// given, wherever the operations once came from.
static LogicalResult checkGiven(MLIRContext &context, StringRef input,
                                llvm::function_ref<LogicalResult()> check) {
  std::vector<Diagnostic> errors;
  LogicalResult result = failure();
  {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
        return failure(); // is printed as it is
      errors.push_back(std::move(diagnostic));
      return success();
    });
    result = check();
  }
  for (Diagnostic &found : errors) {
    InFlightDiagnostic error = emitError(FileLineColLoc::get(&context, input, 0, 0));
    error << found.str();
    for (Diagnostic &note : found.getNotes())
      error.attachNote() << note.str();
    if (!isa<UnknownLoc>(found.getLocation()))
      error.attachNote(found.getLocation()) << "it was made of this";
  }
  return result;
}

int Compilation::load() {
  if (!options.from)
    return import();
  if (options.input != "-" && llvm::sys::fs::is_regular_file(options.input) &&
      !looksLikeText(options.input)) {
    emitError(FileLineColLoc::get(&context, options.input, 0, 0))
            .append("is no IR text")
            .attachNote()
        << "--compile-from takes what --compile-to=PHASE wrote; a model is given without it";
    return kExitBadInput;
  }
  ParserConfig config(&context);
  module = parseSourceFile<ModuleOp>(options.input, config);
  if (!module)
    return kExitBadInput;
  LogicalResult isOfLevel = checkGiven(context, options.input, [&]() -> LogicalResult {
    if (*options.from == Phase::Codegen)
      return cpu::getObject(*module); // says what is missing
    PassManager manager = makeManager();
    populateLevelCheck(manager, *options.from);
    return manager.run(*module);
  });
  if (failed(isOfLevel))
    return kExitBadInput;
  report.finish("load");
  return kExitOk;
}

int Compilation::checkInputs() {
  std::vector<std::string> inputs{options.input};
  inputs.insert(inputs.end(), configFiles.begin(), configFiles.end());
  inputs = listInputs(*module, inputs);
  report.listInputs(inputs);
  if (int code = refuseInputs(options, inputs))
    return code;
  return failed(checkTokenizer(*module)) ? kExitBadInput : kExitOk;
}

void Compilation::addPasses(PassManager &manager, Phase phase) {
  switch (phase) {
  case Phase::Raise: {
    RaiseOptions raise;
    raise.cpu = options.cpu;
    raise.gpu = options.gpu;
    raise.machine = options.machine;
    raise.kv = options.kv;
    return populateRaisePipeline(manager, raise);
  }
  case Phase::Partition: {
    PartitionOptions partition;
    partition.profile = profilePath;
    partition.budget = options.vramBudget;
    partition.reserve = options.vramReserve;
    partition.placement = options.placement;
    partition.weights = options.weights;
    return populatePartitionPipeline(manager, partition);
  }
  case Phase::Quantise: {
    QuantiseOptions quantise;
    quantise.weights = options.weights;
    return populateQuantisePipeline(manager, quantise);
  }
  case Phase::Plan: {
    PlanOptions plan;
    plan.instrument = options.instrument;
    return populatePlanPipeline(manager, plan);
  }
  case Phase::Codegen: {
    cpu::CpuCodegenOptions codegen;
    codegen.saveTemps = options.saveTemps;
    return cpu::buildCpuCodegenPipeline(manager, codegen);
  }
  case Phase::Import:
  case Phase::Link:
    break;
  }
  llvm_unreachable("import and link are no pipelines");
}

int Compilation::runPhase(Phase phase) {
  PassManager manager = makeManager();
  addPasses(manager, phase);
  if (!options.debugFail.empty() && phase == lastPhase())
    manager.addPass(createDebugFail(DebugFailOptions{options.debugFail}));
  // What raise accepted, the later phases must be able to compile.
  bool isOurs = !options.from && phase > Phase::Raise;
  switch (runPasses(manager, *module, diagnostics, phaseName(phase), isOurs)) {
  case PassOutcome::Done:
    report.finish(phaseName(phase));
    return kExitOk;
  case PassOutcome::Refused:
    return refuse(phaseName(phase));
  case PassOutcome::Broken:
    return kExitInternal;
  }
  llvm_unreachable("all outcomes are handled");
}

bool Compilation::plansForGpu() {
  TargetSystemSpecInterface system = module->getTargetSystemSpec();
  return system && system.getDeviceSpecForDeviceID(StringAttr::get(&context, "gpu0"));
}

/// The profile that the partition phase takes, made now where none is given.
int Compilation::makeProfile() {
  profilePath = options.profile;
  bool isAsked = !options.calibrationText.empty();
  if (!profilePath.empty() || options.noProfile || options.instrument ||
      !(isAsked || (plansForGpu() && options.placement != "layers")))
    return kExitOk;
  CalibrationOptions calibration;
  calibration.corpora = options.calibrationText;
  calibration.tokens = options.calibrationTokens;
  llvm::errs() << "pi-compile: profiling, with "
               << (isAsked ? "the texts of --calibrate" : "text that the model writes itself")
               << "; --profile=FILE takes a profile of pi-profile, --no-profile none\n";
  std::string folder = options.dryRun ? "" : llvm::sys::path::parent_path(options.output).str();
  if (!options.dryRun && folder.empty())
    folder = ".";
  Profile profile;
  if (int code = calibrate(options, calibration, folder, profile))
    return code;
  ownProfile.emplace("", ".piprof");
  if (llvm::Error error = writeProfile(profile, ownProfile->path)) {
    llvm::errs() << "pi-compile: error: " << llvm::toString(std::move(error)) << "\n";
    return kExitBadInput;
  }
  profilePath = ownProfile->path;
  report.finish("profile");
  return kExitOk;
}

int Compilation::explain() {
  if (options.explain == ExplainForm::Json)
    return writeStdout([&](llvm::raw_ostream &os) { explainAsJson(*module, os); }, "the plan");
  bool isStdoutTaken = options.output == "-" && !options.dryRun;
  if (isStdoutTaken)
    explainAsText(*module, llvm::errs());
  else
    return writeStdout([&](llvm::raw_ostream &os) { explainAsText(*module, os); }, "the plan");
  return kExitOk;
}

int Compilation::finish() {
  if (options.dryRun) {
    llvm::errs() << "pi-compile: dry run: " << options.input << " passes the phases up to "
                 << phaseName(lastPhase()) << "; nothing was written\n";
    return kExitOk;
  }
  if (options.to)
    return writeIr(*module, options);
  FailureOr<ArrayRef<char>> object = cpu::getObject(*module);
  FailureOr<cpu::Target> target = cpu::getTarget(*module);
  if (failed(object) || failed(target))
    return kExitBadInput;
  if (options.inspect)
    if (int code = options.inspect(*module))
      return code;
  int code = writeExecutable(*module, *object, target->cpu, options);
  if (code == kExitOk) {
    noteCpuTwins();
    report.finish("link");
  }
  return code;
}

/// Says that what is planned for a GPU runs on the CPU.
void Compilation::noteCpuTwins() {
  int64_t rows = 0;
  for (auto group : module->getOps<neuron::GroupOp>())
    rows += group.getPlace() == Place::Gpu0 ? group.getRows() : 0;
  if (rows > 0)
    llvm::errs() << "pi-compile: note: " << options.output << " runs the " << rows
                 << " neurons planned for the GPU on the CPU: GPU code is not built yet\n";
}

int Compilation::run() {
  if (int code = refuseInputs(options, options.input))
    return code;
  if (int code = tryOutput(options))
    return code;
  if (int code = load())
    return code;
  if (int code = checkInputs())
    return code;
  Phase first = options.from.value_or(Phase::Import);
  for (Phase phase : allPhases()) {
    bool isDue = phase > first && phase <= lastPhase();
    if (isDue && phase == Phase::Partition)
      if (int code = makeProfile())
        return code;
    if (isDue)
      if (int code = runPhase(phase))
        return code;
    if (phase == Phase::Plan && phase <= lastPhase() && options.explain != ExplainForm::None)
      if (int code = explain())
        return code;
  }
  return finish();
}

int pi::runDriver(const DriverOptions &options) {
  return runGuarded([&] { return Compilation(options).run(); });
}
