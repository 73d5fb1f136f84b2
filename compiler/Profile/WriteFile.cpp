//===- WriteFile.cpp - A file that appears whole or not at all -===//

#include "compiler/Profile/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace pi;

static llvm::Error fail(llvm::StringRef path, const llvm::Twine &reason) {
  return llvm::createStringError("cannot write '" + path + "': " + reason +
                                 "; name another output");
}

llvm::Error pi::writeFile(llvm::StringRef path,
                          llvm::function_ref<void(llvm::raw_ostream &)> print) {
  llvm::sys::fs::file_status status;
  llvm::SmallString<256> target(path);
  if (!llvm::sys::fs::status(path, status)) {
    if (!llvm::sys::fs::is_regular_file(status))
      return fail(path, "it exists and is not a regular file");
    if (std::error_code error = llvm::sys::fs::real_path(path, target))
      return fail(path, error.message());
  }
  llvm::Expected<llvm::sys::fs::TempFile> file = llvm::sys::fs::TempFile::create(
      target + ".%%%%%%%%", llvm::sys::fs::all_read | llvm::sys::fs::all_write);
  if (!file)
    return fail(path, llvm::toString(file.takeError()));
  std::error_code error;
  {
    llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
    print(os);
    os.flush();
    error = os.error();
    os.clear_error();
  }
  if (error) {
    llvm::consumeError(file->discard());
    return fail(path, error.message());
  }
  if (llvm::Error renamed = file->keep(target))
    return fail(path, llvm::toString(std::move(renamed)));
  return llvm::Error::success();
}
