//===- WeightSpec.h - Where a weight comes from and how it is stored -===//
// Plain data without MLIR, so that the packager and its tests need none.

#ifndef PI_CODEGEN_LINK_WEIGHTSPEC_H
#define PI_CODEGEN_LINK_WEIGHTSPEC_H

#include "runtime/abi/pi_format.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pi {

/// How the source holds the numbers: see `#pi.source`.
enum class SourceEncoding { Raw, FloatData, Int32Data };

/// One `pi.weight`, or a `pi.bundle` of them. Vectors have `cols` = 1 here: a row range takes
/// their elements.
struct WeightSpec {
  std::string name;
  pi_dtype dtype = PI_F32; // as stored in the executable
  bool isVector = false;
  int64_t rows = 0; // as stored
  int64_t cols = 0;
  uint32_t layer = UINT32_MAX; // UINT32_MAX where it belongs to none

  std::string file;
  uint64_t sourceOffset = 0; // bytes
  uint64_t sourceBytes = 0;
  pi_dtype sourceType = PI_F32;
  SourceEncoding encoding = SourceEncoding::Raw;
  int64_t sourceRows = 0; // as in the file, before the transposition
  int64_t sourceCols = 0;
  bool transpose = false;
  std::vector<std::pair<int64_t, int64_t>> ranges; // (first, count) of rows; empty: all

  /// Of a bundle, which has no source of its own: row r is row r of each part, in order. The
  /// parts are matrices of as many rows and of the same type.
  std::vector<WeightSpec> parts;

  uint64_t getStoredBytes() const { return uint64_t(rows) * cols * (dtype == PI_F32 ? 4 : 2); }
};

} // namespace pi

#endif // PI_CODEGEN_LINK_WEIGHTSPEC_H
