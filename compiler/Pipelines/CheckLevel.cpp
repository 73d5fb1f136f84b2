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
#include "llvm/Support/MathExtras.h"

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

/// Elements of the largest tensor or buffer; sizes in bytes then fit 64 bits.
constexpr uint64_t kMaxElements = uint64_t(1) << 40;

/// Whether a tensor or buffer has a size that nothing can have.
bool isTooLarge(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape())
    return false;
  uint64_t elements = 1;
  for (int64_t size : shaped.getShape())
    elements = llvm::SaturatingMultiply(elements, static_cast<uint64_t>(size));
  return elements > kMaxElements;
}

/// Capacity of the KV cache that `op` takes, in tokens; 0 for other operations.
int64_t cacheCapacity(Operation *op) {
  if (auto append = dyn_cast<plan::AppendOp>(op))
    return cast<MemRefType>(append.getCache().getType()).getDimSize(1);
  if (auto attend = dyn_cast<plan::AttendOp>(op))
    return cast<MemRefType>(attend.getKeys().getType()).getDimSize(1);
  for (Type type : op->getOperandTypes())
    if (auto cache = dyn_cast<llm::KvCacheType>(type))
      return cache.getCapacity();
  return 0;
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
  auto model = module->getAttrOfType<ModelAttr>("pi.model");
  WalkResult walked = module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module && !belongs(op, expected))
      refuse(op->getLoc(),
             "'" + op->getName().getStringRef() + "' does not belong to the " + level + " level");
    else if (llvm::any_of(op->getResultTypes(), isTooLarge))
      refuse(op->getLoc(), "a result has more elements than any machine can hold");
    else if (int64_t tokens = cacheCapacity(op); model && tokens && tokens != model.getCapacity())
      refuse(op->getLoc(), "the KV cache is for " + Twine(tokens) + " tokens, pi.model says " +
                               Twine(model.getCapacity()));
    else
      return WalkResult::advance();
    return WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return;
  if (StringRef what = missing(module, expected); !what.empty())
    return refuse(module.getLoc(), "the module holds " + what);
  if (!model && !phase.empty())
    return refuse(module.getLoc(), "the module has no attribute pi.model");
  if (level == "plan" && failed(checkArenas(module)))
    signalPassFailure();
}
