//===- CompileMain.h - What programs that compile begin with -===//

#ifndef PI_TOOLS_PI_COMPILE_COMPILEMAIN_H
#define PI_TOOLS_PI_COMPILE_COMPILEMAIN_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace pi {

/// SIGINT, SIGTERM and SIGHUP end `program` with 128 + signal, without half-written files
/// or children; those that are ignored stay so. Broken pipes and RLIMIT_FSIZE are errors of
/// writing.
void installTerminationHandlers(const char *program);

/// A path of this program for where /proc does not say it: `name`, argv[0], or what the kernel
/// executed where that is a bare name, which a PATH may not hold.
std::string findProgram(llvm::StringRef name);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_COMPILEMAIN_H
