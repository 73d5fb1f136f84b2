//===- ScratchFile.h - A file that is needed for a while -===//

#ifndef PI_TOOLS_PI_COMPILE_SCRATCHFILE_H
#define PI_TOOLS_PI_COMPILE_SCRATCHFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <string>

namespace pi {

/// A new empty file that is removed when this ends, or a signal ends the program.
class ScratchFile {
public:
  /// In `folder`, where that is empty in the folder for temporary files; `path` is empty
  /// where it cannot be made.
  ScratchFile(llvm::StringRef folder, llvm::StringRef suffix) {
    llvm::SmallString<256> model(folder);
    if (folder.empty())
      llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, model);
    llvm::sys::path::append(model, "pi-counting-%%%%%%%%" + suffix);
    llvm::SmallString<256> created;
    if (llvm::sys::fs::createUniqueFile(model, created))
      return;
    path = created.str().str();
    llvm::sys::RemoveFileOnSignal(path);
  }
  ScratchFile(const ScratchFile &) = delete;
  ~ScratchFile() {
    if (path.empty())
      return;
    llvm::sys::fs::remove(path);
    llvm::sys::DontRemoveFileOnSignal(path);
  }

  std::string path;
};

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_SCRATCHFILE_H
