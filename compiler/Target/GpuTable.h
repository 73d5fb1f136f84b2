//===- GpuTable.h - GPUs that can be planned for -===//

#ifndef PI_COMPILER_TARGET_GPUTABLE_H
#define PI_COMPILER_TARGET_GPUTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace pi {

/// A card, or an architecture with the figures of a card that has it: nothing is measured
/// while compiling.
struct GpuTarget {
  llvm::StringLiteral name;
  llvm::StringLiteral arch; // as NVRTC names it: "sm_89"
  int64_t memoryBytes;      // of the device, before any reserve
  int64_t readBytesPerUs;   // of its memory; 1000 bytes/us are 1 GB/s
  int64_t busBytesPerUs;    // between host and device, one way
  llvm::StringLiteral about;
  llvm::StringLiteral source; // of memory and speeds
};

/// All GPUs that can be planned for, `native` not among them.
llvm::ArrayRef<GpuTarget> allGpus();

/// The GPU of that name; null for unknown names and for `native`.
const GpuTarget *findGpu(llvm::StringRef name);

/// "rtx4090, rtx3090, ...", for messages.
std::string knownGpus();

/// A flag in mapped host memory that the other side polls was seen after 0.9 us on the
/// reference machine (H200, PCIe 5.0: 1.78 us there and back); two thirds more for the
/// barrier of the CPU's threads and for slower buses.
inline constexpr double kFlagUs = 1.5;

/// One way between CPU and GPU for `bytes` of activations: the flag and the bus.
double crossingUs(const GpuTarget &gpu, uint64_t bytes);

} // namespace pi

#endif // PI_COMPILER_TARGET_GPUTABLE_H
