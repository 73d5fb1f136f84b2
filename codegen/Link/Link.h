//===- Link.h - The link phase: object + module -> one executable -===//
// Joins the linker (Linker.h), the facts of the model (Info.h) and the packager
// (Packager.h).

#ifndef PI_CODEGEN_LINK_LINK_H
#define PI_CODEGEN_LINK_LINK_H

#include "absl/status/status.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <functional>
#include <string>

namespace pi {

struct LinkOptions {
  std::string output;         // the executable (-o)
  std::string runtimeArchive; // libpi_runtime.a
  std::string sysroot;        // folder made by the build target pi_sysroot
  std::string compilerVersion;
  bool verbose = false; // prints the linker's command line to stderr
  std::string cpu = "x86-64-v3";
  /// Called now and then with the bytes of weights written so far and their total.
  std::function<void(uint64_t, uint64_t)> progress = nullptr;
};

/// Links `object` (an ELF object that defines `pi_program_v1`) with the runtime and
/// appends the module's weights, facts and tokenizer. Writes to a temporary name and
/// renames it: on failure an older output is as it was and nothing else is left.
///
/// The message names the file and, for the output, the flag. Codes:
///  - kInvalidArgument: a model file is missing, short or unfit (exit code 1);
///  - kPermissionDenied, kResourceExhausted: the output cannot be written (1);
///  - kNotFound: runtime archive or sysroot is missing (4);
///  - kUnavailable: the linker failed (4);
///  - kInternal: a bug of ours, e.g. a module without `#pi.model` (70).
absl::Status linkAndPackage(mlir::ModuleOp module, llvm::ArrayRef<char> object,
                            const LinkOptions &options);

} // namespace pi

#endif // PI_CODEGEN_LINK_LINK_H
