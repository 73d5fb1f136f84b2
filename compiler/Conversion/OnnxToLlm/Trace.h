//===- Trace.h - Where the elements of a tensor come from -===//
// Follows elements through movement operations (reshape, transpose, slice, expand,
// concat, gather with constant indices, split) and negation, by pushing indices through
// them. Layouts an exporter chose are recognised by what they do, not how they look.

#ifndef PI_COMPILER_CONVERSION_ONNXTOLLM_TRACE_H
#define PI_COMPILER_CONVERSION_ONNXTOLLM_TRACE_H

#include "compiler/Analysis/ShapeValues.h"
#include "dialects/Onnx/IR/Onnx.h"
#include "mlir/IR/Value.h"

namespace pi::raise {

/// One element: `sign` times element `index` (row-major) of `root`.
struct Element {
  mlir::Value root;
  int64_t index = 0;
  int sign = 1;
  bool operator==(const Element &o) const {
    return root == o.root && index == o.index && sign == o.sign;
  }
};

class Tracer {
public:
  /// `past` is the past length at which `?` dimensions are looked at.
  Tracer(const ShapeValues &values, int64_t past) : values(values), past(past) {}

  /// Largest tensor that is traced, and longest chain of movements: a graph may hold
  /// larger ones, but no head or row of activations is.
  static constexpr int64_t kMaxElements = 1 << 22;
  static constexpr unsigned kMaxDepth = 1000;

  /// Elements of `v`, row-major; roots are values that no movement makes, and `stop`.
  /// Empty for a tensor of more than kMaxElements. O(elements x depth) time.
  llvm::SmallVector<Element> trace(mlir::Value v, mlir::Value stop = {}) const {
    return trace(v, stop, 0);
  }
  /// Dimensions of `v` at this past length.
  llvm::SmallVector<int64_t> shapeOf(mlir::Value v) const;
  /// `v` behind movements that keep the row-major order of elements.
  mlir::Value strip(mlir::Value v) const;

private:
  llvm::SmallVector<Element> trace(mlir::Value v, mlir::Value stop, unsigned depth) const;
  llvm::SmallVector<Element> traceConcat(onnx::ConcatOp op, mlir::Value stop, unsigned depth) const;
  llvm::SmallVector<Element> traceSplit(onnx::SplitOp op, mlir::Value part, mlir::Value stop,
                                        unsigned depth) const;

  const ShapeValues &values;
  int64_t past;
};

} // namespace pi::raise

#endif // PI_COMPILER_CONVERSION_ONNXTOLLM_TRACE_H
