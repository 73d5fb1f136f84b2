//===- DecoderBuilder.h - Writes @decode from the tensors of a checkpoint -===//

#ifndef PI_COMPILER_IMPORT_HUGGINGFACE_DECODERBUILDER_H
#define PI_COMPILER_IMPORT_HUGGINGFACE_DECODERBUILDER_H

#include "compiler/Import/HuggingFace/Checkpoint.h"
#include "dialects/Llm/IR/Llm.h"
#include "dialects/Pi/IR/Pi.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace pi {

/// Sizes that every decoder has.
struct DecoderShape {
  int64_t hidden = 0, intermediate = 0, layers = 0, vocab = 0;
  int64_t heads = 0, kvHeads = 0, headDim = 0;
};

/// Where a weight comes from.
struct TensorUse {
  std::string tensor;                  // empty: there is none
  llvm::SmallVector<int64_t, 2> shape; // of the tensor: [out, in], or [out]
  llvm::SmallVector<int64_t> rows;     // of `out`, (first, count) pairs; empty: all

  /// How many of the tensor's rows are used.
  int64_t countRows() const;
};

/// Appends blocks to `@decode`, in order. Weights get the names that `raise` gives them.
/// A tensor that is missing or of another shape is an error at once; building goes on,
/// so that one run shows all of them; `Checkpoint::finish` tells at the end.
class DecoderBuilder {
public:
  /// Adds `@decode` with one f32 cache of `capacity` tokens per layer to `module`.
  DecoderBuilder(mlir::ModuleOp module, Checkpoint &checkpoint, const DecoderShape &shape,
                 int64_t capacity);

  /// Rows of `table`, [vocab, hidden]; with `positions`, [position rows, hidden], read at
  /// position + offset.
  mlir::Value embed(const TensorUse &table, const TensorUse &positions = {}, int64_t offset = 0);
  /// `name`: of the weight; `prefix`: of the tensors `.weight` and, for layer norms, `.bias`.
  mlir::Value norm(llm::NormKind kind, mlir::Value x, const llvm::Twine &name,
                   llvm::StringRef prefix, float eps);
  mlir::Value linear(mlir::Value x, const llvm::Twine &name, const TensorUse &weight,
                     const TensorUse &bias = {});
  /// Rotates where there are frequencies, appends to the cache of the next layer, attends.
  mlir::Value attention(mlir::Value q, mlir::Value k, mlir::Value v,
                        llvm::ArrayRef<float> frequencies);
  /// A ReLU block of `layer`; with `gate`, gated. `down` is [hidden, neurons].
  mlir::Value ffn(mlir::Value x, int64_t layer, const TensorUse &gate, const TensorUse &up,
                  const TensorUse &upBias, const TensorUse &down, const TensorUse &downBias);
  mlir::Value add(mlir::Value a, mlir::Value b);
  /// The end of the step.
  void logits(mlir::Value x, const TensorUse &head);

private:
  /// The symbol of a weight, null where `use` is none; `transpose`: [in, out] is stored.
  mlir::FlatSymbolRefAttr declare(const llvm::Twine &name, const TensorUse &use,
                                  bool transpose = false);
  mlir::RankedTensorType rowType(int64_t features) {
    return mlir::RankedTensorType::get({1, features}, builder.getF32Type());
  }

  mlir::ModuleOp module;
  Checkpoint &checkpoint;
  DecoderShape shape;
  mlir::OpBuilder builder;
  mlir::func::FuncOp decode;
  llvm::SmallVector<mlir::Value> caches; // after kv_append, by layer
  mlir::Location loc;                    // of the tensor declared last
};

} // namespace pi

#endif // PI_COMPILER_IMPORT_HUGGINGFACE_DECODERBUILDER_H
