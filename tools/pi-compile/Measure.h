//===- Measure.h - pi-compile --measure -===//

#ifndef PI_TOOLS_PI_COMPILE_MEASURE_H
#define PI_TOOLS_PI_COMPILE_MEASURE_H

#include <string>

namespace pi {

/// Measures this machine's CPU with all its threads, some seconds, and writes a machine file
/// (compiler/Target/MachineFile.h) to `output`, whole or not at all; "-" is stdout. There is
/// no measuring of GPUs: the file has none, and says nothing of crossings. Prints what was
/// found to stderr. Returns an exit code.
int runMeasure(const std::string &output);

} // namespace pi

#endif // PI_TOOLS_PI_COMPILE_MEASURE_H
