//===- Features.h - Does this CPU have what the kernels use? --------------===//

#ifndef PI_RUNTIME_CPU_FEATURES_H
#define PI_RUNTIME_CPU_FEATURES_H

#include <cstdint>
#include <string>

namespace pi {

/// Bits of enum pi_cpu_feature that this CPU and its operating system support.
uint32_t cpuFeatures();

/// Empty if `needed` is a subset of `present`; else what is missing and how to compile
/// for such a machine, in one line.
std::string missingCpuFeatures(uint32_t needed, uint32_t present);

} // namespace pi

#endif // PI_RUNTIME_CPU_FEATURES_H
