//===- Recovery.cpp - When a part of the compiler fails for no fault of the user -===//
// MLIR's own reproducer (PassManager::enableCrashReproducerGeneration) also reports
// failures that a diagnostic explains; this one writes the same file for the others.

#include "tools/pi-compile/Recovery.h"

#include "mlir/IR/AsmState.h"
#include "tools/pi-compile/Driver.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"

#include <cstring>

using namespace mlir;
using namespace pi;

/// What happened, from the code of a recovery context: 128 + signal after a crash.
static std::string describeCrash(int code) {
  const char *name = code > 128 ? strsignal(code - 128) : nullptr;
  return name ? std::string("crashed (") + name + ")" : "crashed";
}

/// Writes the file; empty where that fails.
static std::string writeReproducer(ModuleOp before, StringRef pipeline) {
  llvm::SmallString<128> path;
  int fd;
  if (llvm::sys::fs::createTemporaryFile("pi-compile-crash", "mlir", fd, path))
    return {};
  llvm::raw_fd_ostream os(fd, /*shouldClose=*/true);
  AsmState state(before, OpPrintingFlags().enableDebugInfo().printGenericOpForm());
  state.attachResourcePrinter("mlir_reproducer", [&](Operation *, AsmResourceBuilder &builder) {
    builder.buildString("pipeline", pipeline);
    builder.buildBool("disable_threading", true);
    builder.buildBool("verify_each", true);
  });
  before->print(os, state);
  os << "\n";
  os.close();
  if (!os.has_error())
    return path.str().str();
  os.clear_error();
  llvm::sys::fs::remove(path);
  return {};
}

PassOutcome pi::runPasses(PassManager &manager, ModuleOp module,
                          const DiagnosticPrinter &diagnostics, StringRef phase, bool isOurs) {
  OwningOpRef<ModuleOp> before = module.clone();
  std::string pipeline;
  llvm::raw_string_ostream pipelineStream(pipeline);
  manager.printAsTextualPipeline(pipelineStream);
  unsigned numErrors = diagnostics.getNumErrors(), numUser = diagnostics.getNumUserErrors();
  LogicalResult result = failure();
  llvm::CrashRecoveryContext context;
  bool survived = context.RunSafely([&] { result = manager.run(module); });
  if (survived && succeeded(result))
    return PassOutcome::Done;
  bool isExplained = diagnostics.getNumErrors() > numErrors;
  if (survived && isExplained && (!isOurs || diagnostics.getNumUserErrors() > numUser))
    return PassOutcome::Refused;

  std::string what = !survived     ? describeCrash(context.RetCode)
                     : isExplained ? "failed on what earlier phases made (see above)"
                                   : "failed without saying why";
  std::string path = writeReproducer(*before, pipeline);
  llvm::errs() << "pi-compile: error: phase " << phase << " " << what
               << ": this is a bug of pi-compile\n";
  if (path.empty())
    llvm::errs() << "pi-compile: note: please report it with the model; no reproducer could be "
                    "written to the folder for temporary files\n";
  else
    llvm::errs() << "pi-compile: note: please report it with this file: " << path << "\n"
                 << "pi-compile: note: pi-opt --run-reproducer " << path << " does it again\n";
  return PassOutcome::Broken;
}

int pi::runGuarded(llvm::function_ref<int()> work) {
  llvm::CrashRecoveryContext::Enable();
  int code = kExitInternal;
  llvm::CrashRecoveryContext context;
  if (context.RunSafely([&] { code = work(); }))
    return code;
  llvm::sys::RunInterruptHandlers();
  llvm::errs() << "pi-compile: error: " << describeCrash(context.RetCode)
               << ": this is a bug of pi-compile\n"
               << "pi-compile: note: please report it with the command line and the model\n";
  return kExitInternal;
}
