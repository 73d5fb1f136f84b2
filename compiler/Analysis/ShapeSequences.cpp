//===- ShapeSequences.cpp - Range, CumSum and Trilu on known values -===//
// The operators positions and causal masks are made of.

#include "compiler/Analysis/ShapeValues.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace pi;

//===----------------------------------------------------------------------===//
// Range
//===----------------------------------------------------------------------===//

/// Smallest integer >= `span` / `step`, where it is affine; `step` > 0, `span` >= 0.
static std::optional<Affine> ceilDivide(Affine span, int64_t step) {
  if (span.isConstant())
    return Affine{static_cast<int64_t>(llvm::divideCeil(static_cast<uint64_t>(span.base),
                                                        static_cast<uint64_t>(step))),
                  0};
  if (span.base % step == 0 && span.slope % step == 0)
    return Affine{span.base / step, span.slope / step};
  return std::nullopt;
}

static MaybeFacts floatRange(double from, double to, double step, std::string &why) {
  double count = std::ceil((to - from) / step);
  if (!(count <= kMaxElements)) { // also where it is no number
    why = "the range is too long to be followed";
    return std::nullopt;
  }
  FloatElements values;
  for (int64_t i = 0; i < static_cast<int64_t>(count); ++i)
    values.values.push_back(from + static_cast<double>(i) * step);
  return ValueFacts{{{static_cast<int64_t>(values.values.size()), 0}}, values};
}

MaybeFacts pi::evaluateRange(const ValueFacts &start, const ValueFacts &limit,
                             const ValueFacts &delta, std::string &why) {
  const auto *first = start.get<FloatSplat>(), *last = limit.get<FloatSplat>(),
             *each = delta.get<FloatSplat>();
  if (first && last && each)
    return floatRange(first->value, last->value, each->value, why);
  std::optional<Affine> from = start.getSplat(), to = limit.getSplat(), step = delta.getSplat();
  constexpr int64_t kLargestStep = int64_t(1) << 31;
  if (!from || !to || !step || !step->isConstant() || step->base == 0 ||
      step->base > kLargestStep || step->base < -kLargestStep) {
    why = "start and limit must be affine in the past length, with a constant step";
    return std::nullopt;
  }
  Affine span = step->base > 0 ? *to - *from : *from - *to;
  if ((span * -1).isNonNegative())
    span = {0, 0};
  std::optional<Affine> count =
      span.isNonNegative() ? ceilDivide(span, std::abs(step->base)) : std::nullopt;
  if (!count) {
    why = "the number of elements is not affine in the past length";
    return std::nullopt;
  }
  return ValueFacts{{*count}, LinearContent{*from, {step->base}}};
}

//===----------------------------------------------------------------------===//
// CumSum
//===----------------------------------------------------------------------===//

MaybeFacts pi::evaluateCumSum(const ValueFacts &data, int64_t axis, bool exclusive, bool reverse,
                              std::string &why) {
  ValueFacts result{data.shape, {}};
  int64_t rank = data.shape.size();
  axis = axis < 0 ? axis + rank : axis;
  if (axis < 0 || axis >= rank) {
    why = "axis is outside the rank";
    return std::nullopt;
  }
  // Of a splat s over n elements: s * (i + 1), or s * (n - i) from the end.
  std::optional<Affine> splat = data.getSplat();
  if (!splat || !splat->isConstant())
    return result;
  LinearContent sum{reverse ? data.shape[axis] * splat->base : *splat,
                    SmallVector<int64_t, 4>(rank, 0)};
  sum.coefs[axis] = reverse ? -splat->base : splat->base;
  if (exclusive)
    sum.value = sum.value - *splat;
  result.content = sum;
  return result;
}

//===----------------------------------------------------------------------===//
// Trilu
//===----------------------------------------------------------------------===//

MaybeFacts pi::evaluateTrilu(const ValueFacts &data, std::optional<int64_t> diagonal, bool upper,
                             std::string &why) {
  size_t rank = data.shape.size();
  if (rank < 2) {
    why = "a triangle needs two dimensions";
    return std::nullopt;
  }
  ValueFacts result{data.shape, {}};
  if (!diagonal)
    return result;
  // Kept where column - row - diagonal >= 0 (upper) or its negative is (lower).
  LinearContent distance{{-*diagonal, 0}, SmallVector<int64_t, 4>(rank, 0)};
  distance.coefs[rank - 1] = 1;
  distance.coefs[rank - 2] = -1;
  auto [least, largest] = boundsOf(distance, data.shape);
  if (!upper)
    std::tie(least, largest) = std::pair(largest * -1, least * -1);
  const auto *splat = data.get<FloatSplat>();
  if (least.isNonNegative() || (splat && splat->value == 0) || data.getSplat() == Affine{0, 0})
    return data;
  if ((largest * -1).isPositive() && data.hasContent()) {
    bool isFloat = splat || data.get<FloatElements>();
    result.content = isFloat ? Content(FloatSplat{0})
                             : Content(LinearContent{{0, 0}, SmallVector<int64_t, 4>(rank, 0)});
    return result;
  }
  result.isFinite = splat && std::isfinite(splat->value);
  std::optional<SmallVector<Affine>> ints = data.getElements();
  std::optional<SmallVector<double>> floats = data.getFloats();
  if (!data.isStatic() || (!ints && !floats))
    return result;
  int64_t columns = data.shape[rank - 1].base, rows = data.shape[rank - 2].base;
  auto isKept = [&](int64_t i) {
    int64_t distance = i % columns - i / columns % rows - *diagonal;
    return upper ? distance >= 0 : distance <= 0;
  };
  for (int64_t i = 0, n = data.numElements(); i < n; ++i) {
    if (ints && !isKept(i))
      (*ints)[i] = {0, 0};
    if (floats && !isKept(i))
      (*floats)[i] = 0;
  }
  result.content = ints ? Content(ElementsContent{*ints}) : Content(FloatElements{*floats});
  return result;
}
