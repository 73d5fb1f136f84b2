//===- CheckLevel.cpp - Refuses a module that is not of a level -===//

#include "compiler/Pipelines/Passes.h"

#include "compiler/Analysis/InputBinding.h"
#include "compiler/Conversion/NeuronToPlan/BufferLifetimes.h"
#include "dialects/Llm/IR/Llm.h"
#include "dialects/Neuron/IR/Neuron.h"
#include "dialects/Onnx/IR/Onnx.h"
#include "dialects/Pi/IR/Pi.h"
#include "dialects/Plan/IR/Plan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#define DEBUG_TYPE "pi-check-level"

namespace pi {
#define GEN_PASS_DEF_CHECKLEVEL
#include "compiler/Pipelines/Passes.h.inc"
} // namespace pi

using namespace mlir;
using namespace pi;

namespace {

struct CheckLevel : pi::impl::CheckLevelBase<CheckLevel> {
  using CheckLevelBase::CheckLevelBase;
  void runOnOperation() override;

private:
  void refuse(Location loc, const Twine &message);
};

template <typename... Dialects> bool isOf(Operation *op) {
  return (isa<Dialects>(op->getDialect()) || ...);
}

/// Does `op`, inside the module, belong to `level`?
bool belongs(Operation *op, StringRef level) {
  if (!op->getDialect())
    return false; // not registered
  if (isOf<PiDialect>(op))
    return true;
  if (level == "onnx")
    return isOf<func::FuncDialect, onnx::OnnxDialect>(op);
  if (level == "llm")
    return isOf<func::FuncDialect, llm::LlmDialect>(op);
  if (level == "neuron")
    return isOf<func::FuncDialect, llm::LlmDialect, neuron::NeuronDialect>(op) &&
           !isa<llm::FfnOp>(op);
  return isOf<plan::PlanDialect, arith::ArithDialect>(op) || isa<neuron::GroupOp>(op);
}

/// What `module` lacks to be of `level`; empty where it lacks nothing.
StringRef missing(ModuleOp module, StringRef level) {
  if (level == "onnx")
    return module.getOps<func::FuncOp>().empty() ? "no function" : "";
  if (level == "plan")
    return llvm::hasSingleElement(module.getOps<plan::ProgramOp>()) ? "" : "not one plan.program";
  return module.lookupSymbol<func::FuncOp>("decode") ? "" : "no function @decode";
}

} // namespace

void CheckLevel::refuse(Location loc, const Twine &message) {
  InFlightDiagnostic diagnostic = emitError(loc) << message;
  std::string made = phase.empty() ? level.getValue() + " level" : "IR after phase " + phase;
  diagnostic.attachNote() << "this is not the " << made;
  signalPassFailure();
}

void CheckLevel::runOnOperation() {
  ModuleOp module = getOperation();
  markAllAnalysesPreserved();
  if (!llvm::is_contained({"onnx", "llm", "neuron", "plan"}, level.getValue())) {
    emitError(module.getLoc()) << "unknown level '" << level << "'";
    return signalPassFailure();
  }
  // What is imported from safetensors is of the llm level at once.
  StringRef expected = level == "onnx" && isRaised(module) ? "llm" : StringRef(level);
  Operation *stranger = nullptr;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == module || belongs(op, expected))
      return WalkResult::advance();
    stranger = op;
    return WalkResult::interrupt();
  });
  if (stranger)
    return refuse(stranger->getLoc(), "'" + stranger->getName().getStringRef() +
                                          "' does not belong to the " + level + " level");
  if (StringRef what = missing(module, expected); !what.empty())
    return refuse(module.getLoc(), "the module holds " + what);
  if (level == "plan" && failed(checkArenas(module)))
    signalPassFailure();
}
