//===- Passes.h - onnx to llm -===//

#ifndef PI_COMPILER_CONVERSION_ONNXTOLLM_PASSES_H
#define PI_COMPILER_CONVERSION_ONNXTOLLM_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace pi {

#define GEN_PASS_DECL
#include "compiler/Conversion/OnnxToLlm/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/OnnxToLlm/Passes.h.inc"

} // namespace pi

#endif // PI_COMPILER_CONVERSION_ONNXTOLLM_PASSES_H
