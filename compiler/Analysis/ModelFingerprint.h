//===- ModelFingerprint.h - Which model a profile belongs to -===//

#ifndef PI_COMPILER_ANALYSIS_MODELFINGERPRINT_H
#define PI_COMPILER_ANALYSIS_MODELFINGERPRINT_H

#include "dialects/Pi/IR/Pi.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdint>

namespace pi {

/// The weights of a feed-forward block, neuron-major; `gate` and `upBias` may be null.
struct BlockWeights {
  int64_t layer = 0;
  WeightOp gate, up, down, upBias;
};

/// The blocks of a module whose feed-forward blocks are neurons (from the partition phase
/// on), ascending by layer.
llvm::SmallVector<BlockWeights> findBlocks(mlir::ModuleOp module);

/// A hash of the blocks' sizes and of some elements of each `up`, as numbers: the same for
/// one model whatever file format, layout or type of storage it comes in (f16 and its
/// exact f32 copy are one model), and different for other weights. Reads a few KiB. An
/// error, at the weight, where its file cannot be read. Of weights in typed ONNX fields
/// (`int32_data`) only the sizes count.
llvm::FailureOr<uint64_t> computeFingerprint(mlir::ModuleOp module);

} // namespace pi

#endif // PI_COMPILER_ANALYSIS_MODELFINGERPRINT_H
