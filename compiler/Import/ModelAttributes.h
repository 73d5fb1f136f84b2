//===- ModelAttributes.h - What config files add to an imported module -===//

#ifndef PI_COMPILER_IMPORT_MODELATTRIBUTES_H
#define PI_COMPILER_IMPORT_MODELATTRIBUTES_H

#include "compiler/Import/ConfigFacts.h"
#include "compiler/Import/Import.h"
#include "mlir/IR/BuiltinOps.h"

namespace pi {

/// Finds the tokenizer and the config files beside `neighbour`, a file of the model, and
/// sets `pi.model` (family ""). What the files say of sizes is the caller's to use. Errors:
/// at the file that is missing or bad.
mlir::FailureOr<ConfigFacts> attachFacts(mlir::ModuleOp module, llvm::StringRef neighbour,
                                         const ImportOptions &options);

} // namespace pi

#endif // PI_COMPILER_IMPORT_MODELATTRIBUTES_H
