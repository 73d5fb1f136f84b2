//===- ShapeValues.cpp - One transfer function per operator -===//

#include "compiler/Analysis/ShapeValues.h"

#include "dialects/Onnx/IR/Onnx.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pi;

const ValueFacts *ShapeValues::lookup(Value value) const {
  auto it = known.find(value);
  return it == known.end() ? nullptr : &it->second;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static ValueFacts factsOfConstant(ElementsAttr attr) {
  ValueFacts facts;
  for (int64_t d : attr.getShapedType().getShape())
    facts.shape.push_back({d, 0});
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense || dense.getNumElements() > kMaxElements)
    return facts;
  Type element = dense.getElementType();
  if (isa<FloatType>(element)) {
    FloatElements values;
    for (APFloat v : dense.getValues<APFloat>()) {
      bool loses;
      v.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
      values.values.push_back(v.convertToDouble());
    }
    if (!values.values.empty() && llvm::all_equal(values.values))
      facts.content = FloatSplat{values.values.front()};
    else
      facts.content = values;
    return facts;
  }
  if (!element.isIntOrIndex())
    return facts;
  ElementsContent values;
  for (APInt v : dense.getValues<APInt>())
    values.values.push_back(
        {element.isInteger(1) ? static_cast<int64_t>(v.getZExtValue()) : v.getSExtValue(), 0});
  facts.content = values;
  if (!values.values.empty() && llvm::all_equal(values.values))
    facts.content =
        LinearContent{values.values.front(), SmallVector<int64_t, 4>(facts.shape.size(), 0)};
  return facts;
}

static MaybeFacts constantOfShape(onnx::ConstantOfShapeOp op, const ValueFacts &shape,
                                  std::string &why) {
  std::optional<SmallVector<Affine>> dims = shape.getElements();
  if (!dims) {
    why = "the shape is not known";
    return std::nullopt;
  }
  ValueFacts value = factsOfConstant(op.getValue());
  ValueFacts scalar{{}, {}};
  if (const auto *splat = value.get<FloatSplat>())
    scalar.content = *splat;
  else if (std::optional<Affine> splat = value.getSplat())
    scalar.content = LinearContent{*splat, {}};
  return broadcastTo(scalar, AffineShape(dims->begin(), dims->end()));
}

//===----------------------------------------------------------------------===//
// Shapes of contractions and reductions
//===----------------------------------------------------------------------===//

static MaybeFacts matMul(const ValueFacts &a, const ValueFacts &b, std::string &why) {
  if (a.shape.size() < 2 || b.shape.size() < 2) {
    why = "operands of rank below 2 are not supported";
    return std::nullopt;
  }
  if (a.shape.back() != b.shape[b.shape.size() - 2]) {
    why = "inner dimensions differ";
    return std::nullopt;
  }
  AffineShape left(a.shape.begin(), a.shape.end() - 2), right(b.shape.begin(), b.shape.end() - 2);
  std::optional<AffineShape> batch = broadcastShapes(left, right, why);
  if (!batch)
    return std::nullopt;
  batch->push_back(a.shape[a.shape.size() - 2]);
  batch->push_back(b.shape.back());
  return ValueFacts{*batch, {}};
}

static MaybeFacts gemm(onnx::GemmOp op, const ValueFacts &a, const ValueFacts &b,
                       std::string &why) {
  if (a.shape.size() != 2 || b.shape.size() != 2) {
    why = "operands must be of rank 2";
    return std::nullopt;
  }
  AffineShape l = a.shape, r = b.shape;
  if (op.getTransA())
    std::swap(l[0], l[1]);
  if (op.getTransB())
    std::swap(r[0], r[1]);
  if (l[1] != r[0]) {
    why = "inner dimensions differ";
    return std::nullopt;
  }
  return ValueFacts{{l[0], r[1]}, {}};
}

