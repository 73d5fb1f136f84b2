//===- Targets.h - What --list-targets prints -===//

#ifndef PI_TOOLS_PI_COMPILE_TARGETS_H
#define PI_TOOLS_PI_COMPILE_TARGETS_H

#include "llvm/Support/raw_ostream.h"

namespace pi {

/// Prints the CPUs and GPUs that --cpu and --gpu know, which are built and which only
/// planned for, what `native` is on this machine, and the memories of --machine.
void listTargets(llvm::raw_ostream &os);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_TARGETS_H
