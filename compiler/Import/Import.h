//===- Import.h - Phase `import`: a model's files -> IR -===//

#ifndef PI_COMPILER_IMPORT_IMPORT_H
#define PI_COMPILER_IMPORT_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pi {

struct ImportOptions {
  std::string modelPath;
  std::string tokenizerPath; // empty: tokenizer.json beside the model
  int64_t context = 0;       // KV cache in tokens, 0: min(defaultContext, model's positions)
  bool exact = false;
  std::vector<std::string> *configFiles = nullptr; // gets the paths of config files that are read
  int64_t defaultContext = 4096;
};

/// Imports `modelPath`: a directory as safetensors, a file as ONNX. Files of other kinds
/// are refused with advice.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> importModel(mlir::MLIRContext *context,
                                                               const ImportOptions &options);

/// Reads a Hugging Face directory into a module with `func.func @decode` in the llm
/// dialect (KV caches of f32, which `raise` sets), `pi.weight` symbols that name byte
/// ranges, and `pi.model`. Families: LLaMA, OPT, Falcon, with ReLU. Reads headers only.
/// Errors: diagnostics at config.json or the tensor, as many as there are.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> importHuggingFace(mlir::MLIRContext *context,
                                                                     const ImportOptions &options);

/// Reads an ONNX file into a module with `func.func @main` in the onnx dialect,
/// `pi.weight` symbols that name byte ranges, and the attribute `pi.model` (family "",
/// which `raise` fills in). Loads the dialects it needs. Reads no bytes of weights.
/// Errors: diagnostics at the file or node.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> importOnnx(mlir::MLIRContext *context,
                                                              const ImportOptions &options);

} // namespace pi

#endif // PI_COMPILER_IMPORT_IMPORT_H
