//===- Recovery.h - When a part of the compiler fails for no fault of the user -===//

#ifndef PI_TOOLS_PI_COMPILE_RECOVERY_H
#define PI_TOOLS_PI_COMPILE_RECOVERY_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "tools/pi-compile/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace pi {

/// How passes ended.
enum class PassOutcome {
  Done,
  Refused, // after a diagnostic: the user's fault
  Broken   // a crash, a failure that nobody explained, or one over IR that is ours
};

/// Runs `manager`, whose anchor is builtin.module, on `module`. `isOurs` says that earlier
/// phases made `module`: then errors are the user's fault only where they are marked so
/// (see ErrorKinds.h). Where that ends as
/// Broken, writes the module as it was, with the pipeline, to a file that
/// `pi-opt --run-reproducer` takes, in the folder for temporary files, and prints an
/// error that names it. Takes the memory of a second module while it runs.
PassOutcome runPasses(mlir::PassManager &manager, mlir::ModuleOp module,
                      const DiagnosticPrinter &diagnostics, llvm::StringRef phase, bool isOurs);

/// Calls `work` and returns what it does. Where that crashes, removes half-written
/// files, prints an error and returns kExitInternal.
int runGuarded(llvm::function_ref<int()> work);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_RECOVERY_H
