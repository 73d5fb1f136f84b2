//===- ShapeContents.cpp - Broadcasting and binary operations on known values -===//

#include "compiler/Analysis/ShapeValues.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace pi;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

int64_t ValueFacts::numElements() const {
  int64_t count = 1;
  for (Affine d : shape)
    if (llvm::MulOverflow(count, d.base, count))
      return std::numeric_limits<int64_t>::max(); // more than anything is compared with
  return count;
}

std::optional<Affine> ValueFacts::getSplat() const {
  if (const auto *linear = get<LinearContent>())
    return linear->isSplat() ? std::optional(linear->value) : std::nullopt;
  const auto *elements = get<ElementsContent>();
  if (!elements || elements->values.empty())
    return std::nullopt;
  for (Affine v : elements->values)
    if (v != elements->values.front())
      return std::nullopt;
  return elements->values.front();
}

std::optional<SmallVector<Affine>> ValueFacts::getElements() const {
  if (const auto *elements = get<ElementsContent>())
    return SmallVector<Affine>(elements->values);
  const auto *linear = get<LinearContent>();
  if (!linear || !isStatic() || numElements() > kMaxElements)
    return std::nullopt;
  SmallVector<Affine> result(numElements());
  for (int64_t i = 0; i < numElements(); ++i) {
    Affine v = linear->value;
    int64_t rest = i;
    for (int64_t k = shape.size() - 1; k >= 0; --k) {
      v.base += linear->coefs[k] * (rest % shape[k].base);
      rest /= shape[k].base;
    }
    result[i] = v;
  }
  return result;
}

std::optional<SmallVector<int64_t>> ValueFacts::getConstants() const {
  std::optional<SmallVector<Affine>> elements = getElements();
  if (!elements)
    return std::nullopt;
  SmallVector<int64_t> result;
  for (Affine v : *elements) {
    if (!v.isConstant())
      return std::nullopt;
    result.push_back(v.base);
  }
  return result;
}

std::optional<SmallVector<double>> ValueFacts::getFloats() const {
  if (const auto *floats = get<FloatElements>())
    return SmallVector<double>(floats->values);
  const auto *splat = get<FloatSplat>();
  if (!splat || !isStatic() || numElements() > kMaxElements)
    return std::nullopt;
  return SmallVector<double>(numElements(), splat->value);
}

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

std::optional<AffineShape> pi::broadcastShapes(const AffineShape &a, const AffineShape &b,
                                               std::string &why) {
  size_t rank = std::max(a.size(), b.size());
  AffineShape result(rank);
  for (size_t i = 0; i < rank; ++i) {
    Affine x = i < rank - a.size() ? Affine{1, 0} : a[i - (rank - a.size())];
    Affine y = i < rank - b.size() ? Affine{1, 0} : b[i - (rank - b.size())];
    if (x == Affine{1, 0})
      result[i] = y;
    else if (y == Affine{1, 0} || x == y)
      result[i] = x;
    else {
      why = "shapes do not broadcast in dimension " + std::to_string(i);
      return std::nullopt;
    }
  }
  return result;
}

/// Row-major index of `shape`'s element that broadcasts to index `i` of `target`.
static int64_t sourceIndex(int64_t i, const AffineShape &target, const AffineShape &shape) {
  int64_t result = 0, stride = 1;
  for (size_t k = 0; k < target.size(); ++k) {
    size_t dim = target.size() - 1 - k;
    int64_t index = i % target[dim].base;
    i /= target[dim].base;
    if (k >= shape.size())
      continue;
    int64_t extent = shape[shape.size() - 1 - k].base;
    if (extent != 1)
      result += index * stride;
    stride *= extent;
  }
  return result;
}

