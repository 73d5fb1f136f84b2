//===- Format.h - Reads what is appended to an executable -----------------===//
// Checks footer, manifest and weight table of runtime/abi/pi_format.h in a mapped
// file. Any bytes are safe. Weights are not read except by verifyWeight.

#ifndef PI_RUNTIME_CORE_FORMAT_H
#define PI_RUNTIME_CORE_FORMAT_H

#include "runtime/abi/pi_format.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace pi {

/// One weight of the table. Views point into the mapped file.
struct WeightView {
  std::string_view name;
  const uint8_t *data; ///< [rows, cols] of `dtype`, row-major, 256-byte aligned in the file
  uint64_t bytes;
  uint64_t rows; ///< 1 for vectors
  uint64_t cols;
  uint64_t checksum;
  uint32_t dtype; ///< enum pi_dtype
  uint32_t layer; ///< UINT32_MAX where it belongs to none
};

/// The checked payload of a file; refers to its bytes.
class Payload {
public:
  /// Reads the file mapped at `file` (8-byte aligned). Checks the footer, the length,
  /// the manifest's checksum and every range. O(manifest); touches no weight.
  /// Errors: PI_ERROR_NO_FOOTER, _BYTE_ORDER, _FOOTER, _VERSION, _LENGTH, _MANIFEST.
  static int32_t read(const uint8_t *file, uint64_t fileBytes, Payload &out, std::string &detail);

  uint32_t numWeights() const { return manifest.num_weights; }

  /// Weight `index` < numWeights().
  WeightView weight(uint32_t index) const;

  /// Bytes from the start of the file to weight `index`.
  uint64_t weightOffset(uint32_t index) const;

  /// All weights, one after the other, aligned to a page: in the file, or where they were
  /// copied to.
  const uint8_t *weightBase() const { return weights; }
  uint64_t weightBytes() const { return footer.payload_bytes; }
  /// From now on weight() refers to a copy of all weights at `base`.
  void setWeightBase(const uint8_t *base) { weights = base; }

  /// JSON object; see pi_format.h.
  std::string_view info() const;

  /// tokenizer.json; empty where the file has none.
  std::string_view tokenizer() const;

  uint64_t fileBytes() const { return footer.file_bytes; }

  /// The bytes before the payload: the program itself, and padding.
  std::string_view programBytes() const {
    return {reinterpret_cast<const char *>(file), size_t(footer.payload_offset)};
  }

private:
  int32_t readFooter(uint64_t fileBytes, std::string &detail);
  int32_t readManifest(std::string &detail);
  int32_t checkSections(std::string &detail) const;
  int32_t checkEntries(std::string &detail) const;
  pi_weight_entry entry(uint32_t index) const;

  const uint8_t *file = nullptr;
  const uint8_t *weights = nullptr;
  pi_footer footer = {};
  pi_manifest manifest = {};
};

/// True if the bytes of `weight` have its checksum. O(bytes).
bool verifyWeight(const WeightView &weight);

/// `f32`, `f16`, `bf16`, or `?`.
const char *dtypeName(uint32_t dtype);

} // namespace pi

#endif // PI_RUNTIME_CORE_FORMAT_H
