//===- MemoryTable.h - Main memories that can be planned for -===//

#ifndef PI_COMPILER_TARGET_MEMORYTABLE_H
#define PI_COMPILER_TARGET_MEMORYTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace pi {

/// A class of main memory: standard, transfers per second and channels. What a machine
/// reads of it is less; `pi-compile --measure` says how much.
struct MemoryClass {
  llvm::StringLiteral name; // "ddr5-5600x2": two channels of DDR5-5600
  int64_t readBytesPerUs;   // 1000 bytes/us are 1 GB/s
  llvm::StringLiteral source;
};

/// All classes, slowest first.
llvm::ArrayRef<MemoryClass> allMemoryClasses();

/// The class of that name; null for unknown names.
const MemoryClass *findMemoryClass(llvm::StringRef name);

} // namespace pi

#endif // PI_COMPILER_TARGET_MEMORYTABLE_H
