//===- Affine.h - Integers affine in the past length -===//

#ifndef PI_COMPILER_ANALYSIS_AFFINE_H
#define PI_COMPILER_ANALYSIS_AFFINE_H

#include <cstdint>
#include <optional>

namespace pi {

/// base + slope * P, where P >= 0 is the number of tokens in the KV cache.
struct Affine {
  int64_t base = 0;
  int64_t slope = 0;

  bool isConstant() const { return slope == 0; }
  bool operator==(const Affine &o) const { return base == o.base && slope == o.slope; }
  bool operator!=(const Affine &o) const { return !(*this == o); }
  Affine operator+(const Affine &o) const {
    return {wrap(u(base) + u(o.base)), wrap(u(slope) + u(o.slope))};
  }
  Affine operator-(const Affine &o) const {
    return {wrap(u(base) - u(o.base)), wrap(u(slope) - u(o.slope))};
  }
  Affine operator*(int64_t k) const { return {wrap(u(base) * u(k)), wrap(u(slope) * u(k))}; }

  /// Whether it is >= 0 for every P >= 0.
  bool isNonNegative() const { return base >= 0 && slope >= 0; }
  /// Whether it is > 0 for every P >= 0.
  bool isPositive() const { return base > 0 && slope >= 0; }

private:
  // Numbers of a file may be anything: overflow wraps, as it does in ONNX.
  static uint64_t u(int64_t v) { return static_cast<uint64_t>(v); }
  static int64_t wrap(uint64_t v) { return static_cast<int64_t>(v); }
};

/// The product, where it is affine.
inline std::optional<Affine> multiply(Affine a, Affine b) {
  if (a.isConstant())
    return b * a.base;
  if (b.isConstant())
    return a * b.base;
  return std::nullopt;
}

} // namespace pi

#endif // PI_COMPILER_ANALYSIS_AFFINE_H
