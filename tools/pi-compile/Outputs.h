//===- Outputs.h - What a compilation writes, and what it must not -===//

#ifndef PI_TOOLS_PI_COMPILE_OUTPUTS_H
#define PI_TOOLS_PI_COMPILE_OUTPUTS_H

#include "mlir/IR/BuiltinOps.h"
#include "tools/pi-compile/Driver.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace pi {

/// Tries, before long work, whether the output can be written; leaves nothing. Prints
/// an error and returns an exit code.
int tryOutput(const DriverOptions &options);

/// The files that a compilation of `module` reads: `inputs`, the tokenizer and the files
/// with weights, each once, in order.
std::vector<std::string> listInputs(mlir::ModuleOp module, llvm::ArrayRef<std::string> inputs);

/// Refuses an output, or a file of --save-temps, that is one of `inputs`.
int refuseInputs(const DriverOptions &options, llvm::ArrayRef<std::string> inputs);

/// Lets `print` write to standard output. An exit code, after an error that calls it
/// `what`, where that cannot be written.
int writeStdout(llvm::function_ref<void(llvm::raw_ostream &)> print, llvm::StringRef what);

/// Lets `print` write a file of text, called `what` where it is stdout ("-"); whole or not
/// at all. An exit code, after an error, where it cannot be written.
int writeText(llvm::function_ref<void(llvm::raw_ostream &)> print, const std::string &output,
              llvm::StringRef what);

/// Writes the IR with locations to the output, whole or not at all; "-" is stdout.
int writeIr(mlir::ModuleOp module, const DriverOptions &options);

/// Links `object` for `cpu` and packages the executable; shows progress.
int writeExecutable(mlir::ModuleOp module, llvm::ArrayRef<char> object, llvm::StringRef cpu,
                    const DriverOptions &options);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_OUTPUTS_H
