//===- Onnx.h - The onnx dialect -===//

#ifndef PI_DIALECTS_ONNX_IR_ONNX_H
#define PI_DIALECTS_ONNX_IR_ONNX_H

#include "dialects/Pi/IR/Pi.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Onnx/IR/OnnxOpsDialect.h.inc"

#define GET_OP_CLASSES
#include "dialects/Onnx/IR/OnnxOps.h.inc"

#endif // PI_DIALECTS_ONNX_IR_ONNX_H
