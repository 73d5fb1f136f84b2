//===- Show.h - What a profile holds, as text or JSON -===//

#ifndef PI_TOOLS_PI_PROFILE_SHOW_H
#define PI_TOOLS_PI_PROFILE_SHOW_H

#include "compiler/Profile/Profile.h"
#include "llvm/Support/raw_ostream.h"

namespace pi {

/// Facts and a table of the layers, for people.
void showText(const Profile &profile, llvm::raw_ostream &os);

/// The JSON object {"tokens","layers":[{"layer","counts","mass"}]},
/// with more fields; mass is the sum of |activation|. Hashes are hexadecimal strings.
void showJson(const Profile &profile, llvm::raw_ostream &os);

} // namespace pi

#endif // PI_TOOLS_PI_PROFILE_SHOW_H
