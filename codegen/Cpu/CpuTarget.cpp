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

  // Levels of the psABI only: what they hold beyond the base is checked before it runs.
  if (cpu != "x86-64-v3" && cpu != "x86-64-v4") {
    InFlightDiagnostic diag = emitError(loc, "unknown CPU '") << cpu << "'";
    diag.attachNote() << "use x86-64-v3 or x86-64-v4; pi-attach-target resolves native";
    return diag;
  }
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu, /*Features=*/"", llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
  return machine;
}

uint32_t pi::cpu::getCpuFeatures(const llvm::TargetMachine &machine) {
  static constexpr std::pair<llvm::StringLiteral, uint32_t> kFeatures[] = {
      {"+avx2", PI_CPU_AVX2},         {"+fma", PI_CPU_FMA},
      {"+f16c", PI_CPU_F16C},         {"+avx512f", PI_CPU_AVX512F},
      {"+avx512bw", PI_CPU_AVX512BW}, {"+avx512vl", PI_CPU_AVX512VL},
      {"+avx512dq", PI_CPU_AVX512DQ}, {"+avx512cd", PI_CPU_AVX512CD},
      {"+avx", PI_CPU_AVX},           {"+bmi", PI_CPU_BMI1},
      {"+bmi2", PI_CPU_BMI2},         {"+lzcnt", PI_CPU_LZCNT},
      {"+movbe", PI_CPU_MOVBE},       {"+popcnt", PI_CPU_POPCNT},
      {"+sse4.2", PI_CPU_SSE42}};
  uint32_t bits = 0;
  for (auto [name, bit] : kFeatures)
    if (machine.getMCSubtargetInfo()->checkFeatures(name.str()))
      bits |= bit;
  return bits;
}
