//===- NeuronToPlan.cpp - func @decode -> plan.program @decode -===//

#include "compiler/Conversion/NeuronToPlan/Passes.h"

#include "compiler/Conversion/NeuronToPlan/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#define DEBUG_TYPE "pi-neuron-to-plan"

namespace pi {
#define GEN_PASS_DEF_NEURONTOPLAN
#include "compiler/Conversion/NeuronToPlan/Passes.h.inc"
} // namespace pi

using namespace mlir;
using namespace pi;

namespace {

struct NeuronToPlan : pi::impl::NeuronToPlanBase<NeuronToPlan> {
  using NeuronToPlanBase::NeuronToPlanBase;

  void runOnOperation() override {
    auto decode = getOperation().lookupSymbol<func::FuncOp>("decode");
    if (!decode || !llvm::hasSingleElement(decode.getBody())) {
      emitError(getOperation().getLoc(), "expected a function @decode of one block");
      return signalPassFailure();
    }
    if (failed(Lowering(getOperation(), decode, instrument).run()))
      return signalPassFailure();
    decode.erase();
  }
};

} // namespace
