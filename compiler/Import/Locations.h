//===- Locations.h - Node names as locations -===//
// An operation made from node N of file F has the location loc("N"("F":0:0)): a NameLoc
// over a position without line, because ONNX files have none. Diagnostics read
// `F: N: error: text`.

#ifndef PI_COMPILER_IMPORT_LOCATIONS_H
#define PI_COMPILER_IMPORT_LOCATIONS_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace pi {

/// The location of a file as a whole, loc("F":0:0).
mlir::Location fileLocation(mlir::MLIRContext *context, llvm::StringRef file);

/// The location of node, tensor or value `name` of `file`.
mlir::Location nodeLocation(mlir::MLIRContext *context, llvm::StringRef file, llvm::StringRef name);

/// The node name in `loc`, e.g. "/model/layers.3/mlp/act": the outermost name; of fused
/// locations the first that has one. Empty where there is none.
llvm::StringRef nodeName(mlir::Location loc);

/// How diagnostics name a location: "file: node", "file:line:col", "file", "node", or
/// empty where nothing is known.
std::string describeLocation(mlir::Location loc);

} // namespace pi

#endif // PI_COMPILER_IMPORT_LOCATIONS_H
