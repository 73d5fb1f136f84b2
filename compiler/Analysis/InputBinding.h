//===- InputBinding.h - What each input of a decoder graph is -===//

#ifndef PI_COMPILER_ANALYSIS_INPUTBINDING_H
#define PI_COMPILER_ANALYSIS_INPUTBINDING_H

#include "compiler/Analysis/ShapeValues.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pi {

/// What an imported function is evaluated for.
enum class Step {
  OneToken,      ///< sequence 1, a past of P tokens; past inputs are required
  FirstToken,    ///< sequence 1, no past inputs
  WholeSequence, ///< sequence P + 1, no past inputs
};

/// Gives every argument of an imported function its facts for batch 1 and `step`: token
/// ids [1, sequence], the mask all ones over past and sequence, position ids, past keys
/// and values [1, heads, P, dim]. Emits an error at an argument whose role or shape does
/// not allow that.
mlir::LogicalResult bindInputs(mlir::func::FuncOp function, ShapeValues &values,
                               Step step = Step::OneToken);

/// Whether the module has the llm level already, as one imported from safetensors: then
/// there is no graph to bind, freeze or raise.
bool isRaised(mlir::ModuleOp module);

/// Whether the function takes past keys and values.
bool hasPastInputs(mlir::func::FuncOp function);

} // namespace pi

#endif // PI_COMPILER_ANALYSIS_INPUTBINDING_H
