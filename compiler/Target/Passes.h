//===- Passes.h - Facts of the machine to compile for -===//

#ifndef PI_COMPILER_TARGET_PASSES_H
#define PI_COMPILER_TARGET_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace pi {

#define GEN_PASS_DECL
#include "compiler/Target/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/Target/Passes.h.inc"

} // namespace pi

#endif // PI_COMPILER_TARGET_PASSES_H
