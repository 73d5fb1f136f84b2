//===- Llm.h - The llm dialect -===//

#ifndef PI_DIALECTS_LLM_IR_LLM_H
#define PI_DIALECTS_LLM_IR_LLM_H

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

#include "dialects/Llm/IR/LlmEnums.h.inc"
#include "dialects/Llm/IR/LlmOpsDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Llm/IR/LlmOpsTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Llm/IR/LlmOpsAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Llm/IR/LlmOps.h.inc"

#endif // PI_DIALECTS_LLM_IR_LLM_H
