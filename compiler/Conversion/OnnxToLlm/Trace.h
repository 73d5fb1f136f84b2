//===- Trace.h - Where the elements of a tensor come from -===//
// Follows elements through movement operations (reshape, transpose, slice, expand,
// concat, gather with constant indices, split) and negation, by pushing indices through
// them. Layouts an exporter chose are recognised by what they do, not how they look.

#ifndef PI_COMPILER_CONVERSION_ONNXTOLLM_TRACE_H
#define PI_COMPILER_CONVERSION_ONNXTOLLM_TRACE_H

#include "compiler/Analysis/ShapeValues.h"
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

  /// Elements of `v`, row-major; roots are values that no movement makes, and `stop`.
  /// O(elements x depth) time.
  llvm::SmallVector<Element> trace(mlir::Value v, mlir::Value stop = {}) const;
  /// Dimensions of `v` at this past length.
  llvm::SmallVector<int64_t> shapeOf(mlir::Value v) const;
  /// `v` behind movements that keep the row-major order of elements.
  mlir::Value strip(mlir::Value v) const;

private:
  const ShapeValues &values;
  int64_t past;
};

} // namespace pi::raise

#endif // PI_COMPILER_CONVERSION_ONNXTOLLM_TRACE_H
