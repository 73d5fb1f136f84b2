//===- Object.h - LLVM dialect to an ELF object -*- C++ -*-===//

#ifndef PI_CODEGEN_CPU_OBJECT_H
#define PI_CODEGEN_CPU_OBJECT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace pi::cpu {

/// Compiles `module`, which holds operations of the LLVM dialect only, for `cpu`
/// (see createTargetMachine) at -O3. Returns the bytes of a relocatable ELF object,
/// the same for the same input; writes the optimised LLVM IR to `irText` unless that
/// is null. The object calls nothing outside itself: it is an error of ours, reported
/// at the module, if it would.
llvm::FailureOr<std::string> emitObject(mlir::ModuleOp module, llvm::StringRef cpu,
                                        llvm::raw_ostream *irText = nullptr);

} // namespace pi::cpu

#endif // PI_CODEGEN_CPU_OBJECT_H
