//===- CpuTable.h - CPUs that can be compiled for -===//

#ifndef PI_COMPILER_TARGET_CPUTABLE_H
#define PI_COMPILER_TARGET_CPUTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace pi {

/// A level of the x86-64 psABI (System V ABI, AMD64 supplement, section 3.1.1), and a
/// desktop of its time for predictions: nothing is measured while compiling.
struct CpuTarget {
  llvm::StringLiteral name;
  int64_t vectorBits;         // width of the vectors that kernels use
  int64_t readBytesPerUs;     // of main memory; 1000 bytes/us are 1 GB/s
  llvm::StringLiteral about;  // instructions
  llvm::StringLiteral memory; // where readBytesPerUs comes from
};

/// All CPUs that can be compiled for, `native` not among them.
llvm::ArrayRef<CpuTarget> allCpus();

/// The target of that name; `native` is the level of this machine. Null for unknown
/// names, and for `native` on a machine below x86-64-v3.
const CpuTarget *findCpu(llvm::StringRef name);

} // namespace pi

#endif // PI_COMPILER_TARGET_CPUTABLE_H
