//===- Targets.h - What --list-targets prints -===//

#ifndef PI_TOOLS_PI_COMPILE_TARGETS_H
#define PI_TOOLS_PI_COMPILE_TARGETS_H

#include "llvm/Support/raw_ostream.h"

namespace pi {

/// Values of --gpu that are known and not built yet, for FlagSpec::laterChoices.
inline constexpr const char *kLaterGpus =
    "rtx4090|rtx3090|rtx2080ti|a100|h100|h200|native|sm_75|sm_80|sm_86|sm_89|sm_90|sm_120";

/// Prints the CPUs and GPUs that --cpu and --gpu know, which can be compiled for now,
/// and what `native` is on this machine.
void listTargets(llvm::raw_ostream &os);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_TARGETS_H
