//===- NotLinked.cpp - Parts of LLVM that are not linked in -===//
// lld's driver names every back end that its package was built with, and LLVM's
// link-time optimiser names Polly. The released binary needs neither: it generates code
// for X86 and links objects, never bitcode. Here they do nothing.

#include "llvm/Plugins/PassPlugin.h"

#define NOT_LINKED(name)                                                                           \
  extern "C" void LLVMInitialize##name##TargetInfo() {}                                            \
  extern "C" void LLVMInitialize##name##Target() {}                                                \
  extern "C" void LLVMInitialize##name##TargetMC() {}                                              \
  extern "C" void LLVMInitialize##name##AsmPrinter() {}                                            \
  extern "C" void LLVMInitialize##name##AsmParser() {}

NOT_LINKED(AArch64)
NOT_LINKED(AMDGPU)
NOT_LINKED(ARM)
NOT_LINKED(AVR)
NOT_LINKED(BPF)
NOT_LINKED(Hexagon)
NOT_LINKED(Lanai)
NOT_LINKED(LoongArch)
NOT_LINKED(M68k)
NOT_LINKED(Mips)
NOT_LINKED(MSP430)
NOT_LINKED(NVPTX)
NOT_LINKED(PowerPC)
NOT_LINKED(RISCV)
NOT_LINKED(Sparc)
NOT_LINKED(SPIRV)
NOT_LINKED(SystemZ)
NOT_LINKED(VE)
NOT_LINKED(WebAssembly)
NOT_LINKED(XCore)
NOT_LINKED(Xtensa)

/// Called by lto::opt before it optimises bitcode.
llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "not linked", [](llvm::PassBuilder &) {}, nullptr};
}
