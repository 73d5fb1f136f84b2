//===- ConcreteTensor.cpp - Plain integer tensors that ONNX operators act on -===//

#include "ConcreteTensor.h"

#include <algorithm>
#include <cstdlib>

using namespace pi::test;

// Larger results are given up.
static constexpr int64_t kMaxCount = 4096;

int64_t pi::test::countOf(const Dims &dims) {
  int64_t count = 1;
  for (int64_t d : dims)
    count *= d;
  return count;
}

Tensor pi::test::make(const Dims &dims, const std::function<int64_t(const Dims &)> &at) {
  Tensor result{dims, {}};
  Dims index(dims.size(), 0);
  for (int64_t i = 0, n = countOf(dims); i < n; ++i) {
    result.data.push_back(at(index));
    for (size_t k = dims.size(); k-- > 0;) {
      if (++index[k] < dims[k])
        break;
      index[k] = 0;
    }
  }
  return result;
}

int64_t pi::test::elementAt(const Tensor &t, const Dims &index) {
  int64_t flat = 0;
  for (size_t k = 0; k < t.dims.size(); ++k) {
    int64_t i = index[index.size() - t.dims.size() + k];
    flat = flat * t.dims[k] + (t.dims[k] == 1 ? 0 : i);
  }
  return t.data[flat];
}

std::optional<Dims> pi::test::broadcast(const Dims &a, const Dims &b) {
  Dims result(std::max(a.size(), b.size()));
  for (size_t k = 0; k < result.size(); ++k) {
    int64_t x = k < a.size() ? a[a.size() - 1 - k] : 1, y = k < b.size() ? b[b.size() - 1 - k] : 1;
    if (x != y && x != 1 && y != 1)
      return std::nullopt;
    result[result.size() - 1 - k] = x == 1 ? y : x;
  }
  return result;
}

MaybeTensor pi::test::binary(const Tensor &a, const Tensor &b,
                             const std::function<std::optional<int64_t>(int64_t, int64_t)> &f) {
  std::optional<Dims> dims = broadcast(a.dims, b.dims);
  if (!dims)
    return std::nullopt;
  bool valid = true;
  Tensor result = make(*dims, [&](const Dims &index) {
    std::optional<int64_t> value = f(elementAt(a, index), elementAt(b, index));
    valid &= value.has_value();
    return value.value_or(0);
  });
  return valid ? MaybeTensor(result) : std::nullopt;
}

MaybeTensor pi::test::where(const Tensor &condition, const Tensor &a, const Tensor &b) {
  std::optional<Dims> dims = broadcast(a.dims, b.dims);
  if (dims)
    dims = broadcast(*dims, condition.dims);
  if (!dims)
    return std::nullopt;
  return make(*dims, [&](const Dims &index) {
    return elementAt(condition, index) ? elementAt(a, index) : elementAt(b, index);
  });
}

MaybeTensor pi::test::reshape(const Tensor &t, Dims wanted) {
  int64_t known = 1, inferred = -1;
  for (size_t k = 0; k < wanted.size(); ++k) {
    if (wanted[k] == 0 && k >= t.dims.size())
      return std::nullopt;
    if (wanted[k] == 0)
      wanted[k] = t.dims[k];
    if (wanted[k] < -1 || (wanted[k] == -1 && inferred >= 0))
      return std::nullopt;
    if (wanted[k] == -1)
      inferred = k;
    else
      known *= wanted[k];
  }
  int64_t count = countOf(t.dims);
  if (inferred >= 0) {
    if (known == 0 || count % known != 0)
      return std::nullopt;
    wanted[inferred] = count / known;
  }
  return countOf(wanted) == count ? MaybeTensor(Tensor{wanted, t.data}) : std::nullopt;
}

MaybeTensor pi::test::transpose(const Tensor &t, const Dims &perm) {
  Dims dims;
  for (int64_t p : perm)
    dims.push_back(t.dims[p]);
  return make(dims, [&](const Dims &index) {
    Dims source(index.size());
    for (size_t k = 0; k < perm.size(); ++k)
      source[perm[k]] = index[k];
    return elementAt(t, source);
  });
}