ValueFacts pi::broadcastTo(const ValueFacts &facts, const AffineShape &shape) {
  ValueFacts result{shape, {}};
  if (const auto *linear = facts.get<LinearContent>()) {
    LinearContent wide{linear->value, SmallVector<int64_t, 4>(shape.size(), 0)};
    for (size_t k = 0; k < facts.shape.size(); ++k)
      if (facts.shape[k] != Affine{1, 0})
        wide.coefs[shape.size() - facts.shape.size() + k] = linear->coefs[k];
    result.content = wide;
  } else if (const auto *splat = facts.get<FloatSplat>()) {
    result.content = *splat;
  } else if (std::optional<Affine> value = facts.getSplat()) {
    result.content = LinearContent{*value, SmallVector<int64_t, 4>(shape.size(), 0)};
  } else if (result.isStatic() && facts.isStatic() && result.numElements() <= kMaxElements) {
    if (const auto *elements = facts.get<ElementsContent>()) {
      ElementsContent wide;
      for (int64_t i = 0; i < result.numElements(); ++i)
        wide.values.push_back(elements->values[sourceIndex(i, shape, facts.shape)]);
      result.content = wide;
    } else if (const auto *floats = facts.get<FloatElements>()) {
      FloatElements wide;
      for (int64_t i = 0; i < result.numElements(); ++i)
        wide.values.push_back(floats->values[sourceIndex(i, shape, facts.shape)]);
      result.content = wide;
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Binary operations
//===----------------------------------------------------------------------===//

static std::optional<bool> decide(Affine difference, BinaryKind kind) {
  // `difference` = a - b.
  switch (kind) {
  case BinaryKind::Equal:
    if (difference == Affine{0, 0})
      return true;
    if (difference.isPositive() || (difference * -1).isPositive())
      return false;
    return std::nullopt;
  case BinaryKind::Less:
    if ((difference * -1).isPositive())
      return true;
    return difference.isNonNegative() ? std::optional(false) : std::nullopt;
  case BinaryKind::LessOrEqual:
    if ((difference * -1).isNonNegative())
      return true;
    return difference.isPositive() ? std::optional(false) : std::nullopt;
  case BinaryKind::Greater:
    return decide(difference * -1, BinaryKind::Less);
  case BinaryKind::GreaterOrEqual:
    return decide(difference * -1, BinaryKind::LessOrEqual);
  default:
    return std::nullopt;
  }
}

static bool isComparison(BinaryKind kind) { return kind >= BinaryKind::Equal; }

/// The remainder of a division, with the sign of the divisor, which is not 0.
static int64_t floorMod(int64_t a, int64_t b) {
  if (b == -1) // the least integer has no quotient
    return 0;
  int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static std::optional<Affine> combine(BinaryKind kind, Affine a, Affine b) {
  switch (kind) {
  case BinaryKind::Add:
    return a + b;
  case BinaryKind::Sub:
    return a - b;
  case BinaryKind::Mul:
    return multiply(a, b);
  case BinaryKind::And:
  case BinaryKind::Or:
    if (!a.isConstant() || !b.isConstant())
      return std::nullopt;
    return Affine{kind == BinaryKind::And ? (a.base && b.base) : (a.base || b.base), 0};
  case BinaryKind::Max:
    if ((a - b).isNonNegative())
      return a;
    return (b - a).isNonNegative() ? std::optional(b) : std::nullopt;
  case BinaryKind::Min:
    if ((a - b).isNonNegative())
      return b;
    return (b - a).isNonNegative() ? std::optional(a) : std::nullopt;
  case BinaryKind::Div:
    if (!b.isConstant() || b.base == 0)
      return std::nullopt;
    if (b.base == -1) // the least integer has no quotient
      return a * -1;
    if (a.base % b.base == 0 && a.slope % b.base == 0)
      return Affine{a.base / b.base, a.slope / b.base};
    return a.isConstant() ? std::optional(Affine{a.base / b.base, 0}) : std::nullopt;
  case BinaryKind::Mod:
    if (!a.isConstant() || !b.isConstant() || b.base == 0)
      return std::nullopt;
    return Affine{floorMod(a.base, b.base), 0};
  case BinaryKind::Pow:
    if (!a.isConstant() || !b.isConstant() || b.base < 0 || b.base > 62)
      return std::nullopt;
    return Affine{static_cast<int64_t>(std::llround(std::pow(a.base, b.base))), 0};
  default:
    if (std::optional<bool> decided = decide(a - b, kind))
      return Affine{*decided, 0};
    return std::nullopt;
  }
}

static std::optional<double> combineFloat(BinaryKind kind, double a, double b) {
  switch (kind) {
  case BinaryKind::Add:
    return a + b;
  case BinaryKind::Sub:
    return a - b;
  case BinaryKind::Mul:
    return a * b;
  case BinaryKind::Div:
    return a / b;
  case BinaryKind::Pow:
    return std::pow(a, b);
  case BinaryKind::Max:
    return std::max(a, b);
  case BinaryKind::Min:
    return std::min(a, b);
  case BinaryKind::Equal:
    return a == b;
  case BinaryKind::Less:
    return a < b;
  case BinaryKind::LessOrEqual:
    return a <= b;
  case BinaryKind::Greater:
    return a > b;
  case BinaryKind::GreaterOrEqual:
    return a >= b;
  default:
    return std::nullopt;
  }
}

static Content combineFloats(BinaryKind kind, ArrayRef<double> a, ArrayRef<double> b) {
  FloatElements floats;
  ElementsContent flags;
  for (auto [l, r] : llvm::zip_equal(a, b)) {
    std::optional<double> value = combineFloat(kind, l, r);
    if (!value)
      return {};
    floats.values.push_back(*value);
    flags.values.push_back({*value != 0, 0});
  }
  return isComparison(kind) ? Content(flags) : Content(floats);
}

std::pair<Affine, Affine> pi::boundsOf(const LinearContent &content, const AffineShape &shape) {
  Affine least = content.value, largest = content.value;
  for (size_t k = 0; k < shape.size(); ++k) {
    Affine &end = content.coefs[k] >= 0 ? largest : least;
    end = end + (shape[k] - Affine{1, 0}) * content.coefs[k];
  }
  return {least, largest};
}

/// Decides a comparison whose difference lies between `least` and `largest`.
static std::optional<bool> decideRange(Affine least, Affine largest, BinaryKind kind) {
  if (kind == BinaryKind::Equal) {
    if (least.isPositive() || (largest * -1).isPositive())
      return false;
    return least == largest ? decide(least, kind) : std::nullopt;
  }
  bool isLess = kind == BinaryKind::Less || kind == BinaryKind::LessOrEqual;
  // Holds at the end where it is hardest: holds everywhere. Fails at the easiest: nowhere.
  if (decide(isLess ? largest : least, kind) == true)
    return true;
  if (decide(isLess ? least : largest, kind) == false)
    return false;
  return std::nullopt;
}

static Content combineLinear(BinaryKind kind, const LinearContent &a, const LinearContent &b,
                             const AffineShape &shape) {
  LinearContent result = a;
  auto scaled = [](const LinearContent &x, int64_t k) {
    LinearContent y = x;
    y.value = x.value * k;
    for (int64_t &c : y.coefs)
      c *= k;
    return y;
  };
  if (isComparison(kind)) {
    LinearContent difference{a.value - b.value, a.coefs};
    for (size_t k = 0; k < shape.size(); ++k)
      difference.coefs[k] -= b.coefs[k];
    auto [least, largest] = boundsOf(difference, shape);
    if (std::optional<bool> decided = decideRange(least, largest, kind))
      return LinearContent{{*decided, 0}, SmallVector<int64_t, 4>(shape.size(), 0)};
    return {};
  }
  switch (kind) {
  case BinaryKind::Add:
  case BinaryKind::Sub:
    result.value = *combine(kind, a.value, b.value);
    for (size_t k = 0; k < shape.size(); ++k)
      result.coefs[k] += kind == BinaryKind::Add ? b.coefs[k] : -b.coefs[k];
    return result;
  case BinaryKind::Mul:
    if (b.isSplat() && b.value.isConstant())
      return scaled(a, b.value.base);
    if (a.isSplat() && a.value.isConstant())
      return scaled(b, a.value.base);
    break;
  case BinaryKind::Or:
  case BinaryKind::And: {
    // One decided side may decide the result.
    int64_t absorbing = kind == BinaryKind::Or;
    for (const LinearContent *side : {&a, &b})
      if (side->isSplat() && side->value == Affine{absorbing, 0})
        return *side;
    break;
  }
  default:
    break;
  }
  if (!a.isSplat() || !b.isSplat())
    return {};
  if (std::optional<Affine> value = combine(kind, a.value, b.value))
    return LinearContent{*value, SmallVector<int64_t, 4>(shape.size(), 0)};
  return {};
}

std::optional<bool> pi::decideLastRow(BinaryKind kind, const ValueFacts &a, const ValueFacts &b) {
  std::string why;
  std::optional<AffineShape> shape = broadcastShapes(a.shape, b.shape, why);
  if (!shape || shape->size() < 2)
    return std::nullopt;
  ValueFacts x = broadcastTo(a, *shape), y = broadcastTo(b, *shape);
  if (!x.get<LinearContent>() || !y.get<LinearContent>())
    return std::nullopt;
  LinearContent difference = *x.get<LinearContent>();
  difference.value = difference.value - y.get<LinearContent>()->value;
  for (size_t k = 0; k < shape->size(); ++k)
    difference.coefs[k] -= y.get<LinearContent>()->coefs[k];
  size_t row = shape->size() - 2;
  difference.value =
      difference.value + ((*shape)[row] - Affine{1, 0}) * std::exchange(difference.coefs[row], 0);
  auto [least, largest] = boundsOf(difference, *shape);
  return decideRange(least, largest, kind);
}

MaybeFacts pi::evaluateBinary(BinaryKind kind, const ValueFacts &a, const ValueFacts &b,
                              std::string &why) {
  std::optional<AffineShape> shape = broadcastShapes(a.shape, b.shape, why);
  if (!shape)
    return std::nullopt;
  ValueFacts result{*shape, {}};
  ValueFacts x = broadcastTo(a, *shape), y = broadcastTo(b, *shape);
  auto isZero = [](const ValueFacts &v) {
    return v.get<FloatSplat>() && v.get<FloatSplat>()->value == 0;
  };
  if (kind == BinaryKind::Mul && ((isZero(x) && b.isFinite) || (isZero(y) && a.isFinite))) {
    result.content = FloatSplat{0};
    return result;
  }
  if (x.get<FloatSplat>() && y.get<FloatSplat>()) {
    std::optional<double> value =
        combineFloat(kind, x.get<FloatSplat>()->value, y.get<FloatSplat>()->value);
    if (value && isComparison(kind))
      result.content = LinearContent{{*value != 0, 0}, SmallVector<int64_t, 4>(shape->size(), 0)};
    else if (value)
      result.content = FloatSplat{*value};
    return result;
  }
  if (std::optional<SmallVector<double>> l = x.getFloats(), r = y.getFloats(); l && r) {
    result.content = combineFloats(kind, *l, *r);
    return result;
  }
  if (x.get<LinearContent>() && y.get<LinearContent>()) {
    result.content = combineLinear(kind, *x.get<LinearContent>(), *y.get<LinearContent>(), *shape);
    if (result.hasContent())
      return result;
  }
  std::optional<SmallVector<Affine>> xs = x.getElements(), ys = y.getElements();
  if (!xs || !ys)
    return result;
  ElementsContent elements;
  for (auto [l, r] : llvm::zip(*xs, *ys)) {
    std::optional<Affine> value = combine(kind, l, r);
    if (!value)
      return result;
    elements.values.push_back(*value);
  }
  result.content = elements;
  return result;
}
