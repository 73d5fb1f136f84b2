//===- Info.h - Facts of the model that travel in the executable -===//

#ifndef PI_CODEGEN_LINK_INFO_H
#define PI_CODEGEN_LINK_INFO_H

#include "absl/status/statusor.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace pi {

/// The JSON object that `info --json` prints (design section 6.1), with `bos` (null
/// where there is none) and `eos`. Reads the module's `pi.model`, `pi.shape`,
/// `neuron.group` and `pi.weight`. Error: kInternal where an attribute is missing.
absl::StatusOr<std::string> buildInfo(mlir::ModuleOp module, const std::string &compilerVersion,
                                      const std::string &cpu);

} // namespace pi

#endif // PI_CODEGEN_LINK_INFO_H
