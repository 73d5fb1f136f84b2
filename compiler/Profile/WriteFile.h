//===- WriteFile.h - A file that appears whole or not at all -===//

#ifndef PI_COMPILER_PROFILE_WRITEFILE_H
#define PI_COMPILER_PROFILE_WRITEFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace pi {

/// Lets `print` write a temporary file beside `path`, then renames it; a link is followed.
/// Errors name `path` and leave what was there: it is no regular file, or the system
/// refuses. A signal that ends the program removes the temporary file.
llvm::Error writeFile(llvm::StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> print);

} // namespace pi

#endif // PI_COMPILER_PROFILE_WRITEFILE_H