static MaybeFacts reduceMean(onnx::ReduceMeanOp op, const ValueFacts &data, const ValueFacts *axes,
                             std::string &why) {
  SmallVector<int64_t> list;
  if (axes) {
    std::optional<SmallVector<int64_t>> constants = axes->getConstants();
    if (!constants) {
      why = "axes are not constant";
      return std::nullopt;
    }
    list = *constants;
  }
  int64_t rank = data.shape.size();
  SmallVector<bool> reduced(rank, list.empty());
  for (int64_t axis : list) {
    axis = axis < 0 ? axis + rank : axis;
    if (axis < 0 || axis >= rank) {
      why = "axis is outside the rank";
      return std::nullopt;
    }
    reduced[axis] = true;
  }
  ValueFacts result;
  for (int64_t k = 0; k < rank; ++k) {
    if (!reduced[k])
      result.shape.push_back(data.shape[k]);
    else if (op.getKeepdims())
      result.shape.push_back({1, 0});
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Dimensions of size 1
//===----------------------------------------------------------------------===//

static MaybeFacts unsqueeze(const ValueFacts &data, const ValueFacts &axes, std::string &why) {
  std::optional<SmallVector<int64_t>> list = axes.getConstants();
  if (!list) {
    why = "axes are not constant";
    return std::nullopt;
  }
  int64_t rank = data.shape.size() + list->size();
  SmallVector<bool> added(rank, false);
  for (int64_t axis : *list) {
    axis = axis < 0 ? axis + rank : axis;
    if (axis < 0 || axis >= rank || added[axis]) {
      why = "axis is outside the rank or given twice";
      return std::nullopt;
    }
    added[axis] = true;
  }
  AffineShape shape;
  size_t next = 0;
  for (bool one : added)
    shape.push_back(one ? Affine{1, 0} : data.shape[next++]);
  return withShape(data, shape);
}

static MaybeFacts squeeze(const ValueFacts &data, const ValueFacts *axes, std::string &why) {
  int64_t rank = data.shape.size();
  SmallVector<bool> removed(rank, false);
  if (axes) {
    std::optional<SmallVector<int64_t>> list = axes->getConstants();
    if (!list) {
      why = "axes are not constant";
      return std::nullopt;
    }
    for (int64_t axis : *list) {
      axis = axis < 0 ? axis + rank : axis;
      if (axis < 0 || axis >= rank || data.shape[axis] != Affine{1, 0}) {
        why = "a squeezed dimension is not 1";
        return std::nullopt;
      }
      removed[axis] = true;
    }
  } else {
    for (int64_t k = 0; k < rank; ++k)
      removed[k] = data.shape[k] == Affine{1, 0};
  }
  AffineShape shape;
  for (int64_t k = 0; k < rank; ++k)
    if (!removed[k])
      shape.push_back(data.shape[k]);
  return withShape(data, shape);
}

static MaybeFacts flatten(onnx::FlattenOp op, const ValueFacts &data, std::string &why) {
  int64_t rank = data.shape.size(), axis = op.getAxis();
  axis = axis < 0 ? axis + rank : axis;
  if (axis < 0 || axis > rank) {
    why = "axis is outside the rank";
    return std::nullopt;
  }
  AffineShape shape(2, Affine{1, 0});
  for (int64_t k = 0; k < rank; ++k) {
    std::optional<Affine> next = multiply(shape[k >= axis], data.shape[k]);
    if (!next) {
      why = "a dimension is not affine in the past length";
      return std::nullopt;
    }
    shape[k >= axis] = *next;
  }
  return withShape(data, shape);
}

static MaybeFacts shapeOf(onnx::ShapeOp op, const ValueFacts &data) {
  int64_t rank = data.shape.size();
  auto clamp = [&](int64_t i) { return std::clamp<int64_t>(i < 0 ? i + rank : i, 0, rank); };
  int64_t start = clamp(op.getStart()), end = op.getEnd() ? clamp(*op.getEnd()) : rank;
  ElementsContent dims;
  for (int64_t k = start; k < end; ++k)
    dims.values.push_back(data.shape[k]);
  return ValueFacts{{{static_cast<int64_t>(dims.values.size()), 0}}, dims};
}

static MaybeFacts slice(onnx::SliceOp op, const ShapeValues &values, std::string &why) {
  auto elements = [&](Value v) -> std::optional<SmallVector<Affine>> {
    const ValueFacts *facts = values.lookup(v);
    return facts ? facts->getElements() : std::nullopt;
  };
  const ValueFacts &data = *values.lookup(op.getData());
  std::optional<SmallVector<Affine>> starts = elements(op.getStarts()),
                                     ends = elements(op.getEnds());
  SmallVector<int64_t> axes, steps;
  if (op.getAxes()) {
    auto list = values.lookup(op.getAxes())->getConstants();
    if (list)
      axes = *list;
  } else if (starts) {
    axes = llvm::to_vector(llvm::seq<int64_t>(0, starts->size()));
  }
  steps.assign(axes.size(), 1);
  if (op.getSteps())
    if (auto list = values.lookup(op.getSteps())->getConstants())
      steps = *list;
  if (!starts || !ends || starts->size() != ends->size() || axes.size() != starts->size() ||
      steps.size() != starts->size()) {
    why = "starts, ends, axes or steps are not known";
    return std::nullopt;
  }
  return evaluateSlice(data, *starts, *ends, axes, steps, why);
}

static MaybeFacts expand(const ValueFacts &data, const ValueFacts &shape, std::string &why) {
  std::optional<SmallVector<Affine>> dims = shape.getElements();
  if (!dims) {
    why = "the target shape is not known";
    return std::nullopt;
  }
  std::optional<AffineShape> wide =
      broadcastShapes(data.shape, AffineShape(dims->begin(), dims->end()), why);
  return wide ? MaybeFacts(broadcastTo(data, *wide)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

std::optional<BinaryKind> pi::binaryKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<BinaryKind>>(op)
      .Case([](onnx::AddOp) { return BinaryKind::Add; })
      .Case([](onnx::SubOp) { return BinaryKind::Sub; })
      .Case([](onnx::MulOp) { return BinaryKind::Mul; })
      .Case([](onnx::DivOp) { return BinaryKind::Div; })
      .Case([](onnx::ModOp) { return BinaryKind::Mod; })
      .Case([](onnx::PowOp) { return BinaryKind::Pow; })
      .Case([](onnx::MaxOp) { return BinaryKind::Max; })
      .Case([](onnx::MinOp) { return BinaryKind::Min; })
      .Case([](onnx::AndOp) { return BinaryKind::And; })
      .Case([](onnx::OrOp) { return BinaryKind::Or; })
      .Case([](onnx::EqualOp) { return BinaryKind::Equal; })
      .Case([](onnx::LessOp) { return BinaryKind::Less; })
      .Case([](onnx::LessOrEqualOp) { return BinaryKind::LessOrEqual; })
      .Case([](onnx::GreaterOp) { return BinaryKind::Greater; })
      .Case([](onnx::GreaterOrEqualOp) { return BinaryKind::GreaterOrEqual; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Facts of a tensor of static type whose content is not followed.
static ValueFacts factsOfType(Type type) {
  ValueFacts facts;
  for (int64_t d : cast<RankedTensorType>(type).getShape())
    facts.shape.push_back({d, 0});
  return facts;
}

static ValueFacts affine(onnx::AffineOp op) {
  ValueFacts facts = factsOfType(op.getOutput().getType());
  ElementsContent elements;
  for (auto [base, slope] : llvm::zip(op.getBase(), op.getSlope()))
    elements.values.push_back({base, slope});
  facts.content = elements;
  return facts;
}

static MaybeFacts binary(Operation *op, BinaryKind kind, const ValueFacts &a, const ValueFacts &b,
                         std::string &why) {
  MaybeFacts facts = evaluateBinary(kind, a, b, why);
  // Integers that floats are known to be do not divide as integers do.
  bool isQuotient = kind == BinaryKind::Div || kind == BinaryKind::Mod;
  if (facts && isQuotient && isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())) &&
      (facts->get<LinearContent>() || facts->get<ElementsContent>()))
    facts->content = {};
  return facts;
}

static MaybeFacts transpose(onnx::TransposeOp op, const ValueFacts &data, std::string &why) {
  SmallVector<int64_t> perm;
  if (op.getPerm())
    perm.assign(op.getPerm()->begin(), op.getPerm()->end());
  else
    for (int64_t k = data.shape.size(); k-- > 0;)
      perm.push_back(k);
  return evaluateTranspose(data, perm, why);
}

static MaybeFacts concat(onnx::ConcatOp op, const ShapeValues &values, std::string &why) {
  SmallVector<const ValueFacts *> inputs;
  for (Value v : op.getInputs())
    inputs.push_back(values.lookup(v));
  return evaluateConcat(inputs, op.getAxis(), why);
}

static MaybeFacts cumSum(onnx::CumSumOp op, const ValueFacts &data, const ValueFacts &axis,
                         std::string &why) {
  std::optional<SmallVector<int64_t>> axes = axis.getConstants();
  if (!axes || axes->size() != 1) {
    why = "the axis is not constant";
    return std::nullopt;
  }
  return evaluateCumSum(data, axes->front(), op.getExclusive() != 0, op.getReverse() != 0, why);
}

static MaybeFacts trilu(onnx::TriluOp op, const ValueFacts &data, const ValueFacts *k,
                        std::string &why) {
  std::optional<int64_t> diagonal = 0;
  if (k) {
    std::optional<SmallVector<int64_t>> constants = k->getConstants();
    diagonal =
        constants && constants->size() == 1 ? std::optional(constants->front()) : std::nullopt;
  }
  return evaluateTrilu(data, diagonal, op.getUpper() != 0, why);
}

/// Facts of the single result of `op`; operands are known.
static MaybeFacts evaluate(Operation *op, const ShapeValues &values, std::string &why) {
  auto in = [&](unsigned i) -> const ValueFacts & { return *values.lookup(op->getOperand(i)); };
  auto optional = [&](Value v) { return v ? values.lookup(v) : nullptr; };
  if (std::optional<BinaryKind> kind = binaryKind(op))
    return binary(op, *kind, in(0), in(1), why);
  return llvm::TypeSwitch<Operation *, MaybeFacts>(op)
      .Case([&](onnx::ConstantOp c) { return factsOfConstant(c.getValue()); })
      .Case([&](onnx::AffineOp c) { return affine(c); })
      .Case([&](onnx::WeightOp w) { return factsOfType(w.getOutput().getType()); })
      .Case([&](onnx::CastOp c) {
        Type element = getElementTypeOrSelf(c.getOutput().getType());
        return evaluateCast(in(0), isa<FloatType>(element), element.isInteger(1));
      })
      .Case([&](onnx::WhereOp) { return evaluateWhere(in(0), in(1), in(2), why); })
      .Case([&](onnx::ShapeOp s) { return shapeOf(s, in(0)); })
      .Case([&](onnx::SizeOp) {
        std::optional<Affine> total = productOf(in(0).shape);
        return total ? ValueFacts{{}, LinearContent{*total, {}}} : ValueFacts();
      })
      .Case([&](onnx::ReshapeOp r) {
        return evaluateReshape(in(0), in(1), r.getAllowzero() != 0, why);
      })
      .Case([&](onnx::FlattenOp f) { return flatten(f, in(0), why); })
      .Case([&](onnx::TransposeOp t) { return transpose(t, in(0), why); })
      .Case([&](onnx::UnsqueezeOp) { return unsqueeze(in(0), in(1), why); })
      .Case([&](onnx::SqueezeOp s) { return squeeze(in(0), optional(s.getAxes()), why); })
      .Case([&](onnx::ExpandOp) { return expand(in(0), in(1), why); })
      .Case([&](onnx::ConcatOp c) { return concat(c, values, why); })
      .Case([&](onnx::SliceOp s) { return slice(s, values, why); })
      .Case([&](onnx::GatherOp g) { return evaluateGather(in(0), in(1), g.getAxis(), why); })
      .Case(
          [&](onnx::GatherNDOp g) { return evaluateGatherNd(in(0), in(1), g.getBatchDims(), why); })
      .Case([&](onnx::RangeOp) { return evaluateRange(in(0), in(1), in(2), why); })
      .Case([&](onnx::ConstantOfShapeOp c) { return constantOfShape(c, in(0), why); })
      .Case([&](onnx::CumSumOp c) { return cumSum(c, in(0), in(1), why); })
      .Case([&](onnx::TriluOp t) { return trilu(t, in(0), optional(t.getK()), why); })
      .Case([&](onnx::MatMulOp) { return matMul(in(0), in(1), why); })
      .Case([&](onnx::GemmOp g) { return gemm(g, in(0), in(1), why); })
      .Case([&](onnx::ReduceMeanOp r) { return reduceMean(r, in(0), optional(r.getAxes()), why); })
      .Case<onnx::SoftmaxOp, onnx::LayerNormalizationOp, onnx::RMSNormalizationOp, onnx::GeluOp>(
          [&](Operation *) { return ValueFacts{in(0).shape, {}}; })
      .Default([&](Operation *o) { return evaluateUnary(o, in(0)); });
}

/// Split has several results: equal slices, or those `split` names.
static LogicalResult visitSplit(onnx::SplitOp op, ShapeValues &values, std::string &why) {
  const ValueFacts data = *values.lookup(op.getInput());
  int64_t rank = data.shape.size(), axis = op.getAxis(), parts = op.getNumResults();
  axis = axis < 0 ? axis + rank : axis;
  if (axis < 0 || axis >= rank || !data.shape[axis].isConstant()) {
    why = "the split dimension is not known";
    return failure();
  }
  SmallVector<int64_t> sizes(parts, llvm::divideCeil(data.shape[axis].base, parts));
  sizes.back() = data.shape[axis].base - sizes.front() * (parts - 1);
  if (op.getSplit())
    if (auto list = values.lookup(op.getSplit())->getConstants())
      sizes = *list;
  if (static_cast<int64_t>(sizes.size()) != parts) {
    why = "split does not name as many parts as there are results";
    return failure();
  }
  int64_t left = data.shape[axis].base;
  for (int64_t size : sizes)
    left = size < 0 || size > left ? -1 : left - size;
  if (left != 0) {
    why = "the parts do not add up to the dimension";
    return failure();
  }
  int64_t start = 0;
  for (int64_t i = 0; i < parts; ++i) {
    MaybeFacts part = evaluateSlice(data, {{start, 0}}, {{start + sizes[i], 0}}, {axis}, {1}, why);
    if (!part)
      return failure();
    values.set(op.getResult(i), *part);
    start += sizes[i];
  }
  return success();
}

LogicalResult ShapeValues::visit(Operation *op, std::string &why) {
  for (Value operand : op->getOperands())
    if (!lookup(operand)) {
      why = "an input has no known shape";
      return failure();
    }
  if (auto split = dyn_cast<onnx::SplitOp>(op))
    return visitSplit(split, *this, why);
  if (op->getNumResults() != 1) {
    why = "has no rule here";
    return failure();
  }
  MaybeFacts facts = evaluate(op, *this, why);
  if (!facts)
    return failure();
  if (!llvm::all_of(facts->shape, [](Affine d) { return d.isNonNegative(); })) {
    why = "a dimension may be negative";
    return failure();
  }
  set(op->getResult(0), std::move(*facts));
  return success();
}
