//===- ShapeMovement.cpp - Reshape, slice, gather and friends on known values -===//

#include "compiler/Analysis/ShapeValues.h"

using namespace mlir;
using namespace pi;

/// Row-major strides of a static shape.
static SmallVector<int64_t> stridesOf(const AffineShape &shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t k = static_cast<int64_t>(shape.size()) - 2; k >= 0; --k)
    strides[k] = strides[k + 1] * shape[k + 1].base;
  return strides;
}

/// The content of `result` whose element i is element source(i) of `data`.
static Content pick(const ValueFacts &data, const ValueFacts &result,
                    llvm::function_ref<int64_t(ArrayRef<int64_t>)> source) {
  if (!data.isStatic() || !result.isStatic() || result.numElements() > kMaxElements)
    return {};
  std::optional<SmallVector<Affine>> ints = data.getElements();
  const auto *floats = data.get<FloatElements>();
  if (!ints && !floats)
    return {};
  ElementsContent elements;
  FloatElements floatElements;
  SmallVector<int64_t> index(result.shape.size(), 0);
  for (int64_t i = 0; i < result.numElements(); ++i) {
    int64_t rest = i;
    for (int64_t k = static_cast<int64_t>(index.size()) - 1; k >= 0; --k) {
      index[k] = rest % result.shape[k].base;
      rest /= result.shape[k].base;
    }
    int64_t from = source(index);
    if (ints)
      elements.values.push_back((*ints)[from]);
    else
      floatElements.values.push_back(floats->values[from]);
  }
  return ints ? Content(elements) : Content(floatElements);
}

/// A splat keeps its value under any movement.
static Content splatContent(const ValueFacts &data, size_t rank) {
  if (const auto *splat = data.get<FloatSplat>())
    return *splat;
  if (std::optional<Affine> value = data.getSplat())
    return LinearContent{*value, SmallVector<int64_t, 4>(rank, 0)};
  return {};
}

//===----------------------------------------------------------------------===//
// Reshape
//===----------------------------------------------------------------------===//

ValueFacts pi::withShape(const ValueFacts &data, AffineShape shape) {
  ValueFacts result{std::move(shape), splatContent(data, shape.size())};
  result.content = splatContent(data, result.shape.size());
  if (result.hasContent())
    return result;
  // Dimensions other than 1 unchanged: coefficients move along.
  if (const auto *linear = data.get<LinearContent>()) {
    SmallVector<std::pair<Affine, int64_t>> kept;
    for (auto [d, c] : llvm::zip(data.shape, linear->coefs))
      if (d != Affine{1, 0})
        kept.push_back({d, c});
    LinearContent moved{linear->value, SmallVector<int64_t, 4>(result.shape.size(), 0)};
    size_t next = 0;
    bool same = true;
    for (size_t k = 0; k < result.shape.size() && same; ++k) {
      if (result.shape[k] == Affine{1, 0})
        continue;
      same = next < kept.size() && kept[next].first == result.shape[k];
      if (same)
        moved.coefs[k] = kept[next++].second;
    }
    if (same && next == kept.size()) {
      result.content = moved;
      return result;
    }
  }
  SmallVector<int64_t> strides =
      result.isStatic() ? stridesOf(result.shape) : SmallVector<int64_t>();
  result.content = pick(data, result, [&](ArrayRef<int64_t> index) {
    int64_t flat = 0;
    for (auto [i, s] : llvm::zip(index, strides))
      flat += i * s;
    return flat;
  });
  return result;
}

std::optional<Affine> pi::productOf(ArrayRef<Affine> dims) {
  Affine result{1, 0};
  for (Affine d : dims) {
    std::optional<Affine> next = multiply(result, d);
    if (!next)
      return std::nullopt;
    result = *next;
  }
  return result;
}

MaybeFacts pi::evaluateReshape(const ValueFacts &data, const ValueFacts &shape, bool allowZero,
                               std::string &why) {
  std::optional<SmallVector<Affine>> wanted = shape.getElements();
  if (!wanted) {
    why = "the target shape is not known";
    return std::nullopt;
  }
  AffineShape result(wanted->begin(), wanted->end());
  int64_t inferred = -1;
  for (size_t k = 0; k < result.size(); ++k) {
    if (result[k] == Affine{0, 0} && !allowZero) {
      if (k >= data.shape.size()) {
        why = "a 0 in the target shape copies no dimension";
        return std::nullopt;
      }
      result[k] = data.shape[k];
    } else if (result[k] == Affine{-1, 0}) {
      if (inferred >= 0) {
        why = "the target shape has two -1";
        return std::nullopt;
      }
      inferred = k;
      result[k] = {1, 0};
    } else if (!result[k].isNonNegative()) {
      why = "a dimension of the target shape may be negative";
      return std::nullopt;
    }
  }
  std::optional<Affine> total = productOf(data.shape), known = productOf(result);
  if (!total || !known) {
    why = "the number of elements is not affine in the past length";
    return std::nullopt;
  }
  if (inferred >= 0) {
    // total = known * inferred, as affine numbers.
    if (known->isConstant() && known->base != 0 && total->base % known->base == 0 &&
        total->slope % known->base == 0) {
      result[inferred] = {total->base / known->base, total->slope / known->base};
    } else if (known->slope != 0 && total->slope % known->slope == 0 &&
               *known * (total->slope / known->slope) == *total) {
      result[inferred] = {total->slope / known->slope, 0};
    } else {
      why = "the -1 in the target shape cannot be determined";
      return std::nullopt;
    }
  } else if (*total != *known) {
    why = "the target shape has another number of elements";
    return std::nullopt;
  }
  return withShape(data, result);
}

