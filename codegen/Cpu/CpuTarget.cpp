//===- CpuTarget.cpp - The CPU that code is made for -===//

#include "codegen/Cpu/CpuTarget.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "runtime/abi/pi_abi.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

static constexpr int64_t kDefaultVectorBits = 256;
static constexpr llvm::StringLiteral kTriple = "x86_64-unknown-linux-gnu";

FailureOr<int64_t> pi::cpu::getVectorBits(ModuleOp module) {
  TargetSystemSpecInterface system = module.getTargetSystemSpec();
  if (!system)
    return kDefaultVectorBits;
  auto device = system.getDeviceSpecForDeviceID(StringAttr::get(module.getContext(), "cpu0"));
  if (!device)
    return kDefaultVectorBits;
  DataLayoutEntryInterface entry =
      device->getSpecForIdentifier(StringAttr::get(module.getContext(), "pi.vector_bits"));
  if (!entry)
    return kDefaultVectorBits;
  auto bits = dyn_cast<IntegerAttr>(entry.getValue());
  if (!bits || (bits.getInt() != 128 && bits.getInt() != 256 && bits.getInt() != 512)) {
    InFlightDiagnostic diag = module.emitError("pi.vector_bits of device cpu0 is ")
                              << entry.getValue();
    diag.attachNote() << "128, 256 and 512 are supported";
    return diag;
  }
  return bits.getInt();
}

/// Features of the machine this runs on, as "+name" and "-name".
static std::string hostFeatures() {
  SmallVector<std::string> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.push_back((feature.second ? "+" : "-") + feature.first().str());
  llvm::sort(features);
  return llvm::join(features, ",");
}

FailureOr<std::unique_ptr<llvm::TargetMachine>> pi::cpu::createTargetMachine(StringRef cpu,
                                                                             Location loc) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  llvm::Triple triple{kTriple};
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return emitError(loc, "no code generator for ") << kTriple << ": " << error, failure();

  bool native = cpu == "native";
  StringRef name = native ? llvm::sys::getHostCPUName() : cpu;
  std::string features = native ? hostFeatures() : "";
  std::unique_ptr<llvm::MCSubtargetInfo> known(target->createMCSubtargetInfo(triple, "x86-64", ""));
  if (!known->isCPUStringValid(name)) {
    InFlightDiagnostic diag = emitError(loc, "unknown CPU '") << name << "'";
    diag.attachNote() << "use x86-64-v3, x86-64-v4 or native";
    return diag;
  }
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, name, features, llvm::TargetOptions(), llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  if (!machine->getMCSubtargetInfo()->checkFeatures("+avx2,+fma,+f16c")) {
    InFlightDiagnostic diag = emitError(loc, "CPU '") << name << "' lacks AVX2, FMA or F16C";
    diag.attachNote() << "use x86-64-v3 or newer";
    return diag;
  }
  return machine;
}

uint32_t pi::cpu::getCpuFeatures(const llvm::TargetMachine &machine) {
  static constexpr std::pair<llvm::StringLiteral, uint32_t> kFeatures[] = {
      {"+avx2", PI_CPU_AVX2},        {"+fma", PI_CPU_FMA},           {"+f16c", PI_CPU_F16C},
      {"+avx512f", PI_CPU_AVX512F},  {"+avx512bw", PI_CPU_AVX512BW}, {"+avx512vl", PI_CPU_AVX512VL},
      {"+avx512dq", PI_CPU_AVX512DQ}};
  uint32_t bits = 0;
  for (auto [name, bit] : kFeatures)
    if (machine.getMCSubtargetInfo()->checkFeatures(name.str()))
      bits |= bit;
  return bits;
}
