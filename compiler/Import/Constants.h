//===- Constants.h - Element types and small constants of the onnx dialect -===//

#ifndef PI_COMPILER_IMPORT_CONSTANTS_H
#define PI_COMPILER_IMPORT_CONSTANTS_H

#include "compiler/Import/OnnxModel.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/LogicalResult.h"

namespace pi {

/// Most elements a constant may have that is written into the IR.
inline constexpr uint64_t kMaxInlineElements = 4096;

/// The element type of an ONNX data type, or null where the onnx dialect has none.
mlir::Type elementType(mlir::MLIRContext *context, int32_t dataType);

/// Whether a data type is one that weights may have: f32, f16 or bf16.
bool isWeightType(int32_t dataType);

/// The numbers of a small tensor. Errors at `loc`: more than kMaxInlineElements, an
/// element type without counterpart, numbers missing in the file.
mlir::FailureOr<mlir::DenseElementsAttr> readDense(mlir::Location loc, const onnxfile::Model &model,
                                                   const onnxfile::Tensor &tensor);

} // namespace pi

#endif // PI_COMPILER_IMPORT_CONSTANTS_H
