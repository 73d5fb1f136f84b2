//===- CpuTarget.cpp - The CPU that code is made for -===//

#include "codegen/Cpu/CpuTarget.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "runtime/abi/pi_abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

static constexpr llvm::StringLiteral kTriple = "x86_64-unknown-linux-gnu";

namespace {
struct Level {
  llvm::StringLiteral name;
  int64_t vectorBits; // the widest
};
} // namespace
static constexpr Level kLevels[] = {{"x86-64-v3", 256}, {"x86-64-v4", 512}};

FailureOr<pi::cpu::Target> pi::cpu::getTarget(ModuleOp module) {
  auto id = [&](StringRef name) { return StringAttr::get(module.getContext(), name); };
  TargetSystemSpecInterface system = module.getTargetSystemSpec();
  auto device = system ? system.getDeviceSpecForDeviceID(id("cpu0")) : std::nullopt;
  auto entry = [&](StringRef key) -> Attribute {
    DataLayoutEntryInterface found = device ? device->getSpecForIdentifier(id(key)) : nullptr;
    return found ? found.getValue() : Attribute();
  };
  Attribute cpuAttr = entry("pi.cpu"), bitsAttr = entry("pi.vector_bits");
  if (!cpuAttr || !bitsAttr) {
    InFlightDiagnostic diag = module.emitError("does not say for which CPU code is to be made");
    diag.attachNote() << "device cpu0 of its target spec needs pi.cpu and pi.vector_bits; "
                         "pi-attach-target sets them";
    return diag;
  }
  auto cpu = dyn_cast<StringAttr>(cpuAttr);
  const Level *level =
      llvm::find_if(kLevels, [&](const Level &l) { return cpu && l.name == cpu.getValue(); });
  if (level == std::end(kLevels)) {
    InFlightDiagnostic diag = module.emitError("pi.cpu of device cpu0 is ") << cpuAttr;
    diag.attachNote() << "x86-64-v3 and x86-64-v4 are supported";
    return diag;
  }
  auto bits = dyn_cast<IntegerAttr>(bitsAttr);
  if (!bits || !llvm::is_contained({128, 256, 512}, bits.getInt()) ||
      bits.getInt() > level->vectorBits) {
    InFlightDiagnostic diag = module.emitError("pi.vector_bits of device cpu0 is ") << bitsAttr;
    diag.attachNote() << level->name << " has vectors of 128"
                      << (level->vectorBits == 512 ? ", 256 and 512 bits" : " and 256 bits");
    return diag;
  }
  return Target{cpu.str(), bits.getInt()};
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
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, cpu, "", llvm::TargetOptions(), llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  return machine;
}

uint32_t pi::cpu::getCpuFeatures(const llvm::TargetMachine &machine) {
  // All that a level adds to x86-64, which every 64-bit CPU has. CRC32 came with SSE4.2.
  static constexpr std::pair<llvm::StringLiteral, uint32_t> kFeatures[] = {
      {"+avx2", PI_CPU_AVX2},         {"+fma", PI_CPU_FMA},
      {"+f16c", PI_CPU_F16C},         {"+avx512f", PI_CPU_AVX512F},
      {"+avx512bw", PI_CPU_AVX512BW}, {"+avx512vl", PI_CPU_AVX512VL},
      {"+avx512dq", PI_CPU_AVX512DQ}, {"+avx512cd", PI_CPU_AVX512CD},
      {"+sse3", PI_CPU_SSE3},         {"+ssse3", PI_CPU_SSSE3},
      {"+sse4.1", PI_CPU_SSE41},      {"+sse4.2", PI_CPU_SSE42},
      {"+popcnt", PI_CPU_POPCNT},     {"+cx16", PI_CPU_CX16},
      {"+sahf", PI_CPU_LAHF},         {"+avx", PI_CPU_AVX},
      {"+bmi", PI_CPU_BMI1},          {"+bmi2", PI_CPU_BMI2},
      {"+lzcnt", PI_CPU_LZCNT},       {"+movbe", PI_CPU_MOVBE},
      {"+xsave", PI_CPU_XSAVE}};
  uint32_t bits = 0;
  for (auto [name, bit] : kFeatures)
    if (machine.getMCSubtargetInfo()->checkFeatures(name.str()))
      bits |= bit;
  return bits;
}
