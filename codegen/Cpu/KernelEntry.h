//===- KernelEntry.h - Functions to kernels of the ABI -*- C++ -*-===//

#ifndef PI_CODEGEN_CPU_KERNELENTRY_H
#define PI_CODEGEN_CPU_KERNELENTRY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pi::cpu {

/// Replaces `function`, whose arguments are those of a plan.kernel, by an internal
/// `llvm.func` of the same name with the signature of pi_kernel_fn. The body stays as
/// it is, behind instructions that read token, position and the buffers' addresses.
/// `vectorBits` is the width its vectors are allowed to keep.
void makeKernelEntry(mlir::func::FuncOp function, int64_t vectorBits);

} // namespace pi::cpu

#endif // PI_CODEGEN_CPU_KERNELENTRY_H
