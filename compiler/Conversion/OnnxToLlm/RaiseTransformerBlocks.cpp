//===- RaiseTransformerBlocks.cpp - onnx to llm -===//

#include "compiler/Conversion/OnnxToLlm/Passes.h"

#include "compiler/Analysis/InputBinding.h"
#include "compiler/Conversion/OnnxToLlm/Raiser.h"

#define DEBUG_TYPE "pi-raise-transformer-blocks"

namespace pi {
#define GEN_PASS_DEF_RAISETRANSFORMERBLOCKS
#include "compiler/Conversion/OnnxToLlm/Passes.h.inc"
} // namespace pi

using namespace mlir;
using namespace pi;

namespace {
struct RaiseTransformerBlocks : pi::impl::RaiseTransformerBlocksBase<RaiseTransformerBlocks> {
  using RaiseTransformerBlocksBase::RaiseTransformerBlocksBase;
  void runOnOperation() override;
};
} // namespace

/// Shapes of the frozen function; bugs of earlier passes show as errors here.
static LogicalResult evaluate(func::FuncOp function, ShapeValues &values) {
  if (failed(bindInputs(function, values)))
    return failure();
  for (Operation &op : function.getBody().front().without_terminator()) {
    std::string why;
    if (failed(values.visit(&op, why)))
      return op.emitOpError("shape cannot be determined: ") << why;
  }
  return success();
}

/// Gives all caches of `@decode` the element type `type`.
static void setCacheType(func::FuncOp decode, Type type) {
  auto set = [&](Value v) {
    if (auto cache = dyn_cast<llm::KvCacheType>(v.getType()))
      v.setType(llm::KvCacheType::get(decode.getContext(), cache.getHeads(), cache.getDim(), type,
                                      cache.getCapacity()));
  };
  llvm::for_each(decode.getArguments(), set);
  decode.walk([&](Operation *op) { llvm::for_each(op->getResults(), set); });
  Operation *end = decode.getBody().front().getTerminator();
  decode.setFunctionType(FunctionType::get(decode.getContext(), decode.getBody().getArgumentTypes(),
                                           end->getOperandTypes()));
}

void RaiseTransformerBlocks::runOnOperation() {
  ModuleOp module = getOperation();
  auto main = module.lookupSymbol<func::FuncOp>("main");
  auto model = module->getAttrOfType<ModelAttr>("pi.model");
  Type kvType =
      kv == "f16" ? Type(Float16Type::get(&getContext())) : Float32Type::get(&getContext());
  if (kv != "f16" && kv != "f32") {
    module.emitError("option kv must be f16 or f32, got ") << kv;
    return signalPassFailure();
  }
  if (isRaised(module))
    return setCacheType(module.lookupSymbol<func::FuncOp>("decode"), kvType);
  if (!main || !model) {
    module.emitError("needs a function @main and the attribute pi.model: run the import phase");
    return signalPassFailure();
  }
  ShapeValues values;
  if (failed(evaluate(main, values)))
    return signalPassFailure();
  raise::Raiser raiser(module, main, values, kvType);
  if (failed(raiser.run()))
    return signalPassFailure();
  MLIRContext *context = &getContext();
  module->setAttr("pi.model",
                  ModelAttr::get(context, StringAttr::get(context, raiser.getFamily()),
                                 raiser.getPositions(), raiser.getCapacity(), model.getBos(),
                                 model.getEos(), model.getTokenizer(), model.getExact()));
}
