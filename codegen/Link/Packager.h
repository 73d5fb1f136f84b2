//===- Packager.h - Appends weights, facts and tokenizer to a linked ELF -===//
// The layout of the file is runtime/abi/pi_format.h.

#ifndef PI_CODEGEN_LINK_PACKAGER_H
#define PI_CODEGEN_LINK_PACKAGER_H

#include "absl/status/status.h"
#include "codegen/Link/WeightSpec.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pi {

struct Package {
  std::string elfPath;             // linked executable, already stripped
  std::vector<WeightSpec> weights; // in the order of indices
  std::string info;                // JSON object; code_bytes and code_checksum are added
  std::string tokenizerPath;       // tokenizer.json
  std::string outputPath;          // (-o)
  /// Bytes of weights written so far, and their total; may be null.
  std::function<void(uint64_t, uint64_t)> progress;
};

/// Writes the executable in one sequential pass with a few MiB of buffers, whatever
/// the model's size. Weights whose stored bytes are equal share one offset. The same
/// inputs give the same bytes. Errors as in Link.h.
absl::Status writePackage(const Package &package);

} // namespace pi

#endif // PI_CODEGEN_LINK_PACKAGER_H
