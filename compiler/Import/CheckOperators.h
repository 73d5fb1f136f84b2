//===- CheckOperators.h - Refuses what cannot be imported, all at once -===//

#ifndef PI_COMPILER_IMPORT_CHECKOPERATORS_H
#define PI_COMPILER_IMPORT_CHECKOPERATORS_H

#include "compiler/Import/OnnxModel.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"

namespace pi {

/// `text` as MLIR wants it.
inline llvm::StringRef toRef(std::string_view text) { return {text.data(), text.size()}; }

/// The location of a node: its name, else that of its first result.
mlir::Location locationOf(mlir::MLIRContext *context, const onnxfile::Model &model,
                          const onnxfile::Node &node);

/// Reports each operator type without a rule once, at its first node, with a note that
/// says how many nodes have it.
llvm::LogicalResult checkOperators(mlir::MLIRContext *context, const onnxfile::Model &model);

} // namespace pi

#endif // PI_COMPILER_IMPORT_CHECKOPERATORS_H
