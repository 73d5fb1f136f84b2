//===- Passes.h - Passes that belong to no pair of dialects -===//

#ifndef PI_COMPILER_PIPELINES_PASSES_H
#define PI_COMPILER_PIPELINES_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace pi {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Pipelines/Passes.h.inc"
} // namespace pi

#endif // PI_COMPILER_PIPELINES_PASSES_H
