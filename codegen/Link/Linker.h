//===- Linker.h - Links the generated object with the runtime -===//
// lld as a library; crt objects, libgcc, libstdc++ and link stubs come from the mini
// sysroot, so no compiler is needed where pi-compile runs.

#ifndef PI_CODEGEN_LINK_LINKER_H
#define PI_CODEGEN_LINK_LINKER_H

#include "absl/status/status.h"

#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace pi {

/// Links the object file at `objectPath` and `runtimeArchive` (which holds `main`)
/// into a stripped PIE at `outputPath` that needs libraries of glibc only (libc, libm and
/// the loader, which libgcc's unwinder asks for `_dl_find_object`).
/// Prints the command to `verboseStream` if it is not null. Same inputs, same bytes.
/// Errors: kNotFound names a missing file of the sysroot or the archive; kUnavailable
/// carries the linker's messages; kResourceExhausted says why there is no room for the
/// output, without its name; kInternal that the linker crashed. A crash is survived, as
/// crash recovery is enabled from here on (llvm::CrashRecoveryContext).
absl::Status linkExecutable(const std::string &objectPath, const std::string &runtimeArchive,
                            const std::string &sysroot, const std::string &outputPath,
                            llvm::raw_ostream *verboseStream);

} // namespace pi

#endif // PI_CODEGEN_LINK_LINKER_H
