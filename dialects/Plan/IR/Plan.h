//===- Plan.h - The plan dialect -===//

#ifndef PI_DIALECTS_PLAN_IR_PLAN_H
#define PI_DIALECTS_PLAN_IR_PLAN_H

#include "dialects/Pi/IR/Pi.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Plan/IR/PlanEnums.h.inc"
#include "dialects/Plan/IR/PlanOpsDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Plan/IR/PlanOpsAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Plan/IR/PlanOps.h.inc"

#endif // PI_DIALECTS_PLAN_IR_PLAN_H
