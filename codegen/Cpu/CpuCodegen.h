//===- CpuCodegen.h - The phase `codegen` for the CPU -*- C++ -*-===//
// From the plan dialect to an object that is kept in the module.
//===----------------------------------------------------------------------===//

#ifndef PI_CODEGEN_CPU_CPUCODEGEN_H
#define PI_CODEGEN_CPU_CPUCODEGEN_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace pi::cpu {

/// Options of the phase; in `pi-opt` those of the pipeline `pi-phase-codegen`.
struct CpuCodegenOptions : public mlir::PassPipelineOptions<CpuCodegenOptions> {
  Option<std::string> saveTemps{*this, "save-temps",
                                llvm::cl::desc("Folder for cold.ll and cold.o; empty: none"),
                                llvm::cl::init("")};
};

/// Adds the passes of the phase: plan -> scf + vector -> LLVM dialect -> object. The CPU
/// is that of the module's target spec (see getTarget in CpuTarget.h).
void buildCpuCodegenPipeline(mlir::OpPassManager &pm, const CpuCodegenOptions &options);

/// Runs the phase on `module` (plan level). Afterwards it holds its `pi.weight`
/// operations and attributes, and the object as `pi.object`; plan operations are gone.
/// Fails after a diagnostic.
llvm::LogicalResult runCpuCodegen(mlir::ModuleOp module, const CpuCodegenOptions &options);

/// Keeps the bytes of an object in `module` as `pi.object`, a resource.
void setObject(mlir::ModuleOp module, llvm::StringRef bytes);

/// The object kept in `module`, which owns the bytes. An error where there is none or
/// its resource is missing from the text.
llvm::FailureOr<llvm::ArrayRef<char>> getObject(mlir::ModuleOp module);

} // namespace pi::cpu

#endif // PI_CODEGEN_CPU_CPUCODEGEN_H
