//===- Run.h - Counting the neurons of a model -===//

#ifndef PI_TOOLS_PI_PROFILE_RUN_H
#define PI_TOOLS_PI_PROFILE_RUN_H

#include "tools/pi-profile/Options.h"

namespace pi {

/// Compiles the model, counts, writes the profile; prints errors. `program` is how this
/// program was called. Returns an exit code; 130 after a Ctrl-C, when the profile holds what
/// was counted until then.
int runCounting(const ProfileOptions &options, const char *program);

} // namespace pi

#endif // PI_TOOLS_PI_PROFILE_RUN_H
