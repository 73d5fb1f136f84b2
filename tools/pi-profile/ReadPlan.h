//===- ReadPlan.h - What pi-compile --explain=json printed -===//

#ifndef PI_TOOLS_PI_PROFILE_READPLAN_H
#define PI_TOOLS_PI_PROFILE_READPLAN_H

#include "compiler/Profile/Profile.h"
#include "compiler/Profile/Report.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pi {

/// Fills the placement of `extras` from the plan in the file at `path`. Errors, "PATH: what
/// is wrong; remedy": no such file, no plan with a GPU, one for other layers than those of
/// `profile`.
llvm::Error readPlan(const std::string &path, const Profile &profile, ReportExtras &extras);

} // namespace pi

#endif // PI_TOOLS_PI_PROFILE_READPLAN_H
