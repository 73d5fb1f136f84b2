//===- WeightSource.h - The numbers of a weight, in a file -===//
// What the file is checked for, and how packed numbers are decoded, is here.

#ifndef PI_CODEGEN_LINK_WEIGHTSOURCE_H
#define PI_CODEGEN_LINK_WEIGHTSOURCE_H

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "codegen/Link/SourceFile.h"
#include "codegen/Link/WeightSpec.h"

#include <cstdint>
#include <string>

namespace pi {

/// A file that holds a weight's numbers from byte `offset` on: [sourceRows, sourceCols] of
/// `sourceType`, little-endian, row-major.
struct WeightSource {
  SourceFile file;
  uint64_t offset = 0; // bytes
};

/// Opens the source of `weight`, which has no parts, and checks that it is whole. Packed
/// numbers are decoded into an unnamed file in `spoolFolder`.
///
/// Errors: kInvalidArgument, naming source file and weight, where the source is missing,
/// too short or holds something else; those of the spool file.
absl::StatusOr<WeightSource> openSource(const WeightSpec &weight, const std::string &spoolFolder);

/// Adds the weight's name to an error of its source file.
absl::Status nameWeight(const absl::Status &status, const WeightSpec &weight);

} // namespace pi

#endif // PI_CODEGEN_LINK_WEIGHTSOURCE_H
