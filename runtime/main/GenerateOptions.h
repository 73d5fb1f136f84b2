//===- GenerateOptions.h - Flags of generation ----------------------------===//

#ifndef PI_RUNTIME_MAIN_GENERATEOPTIONS_H
#define PI_RUNTIME_MAIN_GENERATEOPTIONS_H

#include "runtime/main/Flags.h"
#include "runtime/main/Options.h"

#include <string>

namespace pi {

/// Reads what chooses and ends tokens into `out`, and checks that the sources of the
/// prompt agree. False and a message on anything wrong: exit code 2.
bool readGenerateOptions(const ParsedFlags &flags, Options &out, std::string &error);

} // namespace pi

#endif // PI_RUNTIME_MAIN_GENERATEOPTIONS_H
