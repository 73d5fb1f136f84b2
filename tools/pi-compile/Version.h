//===- Version.h - What --version prints -===//

#ifndef PI_TOOLS_PI_COMPILE_VERSION_H
#define PI_TOOLS_PI_COMPILE_VERSION_H

#include <string>

namespace pi {

/// "pi-compile 0.1.0 (LLVM 22.1.8)": the same for every build of one release, since it
/// is stamped into executables.
std::string versionString();

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_VERSION_H
