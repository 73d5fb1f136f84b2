//===- OptionTable.h - The flags of all commands --------------------------===//

#ifndef PI_RUNTIME_MAIN_OPTIONTABLE_H
#define PI_RUNTIME_MAIN_OPTIONTABLE_H

#include "runtime/main/Flags.h"

namespace pi {

/// Scopes are the bits of Command.
FlagTable optionTable();

} // namespace pi

#endif // PI_RUNTIME_MAIN_OPTIONTABLE_H
