//===- ModelSizes.h - What a placement needs to know of a module -===//

#ifndef PI_COMPILER_ANALYSIS_MODELSIZES_H
#define PI_COMPILER_ANALYSIS_MODELSIZES_H

#include "compiler/Analysis/Placement.h"
#include "dialects/Neuron/IR/Neuron.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdint>

namespace pi {

/// The neurons of one layer, as one group with all of them.
struct LayerNeurons {
  neuron::GroupOp group;
  llvm::SmallVector<int32_t> order; // [neurons], hottest first, ties by index
};

struct ModelSizes {
  /// Machine and budget are left to the caller. Without profiles every neuron counts as
  /// active at every token.
  PlacementProblem problem;
  llvm::SmallVector<LayerNeurons> neurons; // as problem.layers; no group where there is none
  bool profiled = false;                   // every group has a profile
};

/// Sizes of the step @decode of `module`, whose feed-forward blocks are one group each.
/// `widenTo32` says that matrices will be stored as f32. Attention and everything in front
/// of it counts with the layer of its KV cache. Of the KV cache half is expected to be read
/// for a token. The scratch of the device is an estimate: rows of activations, scores of one
/// layer and partial sums.
///
/// An error, at the group, where a layer has several.
llvm::FailureOr<ModelSizes> measureModel(mlir::ModuleOp module, bool widenTo32);

} // namespace pi

#endif // PI_COMPILER_ANALYSIS_MODELSIZES_H
