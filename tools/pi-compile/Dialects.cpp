//===- Dialects.cpp - Dialects that pi-compile loads -===//

#include "tools/pi-compile/Dialects.h"

#include "dialects/Llm/IR/Llm.h"
#include "dialects/Neuron/IR/Neuron.h"
#include "dialects/Onnx/IR/Onnx.h"
#include "dialects/Pi/IR/Pi.h"
#include "dialects/Plan/IR/Plan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

mlir::DialectRegistry pi::makeRegistry() {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::DLTIDialect, mlir::func::FuncDialect, PiDialect,
                  onnx::OnnxDialect, llm::LlmDialect, neuron::NeuronDialect, plan::PlanDialect>();
  return registry;
}
