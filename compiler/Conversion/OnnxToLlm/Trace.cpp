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

/// Flat source indices of the result of a movement with one data operand; empty where
/// `op` is no such movement.
static SmallVector<int64_t> sourceIndices(Operation *op, const Tracer &tracer,
                                          const ShapeValues &values, int64_t past) {
  Value data = op->getOperand(0);
  SmallVector<int64_t> from = tracer.shapeOf(data), to = tracer.shapeOf(op->getResult(0));
  SmallVector<int64_t> strides = stridesOf(from), result;
  auto collect = [&](llvm::function_ref<int64_t(ArrayRef<int64_t>)> source) {
    result.reserve(product(to));
    forEachIndex(to, [&](ArrayRef<int64_t> index) { result.push_back(source(index)); });
  };
  auto ints = [&](Value v) {
    SmallVector<int64_t> list;
    if (std::optional<SmallVector<Affine>> elements = values.lookup(v)->getElements())
      for (Affine e : *elements)
        list.push_back(e.base + e.slope * past);
    return list;
  };
  int64_t rank = from.size();
  llvm::TypeSwitch<Operation *>(op)
      .Case<onnx::ReshapeOp, onnx::UnsqueezeOp, onnx::SqueezeOp, onnx::FlattenOp, onnx::IdentityOp>(
          [&](Operation *) { result = llvm::to_vector(llvm::seq<int64_t>(0, product(to))); })
      .Case([&](onnx::TransposeOp t) {
        SmallVector<int64_t> perm;
        for (int64_t k = 0; k < rank; ++k)
          perm.push_back(t.getPerm() ? (*t.getPerm())[k] : rank - 1 - k);
        collect([&](ArrayRef<int64_t> index) {
          int64_t flat = 0;
          for (int64_t k = 0; k < rank; ++k)
            flat += index[k] * strides[perm[k]];
          return flat;
        });
      })
      .Case([&](onnx::SliceOp s) {
        // Other steps than 1 do not get here, the analysis refuses them.
        SmallVector<int64_t> starts = ints(s.getStarts()), offsets(rank, 0);
        SmallVector<int64_t> axes =
            s.getAxes() ? ints(s.getAxes()) : llvm::to_vector(llvm::seq<int64_t>(0, starts.size()));
        for (auto [axis, start] : llvm::zip(axes, starts)) {
          int64_t k = axis < 0 ? axis + rank : axis;
          offsets[k] = std::clamp<int64_t>(start < 0 ? start + from[k] : start, 0, from[k]);
        }
        collect([&](ArrayRef<int64_t> index) {
          int64_t flat = 0;
          for (int64_t k = 0; k < rank; ++k)
            flat += (index[k] + offsets[k]) * strides[k];
          return flat;
        });
      })
      .Case([&](onnx::ExpandOp) {
        collect([&](ArrayRef<int64_t> index) {
          int64_t flat = 0, lead = index.size() - rank;
          for (int64_t k = 0; k < rank; ++k)
            flat += from[k] == 1 ? 0 : index[lead + k] * strides[k];
          return flat;
        });
      })
      .Case([&](onnx::GatherOp g) {
        std::optional<SmallVector<int64_t>> chosen = values.lookup(g.getIndices())->getConstants();
        if (!chosen)
          return;
        int64_t axis = normalAxis(g.getAxis(), rank);
        int64_t inner = strides[axis], indexRank = to.size() - rank + 1;
        SmallVector<int64_t> indexStrides = stridesOf(ArrayRef<int64_t>(to).slice(axis, indexRank));
        collect([&](ArrayRef<int64_t> index) {
          int64_t flat = 0, which = 0;
          for (int64_t k = 0; k < axis; ++k)
            flat += index[k] * strides[k];
          for (int64_t k = 0; k < indexRank; ++k)
            which += index[axis + k] * indexStrides[k];
          int64_t row = (*chosen)[which];
          flat += (row < 0 ? row + from[axis] : row) * inner;
          for (int64_t k = axis + 1; k < rank; ++k)
            flat += index[k + indexRank - 1] * strides[k];
          return flat;
        });
      });
  return result;
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
      for (int64_t i : data.empty() ? SmallVector<int64_t>() : sources)
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
