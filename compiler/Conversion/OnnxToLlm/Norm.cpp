//===- Norm.cpp - Fused and decomposed normalisations -===//

#include "compiler/Conversion/OnnxToLlm/Raiser.h"

using namespace mlir;
using namespace pi;
using namespace pi::raise;

/// x where `v` is x squared.
static Value matchSquare(Value v, const ShapeValues &values) {
  if (auto pow = v.getDefiningOp<onnx::PowOp>()) {
    const auto *two = values.lookup(pow.getB())->get<FloatSplat>();
    return two && two->value == 2 ? pow.getA() : Value();
  }
  auto mul = v.getDefiningOp<onnx::MulOp>();
  return mul && mul.getA() == mul.getB() ? mul.getA() : Value();
}

/// Whether `op` is a mean over the last dimension.
static bool isRowMean(onnx::ReduceMeanOp op, const ShapeValues &values) {
  if (!op || !op.getKeepdims() || !op.getAxes())
    return false;
  std::optional<SmallVector<int64_t>> axes = values.lookup(op.getAxes())->getConstants();
  int64_t rank = values.lookup(op.getData())->shape.size();
  return axes && axes->size() == 1 && (axes->front() == -1 || axes->front() == rank - 1);
}

/// x and eps where `v` is sqrt(mean(x^2) + eps).
static std::optional<std::pair<Value, double>> matchRootMeanSquare(Value v,
                                                                   const ShapeValues &values) {
  auto root = v.getDefiningOp<onnx::SqrtOp>();
  auto add = root ? root.getX().getDefiningOp<onnx::AddOp>() : onnx::AddOp();
  if (!add)
    return std::nullopt;
  for (auto [mean, eps] : {std::pair(add.getA(), add.getB()), {add.getB(), add.getA()}}) {
    const auto *constant = values.lookup(eps)->get<FloatSplat>();
    auto reduce = mean.getDefiningOp<onnx::ReduceMeanOp>();
    if (!constant || !isRowMean(reduce, values))
      continue;
    if (Value x = matchSquare(reduce.getData(), values))
      return std::pair(x, constant->value);
  }
  return std::nullopt;
}

/// x and eps where `v` is x / sqrt(mean(x^2) + eps), in any spelling.
static std::optional<std::pair<Value, double>> matchNormalised(Value v, const ShapeValues &values) {
  if (auto div = v.getDefiningOp<onnx::DivOp>()) {
    auto rms = matchRootMeanSquare(div.getB(), values);
    return rms && rms->first == div.getA() ? rms : std::nullopt;
  }
  auto mul = v.getDefiningOp<onnx::MulOp>();
  if (!mul)
    return std::nullopt;
  for (auto [x, inverse] : {std::pair(mul.getA(), mul.getB()), {mul.getB(), mul.getA()}}) {
    Value root;
    if (auto div = inverse.getDefiningOp<onnx::DivOp>()) {
      const auto *one = values.lookup(div.getA())->get<FloatSplat>();
      root = one && one->value == 1 ? div.getB() : Value();
    } else if (auto reciprocal = inverse.getDefiningOp<onnx::ReciprocalOp>()) {
      root = reciprocal.getX();
    }
    if (!root)
      continue;
    auto rms = matchRootMeanSquare(root, values);
    if (rms && rms->first == x)
      return rms;
  }
  return std::nullopt;
}

std::optional<Raiser::Norm> Raiser::matchRms(Value v) const {
  if (auto op = v.getDefiningOp<onnx::RMSNormalizationOp>()) {
    int64_t length = values.lookup(op.getX())->shape.back().base;
    WeightOp weight = matchVector(op.getScale(), length);
    if (weight)
      return Norm{llm::NormKind::Rms, op.getX(), weight, {}, op.getEpsilon().convertToFloat()};
    return std::nullopt;
  }
  auto mul = v.getDefiningOp<onnx::MulOp>();
  if (!mul)
    return std::nullopt;
  for (auto [weight, normal] : {std::pair(mul.getA(), mul.getB()), {mul.getB(), mul.getA()}}) {
    auto x = matchNormalised(normal, values);
    WeightOp vector =
        x ? matchVector(weight, values.lookup(normal)->shape.back().base) : WeightOp();
    if (vector)
      return Norm{llm::NormKind::Rms, x->first, vector, {}, static_cast<float>(x->second)};
  }
  return std::nullopt;
}

std::optional<Raiser::Norm> Raiser::matchLayerNorm(Value v) const {
  if (auto op = v.getDefiningOp<onnx::LayerNormalizationOp>()) {
    int64_t rank = values.lookup(op.getX())->shape.size();
    int64_t length = values.lookup(op.getX())->shape.back().base;
    WeightOp weight = matchVector(op.getScale(), length);
    WeightOp bias = op.getB() ? matchVector(op.getB(), length) : WeightOp();
    int64_t axis = op.getAxis();
    if (!weight || (op.getB() && !bias) || (axis != -1 && axis != rank - 1))
      return std::nullopt;
    return Norm{llm::NormKind::Layer, op.getX(), weight, bias, op.getEpsilon().convertToFloat()};
  }
  // (x - mean(x)) / sqrt(mean((x - mean(x))^2) + eps) * weight (+ bias).
  WeightOp bias;
  int64_t length = values.lookup(v)->shape.empty() ? 0 : values.lookup(v)->shape.back().base;
  Value scaled = v;
  if (auto add = v.getDefiningOp<onnx::AddOp>()) {
    for (auto [s, b] : {std::pair(add.getA(), add.getB()), {add.getB(), add.getA()}})
      if (WeightOp vector = matchVector(b, length)) {
        bias = vector;
        scaled = s;
      }
    if (!bias)
      return std::nullopt;
  }
  std::optional<Norm> norm = matchRms(scaled);
  auto centred = norm ? norm->input.getDefiningOp<onnx::SubOp>() : onnx::SubOp();
  if (!centred)
    return std::nullopt;
  auto mean = centred.getB().getDefiningOp<onnx::ReduceMeanOp>();
  if (!isRowMean(mean, values) || mean.getData() != centred.getA())
    return std::nullopt;
  return Norm{llm::NormKind::Layer, centred.getA(), norm->weight, bias, norm->eps};
}

std::optional<Raiser::Norm> Raiser::matchNorm(Value v) const {
  v = tracer.strip(v);
  if (!v.getDefiningOp())
    return std::nullopt;
  if (std::optional<Norm> layer = matchLayerNorm(v))
    return layer;
  return matchRms(v);
}

Value Raiser::raiseNorm(const Norm &norm, StringRef role, Location loc) {
  Value x = raiseRow(norm.input, "norm");
  if (!x)
    return {};
  std::string name = role.str();
  if (role == "attn_norm")
    name = "layers." + std::to_string(attentions) + ".attn_norm";
  else if (role == "ffn_norm")
    name = "layers." + std::to_string(ffns) + ".ffn_norm";
  else if (role == "norm") // of a residual sum: called after the block that reads it next
    name = attentions > ffns ? "layers." + std::to_string(ffns) + ".ffn_norm"
                             : "layers." + std::to_string(attentions) + ".attn_norm";
  sawRms |= norm.kind == llm::NormKind::Rms;
  FlatSymbolRefAttr bias;
  if (norm.bias)
    bias = declare(name + "_bias", norm.bias, false);
  return llm::NormOp::create(
      builder, loc, x.getType(), llm::NormKindAttr::get(builder.getContext(), norm.kind), x,
      declare(name, norm.weight, false), bias, builder.getF32FloatAttr(norm.eps));
}
