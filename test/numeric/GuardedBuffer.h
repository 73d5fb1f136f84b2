//===- GuardedBuffer.h - Memory whose end is watched -*- C++ -*-===//

#ifndef PI_TEST_NUMERIC_GUARDEDBUFFER_H
#define PI_TEST_NUMERIC_GUARDEDBUFFER_H

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace pi::test {

/// Element types of buffers.
enum class Dtype { F32, F16, BF16 };
/// f32, f16, bf16.
std::string nameOf(Dtype type);
/// `value` rounded to `type`, to nearest even.
float roundTo(Dtype type, float value);

/// A tensor that ends right before an inaccessible page: an access beyond it faults.
class GuardedBuffer {
public:
  /// Zeroed. `shape` as in the memref.
  GuardedBuffer(std::vector<int64_t> shape, Dtype type);
  GuardedBuffer(GuardedBuffer &&other) noexcept;
  GuardedBuffer(const GuardedBuffer &) = delete;
  ~GuardedBuffer();

  /// e.g. `memref<1x64xf32>`.
  std::string memrefType() const;
  size_t getNumElements() const;
  size_t getNumBytes() const;
  void *data() const { return start; }

  float get(size_t i) const;
  /// Stores `value` rounded to the element type.
  void set(size_t i, float value);
  /// Seeded normal numbers times `scale`, exact in the element type.
  void fillRandom(std::mt19937_64 &random, float scale = 1.0f);
  void fill(float value);
  std::vector<double> toDoubles() const;
  std::vector<uint8_t> toBytes() const;

private:
  std::vector<int64_t> shape;
  Dtype type;
  void *mapping = nullptr;
  size_t mappingBytes = 0;
  uint8_t *start = nullptr;
};

} // namespace pi::test

#endif // PI_TEST_NUMERIC_GUARDEDBUFFER_H
