//===- ReadCounts.h - What an instrumented executable counted -===//

#ifndef PI_TOOLS_PI_COMPILE_READCOUNTS_H
#define PI_TOOLS_PI_COMPILE_READCOUNTS_H

#include "compiler/Profile/Profile.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pi {

/// Fills in all of `profile` that the file of runtime/abi/pi_counts.h at `path` knows: not
/// the fingerprint, the source and the norms.
llvm::Error readCounts(const std::string &path, Profile &profile);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_READCOUNTS_H
