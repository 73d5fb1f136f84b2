//===- Targets.cpp - What --list-targets prints -===//

#include "tools/pi-compile/Targets.h"

#include "compiler/Target/CpuTable.h"
#include "compiler/Target/GpuTable.h"
#include "compiler/Target/MemoryTable.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Host.h"

using namespace pi;

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
  for (const GpuTarget &gpu : allGpus())
    printRow(os, gpu.name, "planned for",
             llvm::formatv("{0}, {1} GiB, {2} GB/s: {3} ({4})", gpu.arch, gpu.memoryBytes >> 30,
                           gpu.readBytesPerUs / 1000, gpu.about, gpu.source)
                 .str());
  printRow(os, "native", "not built yet", "the GPU of this machine");
  os << "\nMain memories (--machine):\n";
  for (const MemoryClass &memory : allMemoryClasses())
    printRow(os, memory.name, "",
             llvm::formatv("{0:f1} GB/s: {1}", static_cast<double>(memory.readBytesPerUs) / 1000,
                           memory.source)
                 .str());
}
