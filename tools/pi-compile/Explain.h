//===- Explain.h - Prints a plan for people and for scripts -===//

#ifndef PI_TOOLS_PI_COMPILE_EXPLAIN_H
#define PI_TOOLS_PI_COMPILE_EXPLAIN_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace pi {

/// Prints the plan of `module` (plan level) as a table, with where its numbers come
/// from and why others are not known.
void explainAsText(mlir::ModuleOp module, llvm::raw_ostream &os);

/// Prints it as one JSON object and a newline: the fields of design section 6.1, then
/// "bytes_per_token" and "bytes_per_token_min" (weights read with all and with no neuron
/// active) and "kv_bytes" (cache read at the full context). Times are in microseconds;
/// what is not known is null.
void explainAsJson(mlir::ModuleOp module, llvm::raw_ostream &os);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_EXPLAIN_H
