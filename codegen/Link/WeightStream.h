//===- WeightStream.h - Streams a weight from its source in stored order -===//
// Transposition, row ranges, conversion and bundles happen here, in bounded memory.

#ifndef PI_CODEGEN_LINK_WEIGHTSTREAM_H
#define PI_CODEGEN_LINK_WEIGHTSTREAM_H

#include "absl/status/status.h"
#include "codegen/Link/WeightSpec.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace pi {

/// Largest number of bytes in one buffer; a stream has at most three.
inline constexpr uint64_t kBlockBytes = 2u << 20;

/// Receives the next bytes of the weight.
using WeightSink = llvm::function_ref<absl::Status(llvm::ArrayRef<uint8_t>)>;

/// Hands all bytes of `weight` (`getStoredBytes()` of them, little-endian, row-major)
/// to `sink`, in order. A source to be transposed is mapped while it is read.
/// `spoolFolder` takes an unnamed file of a tensor's size where typed data must be decoded
/// before its rows can be found, and another where a transposed source is read in an order
/// of its own; of a bundle these are there for all parts at once.
///
/// Errors: kInvalidArgument, naming source file and weight, where the source is
/// missing, too short or holds something else; else the sink's own.
absl::Status streamWeight(const WeightSpec &weight, const std::string &spoolFolder,
                          WeightSink sink);

} // namespace pi

#endif // PI_CODEGEN_LINK_WEIGHTSTREAM_H
