//===- Manifest.h - Bytes of the manifest and the footer -===//

#ifndef PI_CODEGEN_LINK_MANIFEST_H
#define PI_CODEGEN_LINK_MANIFEST_H

#include "codegen/Link/WeightSpec.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace pi {

/// Where the packager put a weight.
struct PlacedWeight {
  uint64_t offset = 0; // bytes from the start of the payload
  uint64_t checksum = 0;
};

/// The manifest: header, entries, names, info and tokenizer.
/// `placed[i]` belongs to `weights[i]`.
std::string buildManifest(llvm::ArrayRef<WeightSpec> weights, llvm::ArrayRef<PlacedWeight> placed,
                          llvm::StringRef info, llvm::StringRef tokenizer);

/// The footer of a file whose manifest follows the payload at `manifestOffset`.
std::string buildFooter(uint64_t payloadOffset, uint64_t payloadBytes, uint64_t manifestOffset,
                        llvm::StringRef manifest);

} // namespace pi

#endif // PI_CODEGEN_LINK_MANIFEST_H
