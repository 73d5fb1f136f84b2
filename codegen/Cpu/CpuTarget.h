//===- CpuTarget.h - The CPU that code is made for -*- C++ -*-===//

#ifndef PI_CODEGEN_CPU_CPUTARGET_H
#define PI_CODEGEN_CPU_CPUTARGET_H

#include "mlir/IR/BuiltinOps.h"
#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace pi::cpu {

/// What code is made for.
struct Target {
  std::string cpu;    ///< a level of the x86-64 psABI: x86-64-v3 or x86-64-v4
  int64_t vectorBits; ///< of the vectors kernels use: 128, 256 or 512
};

/// `pi.cpu` and `pi.vector_bits` of device "cpu0" in the module's DLTI target spec.
/// Errors: one of them is absent; a CPU that is none of the levels above, for only of
/// those every feature is checked when a program starts; vectors it does not have.
llvm::FailureOr<Target> getTarget(mlir::ModuleOp module);

/// The code generator for the `cpu` of a Target. Error at `loc`: LLVM has none for it.
llvm::FailureOr<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(llvm::StringRef cpu,
                                                                          mlir::Location loc);

/// The bits of enum pi_cpu_feature that code for `machine` may use.
uint32_t getCpuFeatures(const llvm::TargetMachine &machine);

} // namespace pi::cpu

#endif // PI_CODEGEN_CPU_CPUTARGET_H
