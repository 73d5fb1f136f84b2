//===- Trace.cpp - Where the elements of a tensor come from -===//

#include "compiler/Conversion/OnnxToLlm/Trace.h"

#include "dialects/Onnx/IR/Onnx.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pi;
using namespace pi::raise;

SmallVector<int64_t> Tracer::shapeOf(Value v) const {
  const ValueFacts *facts = values.lookup(v);
  assert(facts && "traced values were evaluated");
  SmallVector<int64_t> dims;
  for (Affine d : facts->shape)
    dims.push_back(d.base + d.slope * past);
  return dims;
}

/// `axis` counted from the front; negative ones count from the end.
static int64_t normalAxis(int64_t axis, int64_t rank) { return axis < 0 ? axis + rank : axis; }

/// Number of elements, INT64_MAX where it is larger.
static int64_t product(ArrayRef<int64_t> dims) {
  uint64_t count = 1;
  for (int64_t d : dims)
    count = llvm::SaturatingMultiply(count, static_cast<uint64_t>(d));
  return static_cast<int64_t>(std::min<uint64_t>(count, INT64_MAX));
}

static SmallVector<int64_t> stridesOf(ArrayRef<int64_t> dims) {
  SmallVector<int64_t> strides(dims.size(), 1);
  for (int64_t k = static_cast<int64_t>(dims.size()) - 2; k >= 0; --k)
    strides[k] = strides[k + 1] * dims[k + 1];
  return strides;
}

/// For each element of a tensor of `dims`, calls `at` with its index.
static void forEachIndex(ArrayRef<int64_t> dims, llvm::function_ref<void(ArrayRef<int64_t>)> at) {
  SmallVector<int64_t> index(dims.size(), 0);
  for (int64_t i = 0, n = product(dims); i < n; ++i) {
    at(index);
    for (int64_t k = static_cast<int64_t>(dims.size()) - 1; k >= 0; --k) {
      if (++index[k] < dims[k])
        break;
      index[k] = 0;
    }
  }
}

namespace {
/// A movement with one data operand: which source element each result element is.
struct Movement {
  SmallVector<int64_t> from, to, strides; // dimensions; strides of `from`

  /// Flat source indices, from a function of the index in the result.
  SmallVector<int64_t> collect(llvm::function_ref<int64_t(ArrayRef<int64_t>)> source) const {
    SmallVector<int64_t> result;
    result.reserve(product(to));
    forEachIndex(to, [&](ArrayRef<int64_t> index) { result.push_back(source(index)); });
    return result;
  }
  int64_t rank() const { return from.size(); }
};
} // namespace

static SmallVector<int64_t> sourcesOf(onnx::TransposeOp op, const Movement &m) {
  SmallVector<int64_t> perm;
  for (int64_t k = 0; k < m.rank(); ++k)
    perm.push_back(op.getPerm() ? (*op.getPerm())[k] : m.rank() - 1 - k);
  return m.collect([&](ArrayRef<int64_t> index) {
    int64_t flat = 0;
    for (int64_t k = 0; k < m.rank(); ++k)
      flat += index[k] * m.strides[perm[k]];
    return flat;
  });
}

/// `starts` and `axes` of a slice; other steps than 1 do not get here, the analysis
/// refuses them.
static SmallVector<int64_t> sourcesOfSlice(ArrayRef<int64_t> starts, ArrayRef<int64_t> axes,
                                           const Movement &m) {
  SmallVector<int64_t> offsets(m.rank(), 0);
  for (auto [axis, start] : llvm::zip(axes, starts)) {
    int64_t k = normalAxis(axis, m.rank());
    offsets[k] = std::clamp<int64_t>(start < 0 ? start + m.from[k] : start, 0, m.from[k]);
  }
  return m.collect([&](ArrayRef<int64_t> index) {
    int64_t flat = 0;
    for (int64_t k = 0; k < m.rank(); ++k)
      flat += (index[k] + offsets[k]) * m.strides[k];
    return flat;
  });
}

static SmallVector<int64_t> sourcesOfExpand(const Movement &m) {
  return m.collect([&](ArrayRef<int64_t> index) {
    int64_t flat = 0, lead = index.size() - m.rank();
    for (int64_t k = 0; k < m.rank(); ++k)
      flat += m.from[k] == 1 ? 0 : index[lead + k] * m.strides[k];
    return flat;
  });
}

/// `chosen`: the constant indices, flat.
static SmallVector<int64_t> sourcesOf(onnx::GatherOp op, ArrayRef<int64_t> chosen,
                                      const Movement &m) {
  int64_t axis = normalAxis(op.getAxis(), m.rank()), indexRank = m.to.size() - m.rank() + 1;
  SmallVector<int64_t> indexStrides = stridesOf(ArrayRef<int64_t>(m.to).slice(axis, indexRank));
  return m.collect([&](ArrayRef<int64_t> index) {
    int64_t flat = 0, which = 0;
    for (int64_t k = 0; k < axis; ++k)
      flat += index[k] * m.strides[k];
    for (int64_t k = 0; k < indexRank; ++k)
      which += index[axis + k] * indexStrides[k];
    int64_t row = chosen[which];
    flat += (row < 0 ? row + m.from[axis] : row) * m.strides[axis];
    for (int64_t k = axis + 1; k < m.rank(); ++k)
      flat += index[k + indexRank - 1] * m.strides[k];
    return flat;
  });
}