MaybeFacts pi::evaluateTranspose(const ValueFacts &data, ArrayRef<int64_t> perm, std::string &why) {
  SmallVector<bool> seen(data.shape.size(), false);
  for (int64_t p : perm)
    if (p < 0 || p >= static_cast<int64_t>(seen.size()) || std::exchange(seen[p], true)) {
      why = "perm is no permutation of the dimensions";
      return std::nullopt;
    }
  if (perm.size() != data.shape.size()) {
    why = "perm is no permutation of the dimensions";
    return std::nullopt;
  }
  ValueFacts result;
  for (int64_t p : perm)
    result.shape.push_back(data.shape[p]);
  if (const auto *linear = data.get<LinearContent>()) {
    LinearContent moved{linear->value, {}};
    for (int64_t p : perm)
      moved.coefs.push_back(linear->coefs[p]);
    result.content = moved;
    return result;
  }
  result.content = splatContent(data, perm.size());
  if (result.hasContent())
    return result;
  SmallVector<int64_t> strides = data.isStatic() ? stridesOf(data.shape) : SmallVector<int64_t>();
  result.content = pick(data, result, [&](ArrayRef<int64_t> index) {
    int64_t flat = 0;
    for (auto [i, p] : llvm::zip(index, perm))
      flat += i * strides[p];
    return flat;
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Concat
//===----------------------------------------------------------------------===//

MaybeFacts pi::evaluateConcat(ArrayRef<const ValueFacts *> inputs, int64_t axis, std::string &why) {
  if (inputs.empty()) {
    why = "there is nothing to join";
    return std::nullopt;
  }
  int64_t rank = inputs[0]->shape.size();
  axis = axis < 0 ? axis + rank : axis;
  if (axis < 0 || axis >= rank) {
    why = "axis is outside the rank";
    return std::nullopt;
  }
  if (inputs.size() == 1)
    return *inputs[0];
  ValueFacts result{inputs[0]->shape, {}};
  for (const ValueFacts *input : inputs.drop_front()) {
    for (int64_t k = 0; k < rank; ++k)
      if (static_cast<int64_t>(input->shape.size()) != rank ||
          (k != axis && input->shape[k] != result.shape[k])) {
        why = "inputs differ in a dimension other than the axis";
        return std::nullopt;
      }
    result.shape[axis] = result.shape[axis] + input->shape[axis];
  }
  // Equal splats stay one.
  bool sameSplat = true;
  for (const ValueFacts *input : inputs)
    sameSplat &= input->getSplat().has_value() && input->getSplat() == inputs[0]->getSplat();
  if (sameSplat) {
    result.content = LinearContent{*inputs[0]->getSplat(), SmallVector<int64_t, 4>(rank, 0)};
    return result;
  }
  const auto *first = inputs[0]->get<FloatSplat>();
  if (first && llvm::all_of(inputs, [&](const ValueFacts *input) {
        const auto *splat = input->get<FloatSplat>();
        return splat && splat->value == first->value;
      })) {
    result.content = *first;
    return result;
  }
  // Vectors, the case of shapes; others join only along the first dimension.
  for (int64_t k = 0; k < axis; ++k)
    if (result.shape[k] != Affine{1, 0})
      return result;
  ElementsContent elements;
  for (const ValueFacts *input : inputs) {
    std::optional<SmallVector<Affine>> values = input->getElements();
    if (!values)
      return result;
    elements.values.append(*values);
  }
  result.content = elements;
  return result;
}

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

/// `bound` clamped to [0, dim], negative values counted from the end.
static std::optional<Affine> clampBound(Affine bound, Affine dim) {
  constexpr int64_t kHuge = int64_t(1) << 31;
  if (bound.isConstant() && bound.base >= kHuge)
    return dim;
  if (bound.isConstant() && bound.base <= -kHuge)
    return Affine{0, 0};
  if ((bound * -1).isPositive())
    bound = bound + dim;
  if ((bound * -1).isPositive())
    return Affine{0, 0};
  if (!bound.isNonNegative())
    return std::nullopt;
  if ((bound - dim).isNonNegative())
    return dim;
  return (dim - bound).isNonNegative() ? std::optional(bound) : std::nullopt;
}

MaybeFacts pi::evaluateSlice(const ValueFacts &data, ArrayRef<Affine> starts, ArrayRef<Affine> ends,
                             ArrayRef<int64_t> axes, ArrayRef<int64_t> steps, std::string &why) {
  int64_t rank = data.shape.size();
  ValueFacts result{data.shape, {}};
  AffineShape offsets(rank, Affine{0, 0});
  for (size_t i = 0; i < axes.size(); ++i) {
    int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
    if (axis < 0 || axis >= rank || steps[i] != 1) {
      why = steps[i] != 1 ? "steps other than 1 are not supported" : "axis is outside the rank";
      return std::nullopt;
    }
    std::optional<Affine> start = clampBound(starts[i], data.shape[axis]);
    std::optional<Affine> end = clampBound(ends[i], data.shape[axis]);
    if (!start || !end) {
      why = "start or end cannot be compared with the dimension for every past length";
      return std::nullopt;
    }
    Affine extent = *end - *start;
    if ((extent * -1).isPositive())
      extent = {0, 0};
    else if (!extent.isNonNegative()) {
      why = "the length is not known for every past length";
      return std::nullopt;
    }
    offsets[axis] = *start;
    result.shape[axis] = extent;
  }
  if (const auto *linear = data.get<LinearContent>()) {
    LinearContent moved = *linear;
    for (int64_t k = 0; k < rank; ++k)
      moved.value = moved.value + offsets[k] * linear->coefs[k];
    for (int64_t k = 0; k < rank; ++k)
      if (result.shape[k] == Affine{1, 0})
        moved.coefs[k] = 0; // the only index is 0
    result.content = moved;
    return result;
  }
  result.content = splatContent(data, rank);
  if (result.hasContent() || !data.isStatic())
    return result;
  SmallVector<int64_t> strides = stridesOf(data.shape);
  result.content = pick(data, result, [&](ArrayRef<int64_t> index) {
    int64_t flat = 0;
    for (int64_t k = 0; k < rank; ++k)
      flat += (index[k] + offsets[k].base) * strides[k];
    return flat;
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

MaybeFacts pi::evaluateGather(const ValueFacts &data, const ValueFacts &indices, int64_t axis,
                              std::string &why) {
  int64_t rank = data.shape.size();
  axis = axis < 0 ? axis + rank : axis;
  if (axis < 0 || axis >= rank) {
    why = "axis is outside the rank";
    return std::nullopt;
  }
  ValueFacts result;
  result.shape.append(data.shape.begin(), data.shape.begin() + axis);
  result.shape.append(indices.shape);
  result.shape.append(data.shape.begin() + axis + 1, data.shape.end());
  result.content = splatContent(data, result.shape.size());
  if (result.hasContent() || rank != 1)
    return result;
  // A vector, the case of shapes and positions.
  std::optional<SmallVector<int64_t>> chosen = indices.getConstants();
  if (!data.isStatic())
    chosen.reset();
  for (int64_t k = 0; chosen && k < static_cast<int64_t>(chosen->size()); ++k) {
    int64_t &i = (*chosen)[k];
    i = i < 0 ? i + data.shape[0].base : i;
    if (i < 0 || i >= data.shape[0].base) {
      why = "an index is outside the dimension";
      return std::nullopt;
    }
  }
  const auto *linear = data.get<LinearContent>();
  if (const auto *where = indices.get<LinearContent>(); linear && where) {
    auto [least, largest] = boundsOf(*where, indices.shape);
    bool fromStart = least.isNonNegative(), fromEnd = (largest * -1).isPositive();
    if (fromStart || fromEnd) {
      LinearContent moved{linear->value + where->value * linear->coefs[0], where->coefs};
      for (int64_t &c : moved.coefs)
        c *= linear->coefs[0];
      if (fromEnd)
        moved.value = moved.value + data.shape[0] * linear->coefs[0];
      result.content = moved;
      return result;
    }
  }
  if (!chosen)
    return result;
  SmallVector<int64_t> strides =
      indices.isStatic() ? stridesOf(indices.shape) : SmallVector<int64_t>();
  result.content = pick(data, result, [&](ArrayRef<int64_t> index) {
    int64_t flat = 0;
    for (auto [i, s] : llvm::zip(index, strides))
      flat += i * s;
    return (*chosen)[flat];
  });
  return result;
}

MaybeFacts pi::evaluateGatherNd(const ValueFacts &data, const ValueFacts &indices,
                                int64_t batchDims, std::string &why) {
  int64_t rank = data.shape.size();
  if (indices.shape.empty() || !indices.shape.back().isConstant() || batchDims < 0 ||
      batchDims + indices.shape.back().base > rank) {
    why = "indices do not fit the data's rank";
    return std::nullopt;
  }
  ValueFacts result;
  result.shape.append(indices.shape.begin(), indices.shape.end() - 1);
  result.shape.append(data.shape.begin() + batchDims + indices.shape.back().base, data.shape.end());
  result.content = splatContent(data, result.shape.size());
  return result;
}
