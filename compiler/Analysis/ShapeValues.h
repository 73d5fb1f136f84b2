//===- ShapeValues.h - Shapes and integer contents of a decode step -===//
// Evaluates an imported function once, in order, for batch 1, sequence 1 and a past of
// P tokens. Knows for every value its shape, and for many their content.

#ifndef PI_COMPILER_ANALYSIS_SHAPEVALUES_H
#define PI_COMPILER_ANALYSIS_SHAPEVALUES_H

#include "compiler/Analysis/Affine.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <variant>

namespace pi {

using AffineShape = llvm::SmallVector<Affine, 4>;

/// Content of an integer or boolean tensor of any shape whose element at index i is
/// value + sum_k coefs[k] * i[k]. One coefficient per dimension.
struct LinearContent {
  Affine value;
  llvm::SmallVector<int64_t, 4> coefs;

  bool isSplat() const {
    return llvm::all_of(coefs, [](int64_t k) { return k == 0; });
  }
};
/// Content of a small tensor of static shape, row-major.
struct ElementsContent {
  llvm::SmallVector<Affine> values;
};
/// Content of a float tensor whose elements are all equal.
struct FloatSplat {
  double value;
};
/// Content of a small float tensor of static shape, row-major.
struct FloatElements {
  llvm::SmallVector<double> values;
};
using Content =
    std::variant<std::monostate, LinearContent, ElementsContent, FloatSplat, FloatElements>;

/// What is known of a value.
struct ValueFacts {
  AffineShape shape;
  Content content;
  /// Whether all elements are finite floats that no input changes, known one by one or not.
  bool isFinite = false;

  bool isStatic() const {
    return llvm::all_of(shape, [](Affine d) { return d.isConstant(); });
  }
  /// Number of elements; only for static shapes.
  int64_t numElements() const;
  template <typename T> const T *get() const { return std::get_if<T>(&content); }
  bool hasContent() const { return content.index() != 0; }
  /// The single integer value of all elements, if it is one.
  std::optional<Affine> getSplat() const;
  /// The elements as affine integers, for static shapes of at most kMaxElements.
  std::optional<llvm::SmallVector<Affine>> getElements() const;
  /// The elements, where all are constant integers.
  std::optional<llvm::SmallVector<int64_t>> getConstants() const;
  /// The elements of a known float tensor of static shape, at most kMaxElements.
  std::optional<llvm::SmallVector<double>> getFloats() const;
};

/// Largest tensor whose elements are followed one by one.
constexpr int64_t kMaxElements = 4096;

class ShapeValues {
public:
  /// Facts of a value; null where its shape is not known.
  const ValueFacts *lookup(mlir::Value value) const;
  void set(mlir::Value value, ValueFacts facts) { known[value] = std::move(facts); }

  /// Evaluates one operation whose operands were evaluated. Failure: no shape could be
  /// found; `why` says what stopped it. Results are set otherwise.
  mlir::LogicalResult visit(mlir::Operation *op, std::string &why);

private:
  llvm::DenseMap<mlir::Value, ValueFacts> known;
};

//===----------------------------------------------------------------------===//
// Transfer functions, by topic. Each returns nullopt after setting `why`.
//===----------------------------------------------------------------------===//

using MaybeFacts = std::optional<ValueFacts>;

/// Product of dimensions, where it is affine.
std::optional<Affine> productOf(llvm::ArrayRef<Affine> dims);
/// The least and the largest element, affine in P, of a tensor of `shape` that is not empty.
std::pair<Affine, Affine> boundsOf(const LinearContent &content, const AffineShape &shape);
/// NumPy broadcast of two shapes.
std::optional<AffineShape> broadcastShapes(const AffineShape &a, const AffineShape &b,
                                           std::string &why);
/// `facts` with its content spread over `shape`, to which its own shape broadcasts.
ValueFacts broadcastTo(const ValueFacts &facts, const AffineShape &shape);

enum class BinaryKind {
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Pow,
  Max,
  Min,
  And,
  Or,
  Equal,
  Less,
  LessOrEqual,
  Greater,
  GreaterOrEqual
};
MaybeFacts evaluateBinary(BinaryKind kind, const ValueFacts &a, const ValueFacts &b,
                          std::string &why);
/// The kind of an elementwise binary operation, if it is one.
std::optional<BinaryKind> binaryKind(mlir::Operation *op);
/// Decides a comparison of index-dependent integers in the last row (the next to last
/// index at its largest), for every column and past length.
std::optional<bool> decideLastRow(BinaryKind kind, const ValueFacts &a, const ValueFacts &b);
MaybeFacts evaluateUnary(mlir::Operation *op, const ValueFacts &a);
MaybeFacts evaluateWhere(const ValueFacts &condition, const ValueFacts &a, const ValueFacts &b,
                         std::string &why);
/// Cast between integers, booleans and floats; `isFloat` is the result's kind.
ValueFacts evaluateCast(const ValueFacts &a, bool toFloat, bool toBool);

MaybeFacts evaluateReshape(const ValueFacts &data, const ValueFacts &shape, bool allowZero,
                           std::string &why);
/// The same elements in row-major order under another shape.
ValueFacts withShape(const ValueFacts &data, AffineShape shape);
MaybeFacts evaluateTranspose(const ValueFacts &data, llvm::ArrayRef<int64_t> perm,
                             std::string &why);
MaybeFacts evaluateConcat(llvm::ArrayRef<const ValueFacts *> inputs, int64_t axis,
                          std::string &why);
MaybeFacts evaluateSlice(const ValueFacts &data, llvm::ArrayRef<Affine> starts,
                         llvm::ArrayRef<Affine> ends, llvm::ArrayRef<int64_t> axes,
                         llvm::ArrayRef<int64_t> steps, std::string &why);
MaybeFacts evaluateGather(const ValueFacts &data, const ValueFacts &indices, int64_t axis,
                          std::string &why);
MaybeFacts evaluateGatherNd(const ValueFacts &data, const ValueFacts &indices, int64_t batchDims,
                            std::string &why);

MaybeFacts evaluateRange(const ValueFacts &start, const ValueFacts &limit, const ValueFacts &delta,
                         std::string &why);
MaybeFacts evaluateCumSum(const ValueFacts &data, int64_t axis, bool exclusive, bool reverse,
                          std::string &why);
/// An upper or lower triangle; without `diagonal` it is not known which.
MaybeFacts evaluateTrilu(const ValueFacts &data, std::optional<int64_t> diagonal, bool upper,
                         std::string &why);

} // namespace pi

#endif // PI_COMPILER_ANALYSIS_SHAPEVALUES_H
