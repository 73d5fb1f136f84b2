//===- Passes.h - Passes from llm to neuron -===//

#ifndef PI_COMPILER_CONVERSION_LLMTONEURON_PASSES_H
#define PI_COMPILER_CONVERSION_LLMTONEURON_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace pi {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/LlmToNeuron/Passes.h.inc"
} // namespace pi

#endif // PI_COMPILER_CONVERSION_LLMTONEURON_PASSES_H
