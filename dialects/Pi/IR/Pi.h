//===- Pi.h - The pi dialect -===//

#ifndef PI_DIALECTS_PI_IR_PI_H
#define PI_DIALECTS_PI_IR_PI_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Pi/IR/PiEnums.h.inc"
#include "dialects/Pi/IR/PiOpsDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Pi/IR/PiOpsAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Pi/IR/PiOps.h.inc"

namespace pi {

/// `[1.0, 0.5]`, for `custom<F32List>`: enough digits that the text reads back exactly,
/// which the printer of DenseF32ArrayAttr does not promise.
void printF32List(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::DenseF32ArrayAttr values);
mlir::ParseResult parseF32List(mlir::OpAsmParser &parser, mlir::DenseF32ArrayAttr &values);

} // namespace pi

#endif // PI_DIALECTS_PI_IR_PI_H
