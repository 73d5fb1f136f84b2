//===- JsonFile.h - Reading small JSON files of unknown origin -===//

#ifndef PI_COMPILER_IMPORT_JSONFILE_H
#define PI_COMPILER_IMPORT_JSONFILE_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LogicalResult.h"

#include <optional>

namespace pi {

/// Parses a JSON file whose root is an object. A missing file gives nullopt. Errors, at
/// line and column: no JSON, nested deeper than 100, longer than `maxBytes`.
mlir::FailureOr<std::optional<llvm::json::Object>>
readJsonFile(mlir::MLIRContext *context, llvm::StringRef path, uint64_t maxBytes);

} // namespace pi

#endif // PI_COMPILER_IMPORT_JSONFILE_H