MaybeTensor pi::test::expand(const Tensor &t, const Dims &wanted) {
  int64_t count = countOf(t.dims);
  for (int64_t d : wanted)
    if (d < 0 || (count *= std::max<int64_t>(d, 1)) > kMaxCount)
      return std::nullopt;
  std::optional<Dims> dims = broadcast(t.dims, wanted);
  if (!dims)
    return std::nullopt;
  return make(*dims, [&](const Dims &index) { return elementAt(t, index); });
}

MaybeTensor pi::test::concat(const Tensor &a, const Tensor &b, int64_t axis) {
  for (size_t k = 0; k < a.dims.size(); ++k)
    if (a.dims.size() != b.dims.size() ||
        (static_cast<int64_t>(k) != axis && a.dims[k] != b.dims[k]))
      return std::nullopt;
  Dims dims = a.dims;
  dims[axis] += b.dims[axis];
  return make(dims, [&](Dims index) {
    if (index[axis] < a.dims[axis])
      return elementAt(a, index);
    index[axis] -= a.dims[axis];
    return elementAt(b, index);
  });
}

MaybeTensor pi::test::slice(const Tensor &t, int64_t start, int64_t end, int64_t axis,
                            int64_t step) {
  int64_t dim = t.dims[axis];
  auto clamp = [&](int64_t i) { return std::clamp<int64_t>(i < 0 ? i + dim : i, 0, dim); };
  start = clamp(start);
  end = clamp(end);
  Dims dims = t.dims;
  dims[axis] = std::max<int64_t>(0, (end - start + step - 1) / step);
  return make(dims, [&](Dims index) {
    index[axis] = start + index[axis] * step;
    return elementAt(t, index);
  });
}

MaybeTensor pi::test::gather(const Tensor &t, const Tensor &indices, int64_t axis) {
  for (int64_t i : indices.data)
    if (i < -t.dims[axis] || i >= t.dims[axis])
      return std::nullopt;
  Dims dims(t.dims.begin(), t.dims.begin() + axis);
  dims.insert(dims.end(), indices.dims.begin(), indices.dims.end());
  dims.insert(dims.end(), t.dims.begin() + axis + 1, t.dims.end());
  return make(dims, [&](const Dims &index) {
    Dims which(index.begin() + axis, index.begin() + axis + indices.dims.size());
    int64_t i = elementAt(indices, which);
    Dims source(index.begin(), index.begin() + axis);
    source.push_back(i < 0 ? i + t.dims[axis] : i);
    source.insert(source.end(), index.begin() + axis + indices.dims.size(), index.end());
    return elementAt(t, source);
  });
}

MaybeTensor pi::test::range(int64_t start, int64_t limit, int64_t delta) {
  if (delta == 0 || std::abs(limit - start) / std::abs(delta) > kMaxCount)
    return std::nullopt;
  Tensor result{{0}, {}};
  for (int64_t v = start; delta > 0 ? v < limit : v > limit; v += delta)
    result.data.push_back(v);
  result.dims[0] = result.data.size();
  return result;
}

MaybeTensor pi::test::cumSum(const Tensor &t, int64_t axis, bool exclusive, bool reverse) {
  return make(t.dims, [&](const Dims &index) {
    int64_t sum = 0;
    for (int64_t i = 0; i < t.dims[axis]; ++i) {
      bool before = reverse ? i > index[axis] : i < index[axis];
      if (!before && (exclusive || i != index[axis]))
        continue;
      Dims source = index;
      source[axis] = i;
      sum += elementAt(t, source);
    }
    return sum;
  });
}

MaybeTensor pi::test::trilu(const Tensor &t, int64_t k, bool upper) {
  if (t.dims.size() < 2)
    return std::nullopt;
  return make(t.dims, [&](const Dims &index) {
    int64_t row = index[index.size() - 2], column = index.back();
    bool kept = upper ? column - row >= k : column - row <= k;
    return kept ? elementAt(t, index) : 0;
  });
}
