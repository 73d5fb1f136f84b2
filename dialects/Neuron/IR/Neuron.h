//===- Neuron.h - The neuron dialect -===//

#ifndef PI_DIALECTS_NEURON_IR_NEURON_H
#define PI_DIALECTS_NEURON_IR_NEURON_H

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

#include "dialects/Neuron/IR/NeuronOpsDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Neuron/IR/NeuronOpsAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Neuron/IR/NeuronOpsTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/Neuron/IR/NeuronOps.h.inc"

#endif // PI_DIALECTS_NEURON_IR_NEURON_H
