//===- WeightNorms.h - Norms of a weight's rows -===//

#ifndef PI_CODEGEN_LINK_WEIGHTNORMS_H
#define PI_CODEGEN_LINK_WEIGHTNORMS_H

#include "absl/status/statusor.h"
#include "dialects/Pi/IR/Pi.h"

#include <vector>

namespace pi {

/// The L2 norm of each row of the matrix `op` as it would be stored, [rows]; sums in f64.
/// Reads all of it, in bounded memory. Errors: those of streamWeight.
absl::StatusOr<std::vector<float>> computeRowNorms(WeightOp op);

} // namespace pi

#endif // PI_CODEGEN_LINK_WEIGHTNORMS_H
