//===- InputBinding.h - What each input of a decoder graph is -===//

#ifndef PI_COMPILER_ANALYSIS_INPUTBINDING_H
#define PI_COMPILER_ANALYSIS_INPUTBINDING_H

#include "compiler/Analysis/ShapeValues.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pi {

/// Gives every argument of an imported function its facts for batch 1, sequence 1 and a
/// past of P tokens: token ids [1, 1], the mask all ones over P + 1 positions, position
/// ids P, past keys and values [1, heads, P, dim]. Emits an error at an argument whose
/// role or shape does not allow that.
mlir::LogicalResult bindInputs(mlir::func::FuncOp function, ShapeValues &values);

} // namespace pi

#endif // PI_COMPILER_ANALYSIS_INPUTBINDING_H
