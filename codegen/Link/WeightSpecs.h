//===- WeightSpecs.h - From pi.weight to what the packager takes -===//

#ifndef PI_CODEGEN_LINK_WEIGHTSPECS_H
#define PI_CODEGEN_LINK_WEIGHTSPECS_H

#include "absl/status/statusor.h"
#include "codegen/Link/WeightSpec.h"
#include "dialects/Pi/IR/Pi.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace pi {

/// The weight as the packager takes it, without a layer. kInvalidArgument where its source
/// is of a type that cannot be stored.
absl::StatusOr<WeightSpec> makeWeightSpec(WeightOp op);

/// All that is stored (StoredWeights), in the order of indices, with the layers of the groups
/// of neurons that name them. Errors as above.
absl::StatusOr<std::vector<WeightSpec>> makeWeightSpecs(mlir::ModuleOp module);

} // namespace pi

#endif // PI_CODEGEN_LINK_WEIGHTSPECS_H
