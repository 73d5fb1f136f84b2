//===- Passes.h - Passes from plan to an object for the CPU -*- C++ -*-===//

#ifndef PI_CODEGEN_CPU_PASSES_H
#define PI_CODEGEN_CPU_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace pi::cpu {

#define GEN_PASS_DECL
#include "codegen/Cpu/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "codegen/Cpu/Passes.h.inc"

/// Registers the pipeline `pi-phase-codegen` (see CpuCodegen.h).
void registerCpuPipelines();

} // namespace pi::cpu

#endif // PI_CODEGEN_CPU_PASSES_H
