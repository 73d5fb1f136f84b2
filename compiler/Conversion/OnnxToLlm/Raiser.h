//===- Raiser.h - Recognises transformer blocks, from the logits backwards -===//
// `raiseRow` turns a row [1, .., F] of the frozen graph into a value of the llm dialect,
// and on the way everything it is made from. Each topic has its own file.

#ifndef PI_COMPILER_CONVERSION_ONNXTOLLM_RAISER_H
#define PI_COMPILER_CONVERSION_ONNXTOLLM_RAISER_H

#include "compiler/Analysis/ShapeValues.h"
#include "compiler/Conversion/OnnxToLlm/Trace.h"
#include "dialects/Llm/IR/Llm.h"
#include "dialects/Onnx/IR/Onnx.h"
#include "dialects/Pi/IR/Pi.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

namespace pi::raise {

/// A product with a weight: row x W (+ bias).
struct Linear {
  mlir::Operation *node = nullptr; // MatMul or Gemm, for locations
  mlir::Value input;               // [1, .., in]
  pi::WeightOp weight;
  bool transposed = false; // the weight is [in, out] as it lies in the source
  pi::WeightOp bias;       // [out], may be null
  int64_t in = 0, out = 0;
};

/// Head rows [heads, dim] as rows of a linear's output.
struct Heads {
  std::optional<Linear> linear;
  llvm::SmallVector<int64_t> rows; // [heads * dim], the output row of each element
  int64_t heads = 0, dim = 0;
  double scale = 1;                     // constant factors met on the way
  llvm::SmallVector<float> frequencies; // of rope; empty without
};

class Raiser {
public:
  Raiser(mlir::ModuleOp module, mlir::func::FuncOp main, const ShapeValues &values,
         mlir::Type kvType);

  /// Builds @decode. Failure after errors at the nodes that stopped it.
  mlir::LogicalResult run();
  /// "llama", "opt" or "falcon", from what was recognised.
  llvm::StringRef getFamily() const;
  /// Capacity and positions, which a table of learned positions may have limited.
  int64_t getCapacity() const { return capacity; }
  int64_t getPositions() const { return knownPositions; }

private:
  // Raiser.cpp: rows.
  mlir::Value raiseRow(mlir::Value v, llvm::StringRef role);
  mlir::Value raiseNew(mlir::Value v, llvm::StringRef role);
  mlir::Value raiseAdd(onnx::AddOp op);
  mlir::Value raiseEmbedding(onnx::GatherOp tokens, onnx::GatherOp positions, mlir::Location loc);
  /// Checks the context against a number of learned positions.
  mlir::LogicalResult limitContext(int64_t positions, mlir::Operation *at);
  mlir::Value raiseProduct(const Linear &linear);
  mlir::LogicalResult raiseLogits(mlir::Value v);
  /// Reports that `op` cannot be raised, once per op; returns null.
  mlir::Value block(mlir::Operation *op, const llvm::Twine &why, const llvm::Twine &note = "");

  // Linear.cpp: products and weights.
  std::optional<Linear> matchLinear(mlir::Value v) const;
  std::optional<Linear> matchProduct(mlir::Operation *op) const;
  /// The weight behind a value, and whether a Transpose lies between.
  pi::WeightOp matchWeight(mlir::Value v, bool &transposed) const;
  pi::WeightOp matchVector(mlir::Value v, int64_t length) const;
  /// Declares the weight @name (@name.1 where that is taken) made of `rows` of `source`
  /// (all where empty).
  mlir::FlatSymbolRefAttr declare(llvm::StringRef name, pi::WeightOp source, bool transpose,
                                  llvm::ArrayRef<int64_t> rows = {});
  std::optional<double> matchScalar(mlir::Value v) const;

  // Norm.cpp.
  struct Norm {
    llm::NormKind kind;
    mlir::Value input;
    pi::WeightOp weight, bias;
    float eps;
  };
  std::optional<Norm> matchNorm(mlir::Value v) const;
  std::optional<Norm> matchRms(mlir::Value v) const;
  std::optional<Norm> matchLayerNorm(mlir::Value v) const;
  mlir::Value raiseNorm(const Norm &norm, llvm::StringRef role, mlir::Location loc);

  // Attention.cpp, Rope.cpp.
  mlir::Value raiseAttention(onnx::MatMulOp op);
  bool readHeads(mlir::Value v, Heads &heads, mlir::Operation *at);
  bool readRope(onnx::AddOp op, mlir::Value &rotated, llvm::SmallVector<float> &frequencies);
  bool readAngles(mlir::Value v, bool wantCos, llvm::SmallVector<float> &angles) const;
  bool readCache(mlir::Value v, bool keys, onnx::ConcatOp &concat,
                 llvm::SmallVector<int64_t> &heads);
  double snapScale(double scale, int64_t dim) const;
  /// A scalar constant, snapped.
  std::optional<double> matchScale(mlir::Value v, int64_t dim) const;
  /// The product query x key behind `op`, probabilities x values; multiplies what scales it
  /// into `scale`. Null after an error.
  onnx::MatMulOp matchScores(onnx::MatMulOp op, onnx::SoftmaxOp &softmax, double &scale);
  /// The linear layer that makes `rows` of heads, called layers.N.`name`.
  mlir::Value raiseHeads(const Heads &heads, llvm::ArrayRef<int64_t> rows, llvm::StringRef name);
  mlir::Value buildAttention(mlir::Value q, mlir::Value k, mlir::Value v, const Heads &query,
                             int64_t kvHeads, double scale, mlir::Location loc);

  // FeedForward.cpp.
  mlir::Value raiseFfn(const Linear &down);
  /// Reports an activation that is not ReLU; true if `v` holds one.
  bool refuseActivation(const Linear &down);

  mlir::Location locOf(mlir::Value v) const { return v.getLoc(); }
  mlir::RankedTensorType rowType(int64_t features) {
    return mlir::RankedTensorType::get({1, features}, builder.getF32Type());
  }

  mlir::ModuleOp module;
  mlir::func::FuncOp main;
  const ShapeValues &values;
  Tracer tracer;
  mlir::Type kvType;
  int64_t capacity;       // of the KV cache, in tokens
  int64_t knownPositions; // 0: unknown
  mlir::OpBuilder builder;
  mlir::func::FuncOp decode;
  mlir::Value token, position;
  llvm::MapVector<mlir::Value, mlir::Value> rows; // onnx -> llm
  llvm::SmallVector<mlir::Value> caches;          // results of kv_append, by layer
  llvm::SmallVector<pi::WeightOp> declared;
  llvm::StringSet<> names; // of them
  llvm::DenseSet<mlir::Operation *> blocked;
  int64_t attentions = 0, ffns = 0;
  unsigned errors = 0;
  unsigned depth = 0; // of rows being raised
  bool sawPositions = false, sawRope = false, sawGate = false, sawRms = false;
};

} // namespace pi::raise

#endif // PI_COMPILER_CONVERSION_ONNXTOLLM_RAISER_H
