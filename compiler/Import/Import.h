//===- Import.h - Phase `import`: ONNX file -> onnx dialect -===//

#ifndef PI_COMPILER_IMPORT_IMPORT_H
#define PI_COMPILER_IMPORT_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <string>

namespace pi {

struct ImportOptions {
  std::string modelPath;
  std::string tokenizerPath; // empty: tokenizer.json beside the model
  int64_t context = 0;       // KV cache in tokens, 0: min(4096, the model's positions)
  bool exact = false;
};

/// Reads a model file into a module with `func.func @main` in the onnx dialect,
/// `pi.weight` symbols that name byte ranges, and the attribute `pi.model` (family "",
/// which `raise` fills in). Loads the dialects it needs. Reads no bytes of weights.
/// Errors: diagnostics at the file or node.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> importOnnx(mlir::MLIRContext *context,
                                                              const ImportOptions &options);

} // namespace pi

#endif // PI_COMPILER_IMPORT_IMPORT_H
