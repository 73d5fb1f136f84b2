//===- Link.cpp - The link phase: object + module -> one executable -===//

#include "codegen/Link/Link.h"

#include "absl/strings/str_cat.h"
#include "codegen/Link/Info.h"
#include "codegen/Link/Linker.h"
#include "codegen/Link/Packager.h"
#include "codegen/Link/TempFile.h"
#include "codegen/Link/WeightSpecs.h"
#include "dialects/Pi/IR/Pi.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

using namespace mlir;
using namespace pi;

/// Writes the object beside the output, where there is room and the right to write.
static absl::StatusOr<TempFile> writeObject(ArrayRef<char> object, const std::string &output) {
  absl::StatusOr<TempFile> file = TempFile::create(output, "-o", ".o");
  if (!file.ok())
    return file.status();
  if (absl::Status status = file->write({object.data(), object.size()}); !status.ok())
    return status;
  return file;
}

absl::Status pi::linkAndPackage(ModuleOp module, ArrayRef<char> object,
                                const LinkOptions &options) {
  FileSizeSignalGuard guard; // for the linker's own writes
  Package package;
  absl::StatusOr<std::string> info = buildInfo(module, options.compilerVersion, options.cpu);
  if (!info.ok())
    return info.status();
  absl::StatusOr<std::vector<WeightSpec>> specs = makeWeightSpecs(module);
  if (!specs.ok())
    return specs.status();
  package.info = *std::move(info);
  package.weights = *std::move(specs);
  package.tokenizerPath =
      module->getAttrOfType<ModelAttr>("pi.model").getTokenizer().getValue().str();
  package.outputPath = options.output;
  package.progress = options.progress;

  absl::StatusOr<TempFile> objectFile = writeObject(object, options.output);
  if (!objectFile.ok())
    return objectFile.status();
  absl::StatusOr<TempFile> elf = TempFile::create(options.output, "-o", ".elf");
  if (!elf.ok())
    return elf.status();
  package.elfPath = elf->getTempPath();
  absl::Status linked =
      linkExecutable(objectFile->getTempPath(), options.runtimeArchive, options.sysroot,
                     package.elfPath, options.verbose ? &llvm::errs() : nullptr);
  if (absl::IsResourceExhausted(linked))
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot write '", options.output, "' (-o): ", linked.message()));
  if (!linked.ok())
    return linked;
  return writePackage(package);
}
