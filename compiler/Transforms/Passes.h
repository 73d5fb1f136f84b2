//===- Passes.h - Passes within one level -===//

#ifndef PI_COMPILER_TRANSFORMS_PASSES_H
#define PI_COMPILER_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace pi {

#define GEN_PASS_DECL
#include "compiler/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/Passes.h.inc"

} // namespace pi

#endif // PI_COMPILER_TRANSFORMS_PASSES_H
