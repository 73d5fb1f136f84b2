//===- Linear.cpp - Products with weights, and the weights themselves -===//

#include "compiler/Conversion/OnnxToLlm/Raiser.h"

using namespace mlir;
using namespace pi;
using namespace pi::raise;

WeightOp Raiser::matchWeight(Value v, bool &transposed) const {
  transposed = false;
  while (Operation *op = v.getDefiningOp()) {
    if (auto weight = dyn_cast<onnx::WeightOp>(op))
      return mlir::ModuleOp(module).lookupSymbol<WeightOp>(weight.getWeight());
    if (auto transpose = dyn_cast<onnx::TransposeOp>(op)) {
      if (values.lookup(v)->shape.size() != 2)
        return {};
      bool swaps = !transpose.getPerm() || (*transpose.getPerm())[0] == 1;
      transposed ^= swaps;
      v = transpose.getData();
      continue;
    }
    return {};
  }
  return {};
}

WeightOp Raiser::matchVector(Value v, int64_t length) const {
  v = tracer.strip(v);
  auto use = v.getDefiningOp<onnx::WeightOp>();
  auto weight = use ? mlir::ModuleOp(module).lookupSymbol<WeightOp>(use.getWeight()) : WeightOp();
  if (!weight || weight.getTensorType().getRank() != 1 ||
      weight.getTensorType().getDimSize(0) != length)
    return {};
  return weight;
}

std::optional<double> Raiser::matchScalar(Value v) const {
  const ValueFacts *facts = values.lookup(v);
  const auto *splat = facts ? facts->get<FloatSplat>() : nullptr;
  return splat && facts->isStatic() && facts->numElements() == 1 ? std::optional(splat->value)
                                                                 : std::nullopt;
}

std::optional<Linear> Raiser::matchProduct(Operation *op) const {
  Linear linear;
  linear.node = op;
  Value weight;
  bool swapped = false; // [out, in] as operand
  if (auto product = dyn_cast<onnx::MatMulOp>(op)) {
    linear.input = product.getA();
    weight = product.getB();
  } else if (auto gemm = dyn_cast<onnx::GemmOp>(op)) {
    if (gemm.getTransA() || !gemm.getAlpha().isExactlyValue(1.0) ||
        !gemm.getBeta().isExactlyValue(1.0))
      return std::nullopt;
    linear.input = gemm.getA();
    weight = gemm.getB();
    swapped = gemm.getTransB() != 0;
  } else {
    return std::nullopt;
  }
  bool transposed;
  linear.weight = matchWeight(weight, transposed);
  if (!linear.weight || linear.weight.getTensorType().getRank() != 2)
    return std::nullopt;
  const AffineShape &dims = values.lookup(weight)->shape; // as operand: [in, out]
  linear.in = dims[swapped ? 1 : 0].base;
  linear.out = dims[swapped ? 0 : 1].base;
  // The source holds [out, in] if an odd number of the two swaps lie between.
  linear.transposed = !(transposed ^ swapped);
  if (auto gemm = dyn_cast<onnx::GemmOp>(op); gemm && gemm.getC()) {
    linear.bias = matchVector(gemm.getC(), linear.out);
    if (!linear.bias)
      return std::nullopt;
  }
  return linear;
}

std::optional<Linear> Raiser::matchLinear(Value v) const {
  v = tracer.strip(v);
  Operation *op = v.getDefiningOp();
  if (!op)
    return std::nullopt;
  auto add = dyn_cast<onnx::AddOp>(op);
  if (!add)
    return matchProduct(op);
  for (auto [product, bias] : {std::pair(add.getA(), add.getB()), {add.getB(), add.getA()}}) {
    Operation *producer = tracer.strip(product).getDefiningOp();
    std::optional<Linear> linear = producer ? matchProduct(producer) : std::nullopt;
    if (!linear || linear->bias)
      continue;
    linear->bias = matchVector(bias, linear->out);
    if (linear->bias)
      return linear;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Declaring weights
//===----------------------------------------------------------------------===//

/// (first, count) pairs of consecutive rows.
static SmallVector<int64_t> toRanges(ArrayRef<int64_t> rows) {
  SmallVector<int64_t> ranges;
  for (int64_t row : rows) {
    if (!ranges.empty() && ranges[ranges.size() - 2] + ranges.back() == row)
      ++ranges.back();
    else
      ranges.append({row, 1});
  }
  return ranges;
}

FlatSymbolRefAttr Raiser::declare(StringRef name, WeightOp source, bool transpose,
                                  ArrayRef<int64_t> rows) {
  SmallVector<int64_t> shape(source.getTensorType().getShape());
  if (transpose)
    std::swap(shape[0], shape[1]);
  SmallVector<int64_t> ranges = toRanges(rows);
  if (ranges.size() == 2 && ranges[0] == 0 && ranges[1] == shape[0])
    ranges.clear();
  if (!ranges.empty())
    shape[0] = rows.size();
  LayoutAttr layout;
  if (transpose || !ranges.empty())
    layout = LayoutAttr::get(module.getContext(), transpose, ranges);
  auto type = RankedTensorType::get(shape, source.getTensorType().getElementType());
  std::string unique = name.str();
  for (unsigned i = 1; !names.insert(unique).second; ++i) // blocks that no family has
    unique = (name + "." + Twine(i)).str();
  auto nameAttr = builder.getStringAttr(unique);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(main);
  auto weight = WeightOp::create(builder, source.getLoc(), nameAttr, TypeAttr::get(type),
                                 source.getSource(), layout, StringAttr());
  declared.push_back(weight);
  return FlatSymbolRefAttr::get(nameAttr);
}
