//===- Options.h - The command line of pi-compile -===//

#ifndef PI_TOOLS_PI_COMPILE_OPTIONS_H
#define PI_TOOLS_PI_COMPILE_OPTIONS_H

#include "tools/pi-compile/Driver.h"

#include <optional>

namespace pi {

/// Reads the command line into `options`. Returns an exit code where there is nothing
/// (more) to do: kExitUsage after a message, kExitOk after --help or --version.
std::optional<int> parseOptions(int argc, const char *const *argv, DriverOptions &options);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_OPTIONS_H
