//===- MemoryTable.cpp - Main memories that can be planned for -===//

#include "compiler/Target/MemoryTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace pi;

// Channels of 8 bytes (of DDR5 two times 4) at the transfer rate of the standard.
static constexpr MemoryClass kClasses[] = {
    {"ddr4-2400x2", 38'400, "two channels of DDR4-2400, JEDEC JESD79-4: 2 x 8 bytes x 2400 MT/s"},
    {"ddr4-3200x2", 51'200, "two channels of DDR4-3200, JEDEC JESD79-4: 2 x 8 bytes x 3200 MT/s"},
    {"ddr5-4200x2", 67'200,
     "two channels of DDR5 at 4200 MT/s, PowerInfer's PC-High (arXiv:2312.12456, section 8.1)"},
    {"ddr5-4800x2", 76'800, "two channels of DDR5-4800, JEDEC JESD79-5: 2 x 8 bytes x 4800 MT/s"},
    {"ddr5-5600x2", 89'600, "two channels of DDR5-5600, JEDEC JESD79-5: 2 x 8 bytes x 5600 MT/s"},
    {"ddr5-6400x2", 102'400, "two channels of DDR5-6400, JEDEC JESD79-5: 2 x 8 bytes x 6400 MT/s"},
    {"ddr4-3200x8", 204'800,
     "eight channels of DDR4-3200, JEDEC JESD79-4: 8 x 8 bytes x 3200 MT/s"},
    {"ddr5-4800x8", 307'200,
     "eight channels of DDR5-4800, JEDEC JESD79-5: 8 x 8 bytes x 4800 MT/s"},
    {"ddr5-4800x12", 460'800,
     "twelve channels of DDR5-4800, JEDEC JESD79-5: 12 x 8 bytes x 4800 MT/s"}};

llvm::ArrayRef<MemoryClass> pi::allMemoryClasses() { return kClasses; }

const MemoryClass *pi::findMemoryClass(llvm::StringRef name) {
  const auto *row = llvm::find_if(kClasses, [&](const MemoryClass &m) { return m.name == name; });
  return row == std::end(kClasses) ? nullptr : row;
}
