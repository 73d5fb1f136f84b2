//===- Driver.cpp - Runs the phases from a model to an executable -===//
// Joins compiler and codegen at the plan dialect. No flags, no printing of IR details.

#include "tools/pi-compile/Driver.h"

#include "codegen/Cpu/CpuCodegen.h"
#include "codegen/Link/Link.h"
#include "codegen/Link/TempFile.h"
#include "compiler/Import/Import.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tools/pi-compile/CheckTokenizer.h"
#include "tools/pi-compile/Diagnostics.h"
#include "tools/pi-compile/Dialects.h"
#include "tools/pi-compile/Version.h"

using namespace mlir;
using namespace pi;

namespace {

/// One compilation: a context, a module, and where we are.
class Compilation {
public:
  explicit Compilation(const DriverOptions &options)
      : options(options), context(makeRegistry(), MLIRContext::Threading::DISABLED),
        diagnostics(&context) {}

  int run();

private:
  LogicalResult load();
  LogicalResult runPhase(Phase phase);
  int link();
  int writeIr();
  std::string targetCpu();
  void note(const llvm::Twine &text) const {
    if (options.verbose)
      llvm::errs() << "pi-compile: " << text << "\n";
  }

  const DriverOptions &options;
  MLIRContext context;
  DiagnosticPrinter diagnostics;
  OwningOpRef<ModuleOp> module;
};

} // namespace

LogicalResult Compilation::load() {
  if (options.from) {
    note("read IR after " + phaseName(*options.from) + ": " + options.input);
    ParserConfig config(&context);
    module = parseSourceFile<ModuleOp>(options.input, config);
    if (!module)
      return failure();
    if (*options.from == Phase::Codegen)
      return cpu::getObject(*module); // says what is missing
    PassManager manager(&context);
    populateLevelCheck(manager, *options.from);
    return manager.run(*module);
  }
  note("import " + options.input);
  ImportOptions import;
  import.modelPath = options.input;
  import.tokenizerPath = options.tokenizer;
  import.context = options.context;
  import.exact = options.exact;
  FailureOr<OwningOpRef<ModuleOp>> imported = importModel(&context, import);
  if (failed(imported))
    return failure();
  module = std::move(*imported);
  return success();
}

/// The CPU on the module, which `raise` put there.
std::string Compilation::targetCpu() {
  auto system = (*module)->getAttrOfType<TargetSystemSpecAttr>(
      DLTIDialect::kTargetSystemDescAttrName);
  for (DataLayoutEntryInterface device : system ? system.getEntries() : DataLayoutEntryListRef())
    if (auto spec = dyn_cast<TargetDeviceSpecAttr>(device.getValue()))
      for (DataLayoutEntryInterface entry : spec.getEntries())
        if (auto key = dyn_cast<StringAttr>(entry.getKey()); key && key.getValue() == "pi.cpu")
          if (auto name = dyn_cast<StringAttr>(entry.getValue()))
            return name.str();
  return options.cpu;
}

LogicalResult Compilation::runPhase(Phase phase) {
  note("phase " + phaseName(phase));
  if (phase == Phase::Codegen) {
    cpu::CpuCodegenOptions codegen;
    codegen.cpu = targetCpu();
    codegen.saveTemps = options.saveTemps;
    return cpu::runCpuCodegen(*module, codegen);
  }
  PassManager manager(&context);
  switch (phase) {
  case Phase::Raise: {
    RaiseOptions raise;
    raise.cpu = options.cpu;
    raise.kv = options.kv;
    populateRaisePipeline(manager, raise);
    break;
  }
  case Phase::Partition:
    populatePartitionPipeline(manager, PartitionOptions());
    break;
  case Phase::Quantise: {
    QuantiseOptions quantise;
    quantise.weights = options.weights;
    populateQuantisePipeline(manager, quantise);
    break;
  }
  case Phase::Plan:
    populatePlanPipeline(manager, PlanOptions());
    break;
  default:
    llvm_unreachable("import, codegen and link are no pipelines");
  }
  return manager.run(*module);
}

/// Prints a status; returns the exit code its kind stands for.
static int reportStatus(const absl::Status &status) {
  if (status.ok())
    return kExitOk;
  llvm::errs() << "pi-compile: error: "
               << llvm::StringRef(status.message().data(), status.message().size()) << "\n";
  switch (status.code()) {
  case absl::StatusCode::kNotFound:
  case absl::StatusCode::kUnavailable:
    return kExitToolMissing;
  case absl::StatusCode::kInternal:
    return kExitInternal;
  default:
    return kExitBadInput;
  }
}

int Compilation::writeIr() {
  OpPrintingFlags flags;
  flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
  if (options.output == "-") {
    module->print(llvm::outs(), flags);
    llvm::outs() << "\n";
    llvm::outs().flush();
    if (!llvm::outs().has_error())
      return kExitOk;
    llvm::errs() << "pi-compile: error: cannot write the IR to standard output: "
                 << llvm::outs().error().message() << "\n";
    llvm::outs().clear_error();
    return kExitBadInput;
  }
  absl::StatusOr<TempFile> file = TempFile::create(options.output, "-o");
  if (!file.ok())
    return reportStatus(file.status());
  llvm::raw_fd_ostream os(file->getFd(), /*shouldClose=*/false);
  module->print(os, flags);
  os << "\n";
  os.flush();
  if (std::error_code error = os.error()) {
    os.clear_error();
    return reportStatus(file->makeError(error.value()));
  }
  return reportStatus(file->commit());
}

int Compilation::link() {
  FailureOr<ArrayRef<char>> object = cpu::getObject(*module);
  if (failed(object))
    return kExitBadInput;
  std::string program = llvm::sys::fs::getMainExecutable(options.programPath.c_str(),
                                                         reinterpret_cast<void *>(&runDriver));
  llvm::SmallString<256> root(program);
  llvm::sys::path::remove_filename(root); // bin
  llvm::sys::path::remove_filename(root);
  LinkOptions link;
  link.output = options.output;
  link.runtimeArchive = (root + "/lib/libpi_runtime.a").str();
  link.sysroot = (root + "/sysroot").str();
  link.compilerVersion = versionString();
  link.verbose = options.verbose;
  link.cpu = targetCpu();
  note("link " + options.output);
  return reportStatus(linkAndPackage(*module, *object, link));
}

int Compilation::run() {
  if (failed(load()) || failed(checkTokenizer(*module)))
    return kExitBadInput;
  Phase last = options.to.value_or(Phase::Codegen);
  int first = options.from ? static_cast<int>(*options.from) + 1 : static_cast<int>(Phase::Raise);
  for (int phase = first; phase <= static_cast<int>(last); ++phase)
    if (failed(runPhase(static_cast<Phase>(phase)))) {
      if (diagnostics.getNumErrors() == 0)
        llvm::errs() << "pi-compile: error: phase " << phaseName(static_cast<Phase>(phase))
                     << " failed without saying why; please report this as a bug\n";
      return diagnostics.getNumErrors() ? kExitBadInput : kExitInternal;
    }
  return options.to ? writeIr() : link();
}

int pi::runDriver(const DriverOptions &options) { return Compilation(options).run(); }
