//===- Rope.cpp - x cos + rotate_half(x) sin -===//

#include "compiler/Conversion/OnnxToLlm/Raiser.h"

using namespace mlir;
using namespace pi;
using namespace pi::raise;

/// Whether every element of `v` is the position as a float.
static bool isPosition(Value v, const ShapeValues &values) {
  const ValueFacts *facts = values.lookup(v);
  if (auto cast = v.getDefiningOp<onnx::CastOp>(); cast && facts && !facts->hasContent())
    facts = values.lookup(cast.getInput());
  std::optional<Affine> splat = facts ? facts->getSplat() : std::nullopt;
  return splat && *splat == Affine{0, 1};
}

/// The frequencies by which the position is multiplied in `v`, element by element.
static bool readFrequencies(Value v, const ShapeValues &values, SmallVector<float> &frequencies) {
  Operation *op = v.getDefiningOp();
  if (!op || !isa<onnx::MatMulOp, onnx::MulOp>(op))
    return false;
  for (auto [list, at] :
       {std::pair(op->getOperand(0), op->getOperand(1)), {op->getOperand(1), op->getOperand(0)}}) {
    if (!isPosition(at, values))
      continue;
    const ValueFacts *facts = values.lookup(list);
    int64_t count = values.lookup(v)->numElements();
    if (const auto *splat = facts->get<FloatSplat>()) {
      frequencies.assign(count, static_cast<float>(splat->value));
      return facts->isStatic() && facts->numElements() == count;
    }
    const auto *floats = facts->get<FloatElements>();
    if (!floats || static_cast<int64_t>(floats->values.size()) != count)
      continue;
    frequencies.assign(floats->values.begin(), floats->values.end());
    return true;
  }
  return false;
}

bool Raiser::readAngles(Value v, bool wantCos, SmallVector<float> &angles) const {
  for (const Element &e : tracer.trace(v)) {
    Operation *op = e.root.getDefiningOp();
    if (!op || e.sign < 0 || !(wantCos ? isa<onnx::CosOp>(op) : isa<onnx::SinOp>(op)))
      return false;
    SmallVector<Element> angle = tracer.trace(op->getOperand(0));
    if (angle.empty())
      return false;
    Element inner = angle[e.index];
    SmallVector<float> frequencies;
    if (inner.sign < 0 || !readFrequencies(inner.root, values, frequencies))
      return false;
    angles.push_back(frequencies[inner.index]);
  }
  return !angles.empty();
}

/// Elements of the factor `v` over the shape of the product it is part of: heads share
/// the angles of one row.
static SmallVector<float> spread(ArrayRef<float> row, int64_t count) {
  SmallVector<float> result;
  while (static_cast<int64_t>(result.size()) < count)
    result.append(row.begin(), row.end());
  return result;
}

bool Raiser::readRope(onnx::AddOp op, Value &rotated, SmallVector<float> &frequencies) {
  auto fail = [&](const Twine &why) {
    block(op, "expected rotary embedding x * cos + rotate_half(x) * sin: " + why,
          "only the half-split form over whole heads is supported");
    return false;
  };
  SmallVector<int64_t> shape = tracer.shapeOf(op.getC());
  int64_t dim = shape.back(), count = 1;
  for (int64_t d : shape)
    count *= d;
  SmallVector<Element> straight, turned;
  SmallVector<float> cosines, sines;
  for (Value side : {op.getA(), op.getB()}) {
    auto mul = tracer.strip(side).getDefiningOp<onnx::MulOp>();
    if (!mul)
      return fail("a term is no product");
    for (auto [x, angle] : {std::pair(mul.getA(), mul.getB()), {mul.getB(), mul.getA()}}) {
      SmallVector<float> row;
      if (cosines.empty() && readAngles(angle, true, row)) {
        cosines = row;
        straight = tracer.trace(x);
        rotated = x;
        break;
      }
      row.clear();
      if (sines.empty() && readAngles(angle, false, row)) {
        sines = row;
        turned = tracer.trace(x);
        break;
      }
    }
  }
  if (cosines.empty() || sines.empty())
    return fail("cos or sin of position times frequencies is missing");
  if (cosines.size() % dim != 0 || sines.size() != cosines.size() || dim % 2 != 0 ||
      static_cast<int64_t>(straight.size()) != count || turned.size() != straight.size())
    return fail("cos, sin and x do not fit one another");
  cosines = spread(cosines, count);
  sines = spread(sines, count);
  int64_t half = dim / 2;
  for (int64_t i = 0; i < count; ++i) {
    int64_t d = i % dim;
    Element partner = straight[d < half ? i + half : i - half];
    if (d < half)
      partner.sign = -partner.sign;
    if (!(turned[i] == partner) || cosines[i] != cosines[d % half] || sines[i] != cosines[i])
      return fail("elements are paired differently");
  }
  frequencies.assign(cosines.begin(), cosines.begin() + half);
  return true;
}
