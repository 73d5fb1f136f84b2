//===- CpuTable.cpp - CPUs that can be compiled for -===//

#include "compiler/Target/CpuTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

using namespace pi;

// Two channels of 8 bytes at the transfer rate of the memory's standard.
static constexpr CpuTarget kCpus[] = {
    {"x86-64-v3", 256, 51200, "AVX2, FMA, F16C",
     "two channels of DDR4-3200, JEDEC JESD79-4: 2 x 8 bytes x 3200 MT/s"},
    {"x86-64-v4", 512, 76800, "AVX-512 F, BW, CD, DQ, VL",
     "two channels of DDR5-4800, JEDEC JESD79-5: 2 x 8 bytes x 4800 MT/s"}};

llvm::ArrayRef<CpuTarget> pi::allCpus() { return kCpus; }

static bool hostHas(std::initializer_list<const char *> features) {
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  return llvm::all_of(features, [&](const char *f) { return host.lookup(f); });
}

const CpuTarget *pi::findCpu(llvm::StringRef name) {
  if (name == "native") {
    if (!hostHas({"sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "cx16", "sahf", "xsave", "avx",
                  "avx2", "fma", "f16c", "bmi", "bmi2", "lzcnt", "movbe"}))
      return nullptr;
    return &kCpus[hostHas({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"})];
  }
  const auto *cpu = llvm::find_if(kCpus, [&](const CpuTarget &c) { return c.name == name; });
  return cpu == std::end(kCpus) ? nullptr : cpu;
}
