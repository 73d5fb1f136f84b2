//===- OnnxImporter.h - Plain structs of an ONNX file -> onnx dialect -===//

#ifndef PI_COMPILER_IMPORT_ONNXIMPORTER_H
#define PI_COMPILER_IMPORT_ONNXIMPORTER_H

#include "compiler/Import/OnnxModel.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace pi {

/// Builds `func.func @main` with one operation per node, and a `pi.weight` per weight
/// used. Dialects must be loaded. Errors are diagnostics at nodes; all unsupported
/// operators are reported before it gives up.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> buildOnnxModule(mlir::MLIRContext *context,
                                                                   const onnxfile::Model &model);

} // namespace pi

#endif // PI_COMPILER_IMPORT_ONNXIMPORTER_H
