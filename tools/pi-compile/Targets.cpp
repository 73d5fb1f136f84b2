//===- Targets.cpp - What --list-targets prints -===//

#include "tools/pi-compile/Targets.h"

#include "compiler/Target/CpuTable.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/TargetParser/Host.h"

using namespace pi;

namespace {
struct GpuName {
  llvm::StringLiteral name;
  llvm::StringLiteral about;
};
} // namespace

// Compute capabilities: NVIDIA CUDA C++ Programming Guide, and developer.nvidia.com/cuda-gpus.
static constexpr GpuName kGpus[] = {{"rtx4090", "sm_89"},
                                    {"rtx3090", "sm_86"},
                                    {"rtx2080ti", "sm_75"},
                                    {"a100", "sm_80"},
                                    {"h100", "sm_90"},
                                    {"h200", "sm_90"},
                                    {"sm_75", "Turing"},
                                    {"sm_80", "Ampere, A100"},
                                    {"sm_86", "Ampere"},
                                    {"sm_89", "Ada"},
                                    {"sm_90", "Hopper"},
                                    {"sm_120", "Blackwell"},
                                    {"native", "the GPU of this machine"}};

static void printRow(llvm::raw_ostream &os, llvm::StringRef name, llvm::StringRef state,
                     llvm::StringRef about) {
  os << llvm::format("  %-12s%-16s", name.str().c_str(), state.str().c_str()) << about << "\n";
}

void pi::listTargets(llvm::raw_ostream &os) {
  os << "CPUs (--cpu):\n";
  for (const CpuTarget &cpu : allCpus())
    printRow(os, cpu.name, cpu.name == "x86-64-v3" ? "built, default" : "built", cpu.about);
  const CpuTarget *native = findCpu("native");
  std::string host = llvm::sys::getHostCPUName().str();
  if (native)
    printRow(os, "native", "built", ("here " + native->name + " (" + host + ")").str());
  else
    printRow(os, "native", "built", "not here: this CPU (" + host + ") is below x86-64-v3");
  os << "\nGPUs (--gpu):\n";
  printRow(os, "none", "built, default", "everything on the CPU");
  llvm::SmallVector<llvm::StringRef> known;
  llvm::StringRef(kLaterGpus).split(known, '|');
  for (llvm::StringRef name : known) {
    const GpuName *gpu = llvm::find_if(kGpus, [&](const GpuName &g) { return g.name == name; });
    printRow(os, name, "not built yet", gpu == std::end(kGpus) ? "" : gpu->about);
  }
}
