//===- PiOpt.cpp - Runs single passes and phases on IR text, for lit tests -===//

#include "codegen/Cpu/Passes.h"
#include "compiler/Conversion/LlmToNeuron/Passes.h"
#include "compiler/Conversion/NeuronToPlan/Passes.h"
#include "compiler/Conversion/OnnxToLlm/Passes.h"
#include "compiler/Pipelines/Passes.h"
#include "compiler/Pipelines/Phases.h"
#include "compiler/Target/Passes.h"
#include "compiler/Transforms/Passes.h"
#include "dialects/Llm/IR/Llm.h"
#include "dialects/Neuron/IR/Neuron.h"
#include "dialects/Onnx/IR/Onnx.h"
#include "dialects/Pi/IR/Pi.h"
#include "dialects/Plan/IR/Plan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "tools/Mains.h"

int pi::optMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::DLTIDialect, mlir::func::FuncDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect, mlir::memref::MemRefDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect, pi::PiDialect,
                  pi::onnx::OnnxDialect, pi::llm::LlmDialect, pi::neuron::NeuronDialect,
                  pi::plan::PlanDialect>();
  mlir::registerTransformsPasses();
  pi::registerPiTransformsPasses();
  pi::registerPiOnnxToLlmPasses();
  pi::registerPiTargetPasses();
  pi::registerLlmToNeuronPasses();
  pi::registerNeuronToPlanPasses();
  pi::registerPipelinesPasses();
  pi::registerPhasePipelines();
  pi::cpu::registerPiCpuPasses();
  pi::cpu::registerCpuPipelines();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "pi-compile's optimiser driver\n", registry));
}
