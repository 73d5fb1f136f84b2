//===- ConvertWeights.cpp - The type in which matrices are stored -===//

#include "compiler/Pipelines/Passes.h"

#include "dialects/Pi/IR/Pi.h"

#define DEBUG_TYPE "pi-convert-weights"

namespace pi {
#define GEN_PASS_DEF_CONVERTWEIGHTS
#include "compiler/Pipelines/Passes.h.inc"
} // namespace pi

using namespace mlir;
using namespace pi;

namespace {

struct ConvertWeights : pi::impl::ConvertWeightsBase<ConvertWeights> {
  using ConvertWeightsBase::ConvertWeightsBase;

  void runOnOperation() override {
    if (type == "as-stored")
      return;
    if (type != "f32") {
      emitError(getOperation().getLoc())
          << "weights cannot be stored as '" << type << "': expected as-stored or f32";
      return signalPassFailure();
    }
    auto f32 = Float32Type::get(&getContext());
    for (WeightOp weight : getOperation().getOps<WeightOp>())
      if (weight.getTensorType().getRank() == 2)
        weight.setType(weight.getTensorType().clone(f32));
    for (BundleOp bundle : getOperation().getOps<BundleOp>())
      bundle.setType(bundle.getTensorType().clone(f32));
  }
};

} // namespace
