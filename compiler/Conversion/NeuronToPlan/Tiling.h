//===- Tiling.h - How much of a kernel's work is one tile -===//
// Pure functions of shapes: the number of threads never enters, so no result
// depends on it.

#ifndef PI_COMPILER_CONVERSION_NEURONTOPLAN_TILING_H
#define PI_COMPILER_CONVERSION_NEURONTOPLAN_TILING_H

#include <cstdint>

namespace pi {

/// Columns of a row that one tile of a map or reduce covers: four cache lines of f32.
inline constexpr int64_t kColumnsPerTile = 64;

/// Rows per tile of matrix-vector products that share a dispatch and have `rows` rows
/// together: about 128 tiles, at least 4 rows each, a multiple of 4 (kernels take four
/// rows at a time). `rows` >= 1.
int64_t matvecRowsPerTile(int64_t rows);

/// Neurons that one tile of plan.select tests, of a group of `neurons` >= 1: a multiple
/// of 4, for at most 64 tiles and about 16 at least.
int64_t neuronsPerTile(int64_t neurons);

/// Tiles among which plan.apply shares the active ones of `neurons` >= 1 out, 1 to 32:
/// each costs a partial row that the reduction reads again.
int64_t applyTiles(int64_t neurons);

} // namespace pi

#endif // PI_COMPILER_CONVERSION_NEURONTOPLAN_TILING_H
