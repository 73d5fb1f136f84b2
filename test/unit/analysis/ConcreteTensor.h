//===- ConcreteTensor.h - Plain integer tensors that ONNX operators act on -===//
// The reference of SoundnessTest: each operator in its plainest form, independent of the
// analysis. Operators return nothing where ONNX defines no result.

#ifndef PI_TEST_UNIT_ANALYSIS_CONCRETETENSOR_H
#define PI_TEST_UNIT_ANALYSIS_CONCRETETENSOR_H

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace pi::test {

using Dims = std::vector<int64_t>;

struct Tensor {
  Dims dims;
  std::vector<int64_t> data; // row-major

  bool operator==(const Tensor &other) const = default;
};
using MaybeTensor = std::optional<Tensor>;

/// Number of elements of `dims`.
int64_t countOf(const Dims &dims);
/// `dims`, filled with what `at` gives for each index.
Tensor make(const Dims &dims, const std::function<int64_t(const Dims &)> &at);
/// The element at `index`, of which dimensions of size 1 are broadcast (right-aligned).
int64_t elementAt(const Tensor &t, const Dims &index);

std::optional<Dims> broadcast(const Dims &a, const Dims &b);
MaybeTensor binary(const Tensor &a, const Tensor &b,
                   const std::function<std::optional<int64_t>(int64_t, int64_t)> &f);
MaybeTensor where(const Tensor &condition, const Tensor &a, const Tensor &b);
MaybeTensor reshape(const Tensor &t, Dims wanted);
MaybeTensor transpose(const Tensor &t, const Dims &perm);
MaybeTensor expand(const Tensor &t, const Dims &wanted);
MaybeTensor concat(const Tensor &a, const Tensor &b, int64_t axis);
MaybeTensor slice(const Tensor &t, int64_t start, int64_t end, int64_t axis, int64_t step);
MaybeTensor gather(const Tensor &t, const Tensor &indices, int64_t axis);
MaybeTensor range(int64_t start, int64_t limit, int64_t delta);
MaybeTensor cumSum(const Tensor &t, int64_t axis, bool exclusive, bool reverse);
MaybeTensor trilu(const Tensor &t, int64_t k, bool upper);

} // namespace pi::test

#endif // PI_TEST_UNIT_ANALYSIS_CONCRETETENSOR_H
