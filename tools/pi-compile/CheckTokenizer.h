//===- CheckTokenizer.h - Is the tokenizer one that executables can use? -===//

#ifndef PI_TOOLS_PI_COMPILE_CHECKTOKENIZER_H
#define PI_TOOLS_PI_COMPILE_CHECKTOKENIZER_H

#include "mlir/IR/BuiltinOps.h"

namespace pi {

/// Reads the tokenizer.json that `pi.model` of `module` names with the code that is
/// inside executables. Emits an error at the file where it is missing or unsupported.
mlir::LogicalResult checkTokenizer(mlir::ModuleOp module);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_CHECKTOKENIZER_H
