//===- CpuTarget.h - The CPU that code is made for -*- C++ -*-===//

#ifndef PI_CODEGEN_CPU_CPUTARGET_H
#define PI_CODEGEN_CPU_CPUTARGET_H

#include "mlir/IR/BuiltinOps.h"
#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace pi::cpu {

/// Bits of the vectors kernels use: `pi.vector_bits` of device "cpu0" in the module's
/// DLTI target spec, 256 where that says nothing. An error where it is not 128, 256
/// or 512.
llvm::FailureOr<int64_t> getVectorBits(mlir::ModuleOp module);

/// The code generator for `cpu`: `x86-64-v3` or `x86-64-v4`, the levels whose features an
/// executable checks before it runs. Errors at `loc`: any other name.
llvm::FailureOr<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(llvm::StringRef cpu,
                                                                          mlir::Location loc);

/// The bits of enum pi_cpu_feature that code for `machine` may use.
uint32_t getCpuFeatures(const llvm::TargetMachine &machine);

} // namespace pi::cpu

#endif // PI_CODEGEN_CPU_CPUTARGET_H
