//===- ChildProcess.h - A program that is run and waited for -===//

#ifndef PI_TOOLS_PI_COMPILE_CHILDPROCESS_H
#define PI_TOOLS_PI_COMPILE_CHILDPROCESS_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace pi {

/// Runs `args`, the first of which is the program's path, without input or output; its
/// standard error is ours. Returns its exit code, 128 + signal where a signal ended it,
/// and -1, with errno, where it could not be begun. It has a process group of its own: a
/// Ctrl-C reaches it through signalChild alone.
int runChild(llvm::ArrayRef<std::string> args);

/// Sends `signal` to the program that runChild waits for, if it does. Safe in a handler.
void signalChild(int signal);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_CHILDPROCESS_H
