//===- CpuCodegen.cpp - The phase `codegen` for the CPU -===//

#include "codegen/Cpu/CpuCodegen.h"

#include "codegen/Cpu/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// Module attribute with the object.
static constexpr llvm::StringLiteral kObjectAttr = "pi.object";
/// Alignment of the bytes in memory: ELF headers are read in place.
static constexpr size_t kObjectAlign = 16;

void pi::cpu::buildCpuCodegenPipeline(OpPassManager &pm, const CpuCodegenOptions &options) {
  pm.addPass(createColdToVector());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createEmitProgram());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createEmitObject({options.saveTemps}));
}

void pi::cpu::registerCpuPipelines() {
  // Of MLIR those that the phase uses: a reproducer names passes, not the pipeline.
  registerSCFToControlFlowPass();
  registerConvertVectorToLLVMPass();
  registerFinalizeMemRefToLLVMConversionPass();
  registerConvertMathToLLVMPass();
  registerArithToLLVMConversionPass();
  registerConvertControlFlowToLLVMPass();
  registerReconcileUnrealizedCastsPass();
  PassPipelineRegistration<CpuCodegenOptions>(
      "pi-phase-codegen", "plan -> scf + vector -> LLVM dialect -> object",
      [](OpPassManager &pm, const CpuCodegenOptions &options) {
        buildCpuCodegenPipeline(pm, options);
      });
}

LogicalResult pi::cpu::runCpuCodegen(ModuleOp module, const CpuCodegenOptions &options) {
  PassManager pm(module.getContext());
  buildCpuCodegenPipeline(pm, options);
  return pm.run(module);
}

void pi::cpu::setObject(ModuleOp module, StringRef bytes) {
  Builder b(module.getContext());
  auto type = RankedTensorType::get({static_cast<int64_t>(bytes.size())}, b.getIntegerType(8));
  AsmResourceBlob blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(
      ArrayRef(bytes.data(), bytes.size()), kObjectAlign, /*dataIsMutable=*/false);
  module->setAttr(kObjectAttr,
                  DenseI8ResourceElementsAttr::get(type, "cold_object", std::move(blob)));
}

FailureOr<ArrayRef<char>> pi::cpu::getObject(ModuleOp module) {
  auto attr = module->getAttrOfType<DenseResourceElementsAttr>(kObjectAttr);
  AsmResourceBlob *blob = attr ? attr.getRawHandle().getBlob() : nullptr;
  if (!blob) {
    InFlightDiagnostic diag = module.emitError("holds no object");
    diag.attachNote() << "the phase codegen makes one; its text ends with dialect_resources";
    return diag;
  }
  return blob->getData();
}
