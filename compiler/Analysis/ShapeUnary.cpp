//===- ShapeUnary.cpp - Unary operations, casts and selection on known values -===//

#include "compiler/Analysis/ShapeValues.h"

#include "dialects/Onnx/IR/Onnx.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace pi;

MaybeFacts pi::evaluateUnary(Operation *op, const ValueFacts &a) {
  ValueFacts result{a.shape, {}};
  if (isa<onnx::IdentityOp>(op))
    return a;
  if (isa<onnx::IsNaNOp>(op)) { // activations are numbers
    result.content = LinearContent{{0, 0}, SmallVector<int64_t, 4>(a.shape.size(), 0)};
    return result;
  }
  if (isa<onnx::NotOp>(op)) {
    if (std::optional<Affine> value = a.getSplat(); value && value->isConstant())
      result.content = LinearContent{{!value->base, 0}, SmallVector<int64_t, 4>(a.shape.size(), 0)};
    return result;
  }
  if (isa<onnx::NegOp>(op)) {
    std::string why;
    if (a.get<LinearContent>() || a.get<ElementsContent>())
      return evaluateBinary(BinaryKind::Mul, a, ValueFacts{{}, LinearContent{{-1, 0}, {}}}, why);
  }
  auto apply = [&](double v) -> std::optional<double> {
    return llvm::TypeSwitch<Operation *, std::optional<double>>(op)
        .Case([&](onnx::NegOp) { return -v; })
        .Case([&](onnx::SqrtOp) { return std::sqrt(v); })
        .Case([&](onnx::ReciprocalOp) { return 1 / v; })
        .Case([&](onnx::AbsOp) { return std::fabs(v); })
        .Default([](Operation *) { return std::nullopt; });
  };
  if (const auto *splat = a.get<FloatSplat>()) {
    if (std::optional<double> value = apply(splat->value))
      result.content = FloatSplat{*value};
  } else if (const auto *elements = a.get<FloatElements>()) {
    FloatElements values;
    for (double v : elements->values)
      if (std::optional<double> value = apply(v))
        values.values.push_back(*value);
    if (values.values.size() == elements->values.size())
      result.content = values;
  }
  return result;
}

/// A float as ONNX casts it to an integer or a boolean, where that is defined.
static std::optional<Affine> castFloat(double value, bool toBool) {
  if (toBool)
    return Affine{value != 0, 0};
  constexpr double kLimit = 9007199254740992.0; // 2^53: integers up to here are exact
  if (!(std::fabs(value) <= kLimit))
    return std::nullopt;
  return Affine{static_cast<int64_t>(value), 0};
}

ValueFacts pi::evaluateCast(const ValueFacts &a, bool toFloat, bool toBool) {
  ValueFacts result{a.shape, {}};
  result.isFinite = a.isFinite && toFloat;
  SmallVector<int64_t, 4> zeros(a.shape.size(), 0);
  bool isFloat = a.get<FloatSplat>() || a.get<FloatElements>();
  if (isFloat == toFloat && !toBool)
    return a;
  if (const auto *splat = a.get<FloatSplat>()) {
    if (std::optional<Affine> value = castFloat(splat->value, toBool))
      result.content = LinearContent{*value, zeros};
    return result;
  }
  if (const auto *floats = a.get<FloatElements>()) {
    ElementsContent elements;
    for (double v : floats->values)
      if (std::optional<Affine> value = castFloat(v, toBool))
        elements.values.push_back(*value);
    if (elements.values.size() == floats->values.size())
      result.content = elements;
    return result;
  }
  std::optional<Affine> splat = a.getSplat();
  if (toFloat) {
    if (splat && splat->isConstant()) {
      result.content = FloatSplat{static_cast<double>(splat->base)};
    } else if (std::optional<SmallVector<int64_t>> constants = a.getConstants()) {
      result.content = FloatElements{SmallVector<double>(constants->begin(), constants->end())};
    } else {
      return a; // affine integers stay known as such
    }
  } else if (splat && (splat->isConstant() || splat->isPositive())) {
    result.content = LinearContent{{*splat != Affine{0, 0}, 0}, zeros};
  }
  return result;
}

MaybeFacts pi::evaluateWhere(const ValueFacts &condition, const ValueFacts &a, const ValueFacts &b,
                             std::string &why) {
  std::optional<AffineShape> shape = broadcastShapes(a.shape, b.shape, why);
  if (shape)
    shape = broadcastShapes(*shape, condition.shape, why);
  if (!shape)
    return std::nullopt;
  if (std::optional<Affine> chosen = condition.getSplat(); chosen && chosen->isConstant())
    return broadcastTo(chosen->base ? a : b, *shape);
  ValueFacts result{*shape, {}};
  std::optional<SmallVector<int64_t>> cs = broadcastTo(condition, *shape).getConstants();
  std::optional<SmallVector<Affine>> as = broadcastTo(a, *shape).getElements();
  std::optional<SmallVector<Affine>> bs = broadcastTo(b, *shape).getElements();
  if (!cs || !as || !bs)
    return result;
  ElementsContent elements;
  for (auto [c, x, y] : llvm::zip(*cs, *as, *bs))
    elements.values.push_back(c ? x : y);
  result.content = elements;
  return result;
}