/// Flat source indices of the result of a movement with one data operand; empty where
/// `op` is no such movement.
static SmallVector<int64_t> sourceIndices(Operation *op, const Tracer &tracer,
                                          const ShapeValues &values, int64_t past) {
  Movement m{tracer.shapeOf(op->getOperand(0)), tracer.shapeOf(op->getResult(0)), {}};
  m.strides = stridesOf(m.from);
  auto ints = [&](Value v) {
    SmallVector<int64_t> list;
    if (std::optional<SmallVector<Affine>> elements = values.lookup(v)->getElements())
      for (Affine e : *elements)
        list.push_back(e.base + e.slope * past);
    return list;
  };
  return llvm::TypeSwitch<Operation *, SmallVector<int64_t>>(op)
      .Case<onnx::ReshapeOp, onnx::UnsqueezeOp, onnx::SqueezeOp, onnx::FlattenOp, onnx::IdentityOp>(
          [&](Operation *) { return llvm::to_vector(llvm::seq<int64_t>(0, product(m.to))); })
      .Case([&](onnx::TransposeOp t) { return sourcesOf(t, m); })
      .Case([&](onnx::SliceOp s) {
        SmallVector<int64_t> starts = ints(s.getStarts());
        SmallVector<int64_t> axes =
            s.getAxes() ? ints(s.getAxes()) : llvm::to_vector(llvm::seq<int64_t>(0, starts.size()));
        return sourcesOfSlice(starts, axes, m);
      })
      .Case([&](onnx::ExpandOp) { return sourcesOfExpand(m); })
      .Case([&](onnx::GatherOp g) {
        std::optional<SmallVector<int64_t>> chosen = values.lookup(g.getIndices())->getConstants();
        return chosen ? sourcesOf(g, *chosen, m) : SmallVector<int64_t>();
      })
      .Default([](Operation *) { return SmallVector<int64_t>(); });
}

/// Elements of a Concat, from those of its inputs; empty where one cannot be traced.
SmallVector<Element> Tracer::traceConcat(onnx::ConcatOp op, Value stop, unsigned depth) const {
  SmallVector<int64_t> dims = shapeOf(op.getConcatResult());
  int64_t axis = normalAxis(op.getAxis(), dims.size());
  int64_t outer = product(ArrayRef<int64_t>(dims).take_front(axis));
  SmallVector<Element> result;
  result.reserve(product(dims));
  SmallVector<SmallVector<Element>> inputs;
  for (Value v : op.getInputs())
    inputs.push_back(trace(v, stop, depth + 1));
  for (int64_t o = 0; o < outer; ++o)
    for (SmallVector<Element> &input : inputs) {
      int64_t chunk = input.size() / outer;
      result.append(input.begin() + o * chunk, input.begin() + (o + 1) * chunk);
    }
  return static_cast<int64_t>(result.size()) == product(dims) ? result : SmallVector<Element>();
}

/// Elements of one result of a Split.
SmallVector<Element> Tracer::traceSplit(onnx::SplitOp op, Value part, Value stop,
                                        unsigned depth) const {
  SmallVector<Element> whole = trace(op.getInput(), stop, depth + 1), result;
  if (whole.empty())
    return result;
  SmallVector<int64_t> dims = shapeOf(op.getInput());
  int64_t axis = normalAxis(op.getAxis(), dims.size());
  int64_t inner = product(ArrayRef<int64_t>(dims).drop_front(axis + 1)), start = 0;
  for (Value other : op.getOutputs()) {
    if (other == part)
      break;
    start += shapeOf(other)[axis];
  }
  int64_t extent = shapeOf(part)[axis];
  for (int64_t o = 0; o < product(ArrayRef<int64_t>(dims).take_front(axis)); ++o) {
    auto *from = whole.begin() + (o * dims[axis] + start) * inner;
    result.append(from, from + extent * inner);
  }
  return result;
}

SmallVector<Element> Tracer::trace(Value v, Value stop, unsigned depth) const {
  SmallVector<Element> result;
  int64_t count = product(shapeOf(v));
  if (count > kMaxElements)
    return result;
  Operation *op = v.getDefiningOp();
  if (v != stop && op && op->getNumOperands() > 0 && depth < kMaxDepth) {
    if (auto concat = dyn_cast<onnx::ConcatOp>(op)) {
      result = traceConcat(concat, stop, depth);
    } else if (auto split = dyn_cast<onnx::SplitOp>(op)) {
      result = traceSplit(split, v, stop, depth);
    } else if (auto neg = dyn_cast<onnx::NegOp>(op)) {
      result = trace(neg.getX(), stop, depth + 1);
      for (Element &e : result)
        e.sign = -e.sign;
    } else if (SmallVector<int64_t> sources = sourceIndices(op, *this, values, past);
               !sources.empty()) {
      SmallVector<Element> data = trace(op->getOperand(0), stop, depth + 1);
      if (!data.empty())
        for (int64_t i : sources)
          result.push_back(data[i]);
    }
    if (!result.empty())
      return result;
  }
  for (int64_t i = 0; i < count; ++i)
    result.push_back({v, i, 1});
  return result;
}

Value Tracer::strip(Value v) const {
  while (Operation *op = v.getDefiningOp()) {
    if (!isa<onnx::ReshapeOp, onnx::UnsqueezeOp, onnx::SqueezeOp, onnx::FlattenOp, onnx::IdentityOp,
             onnx::TransposeOp>(op))
      return v;
    if (auto transpose = dyn_cast<onnx::TransposeOp>(op)) {
      // Only where dimensions larger than 1 keep their order.
      SmallVector<int64_t> dims = shapeOf(transpose.getData());
      int64_t last = -1;
      for (size_t k = 0; k < dims.size(); ++k) {
        int64_t p = transpose.getPerm() ? (*transpose.getPerm())[k] : dims.size() - 1 - k;
        if (dims[p] == 1)
          continue;
        if (p < last)
          return v;
        last = p;
      }
    }
    v = op->getOperand(0);
  }
  return v;
}
