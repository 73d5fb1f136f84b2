//===- Features.cpp - Does this CPU have what the kernels use? ------------===//

#include "runtime/cpu/Features.h"

#include "runtime/abi/pi_abi.h"

#include <cstdint>
#include <string>

#include <cpuid.h>

namespace pi {

namespace {
/// The answers of CPUID that say something about features.
enum Register { Leaf1Ecx, Leaf7Ebx, ExtendedEcx, numRegisters };

struct Feature {
  uint32_t bit;
  const char *name;
  Register where;
  uint32_t mask;
};
} // namespace

// Intel SDM vol. 2A, CPUID: leaves 1, 7.0 and 80000001h.
static constexpr Feature features[] = {
    {PI_CPU_SSE3, "SSE3", Leaf1Ecx, bit_SSE3},
    {PI_CPU_SSSE3, "SSSE3", Leaf1Ecx, bit_SSSE3},
    {PI_CPU_SSE41, "SSE4.1", Leaf1Ecx, bit_SSE41},
    {PI_CPU_SSE42, "SSE4.2", Leaf1Ecx, bit_SSE42},
    {PI_CPU_POPCNT, "POPCNT", Leaf1Ecx, bit_POPCNT},
    {PI_CPU_CX16, "CMPXCHG16B", Leaf1Ecx, bit_CMPXCHG16B},
    {PI_CPU_LAHF, "LAHF", ExtendedEcx, bit_LAHF_LM},
    {PI_CPU_XSAVE, "XSAVE", Leaf1Ecx, bit_OSXSAVE},
    {PI_CPU_AVX, "AVX", Leaf1Ecx, bit_AVX},
    {PI_CPU_AVX2, "AVX2", Leaf7Ebx, bit_AVX2},
    {PI_CPU_FMA, "FMA", Leaf1Ecx, bit_FMA},
    {PI_CPU_F16C, "F16C", Leaf1Ecx, bit_F16C},
    {PI_CPU_BMI1, "BMI1", Leaf7Ebx, bit_BMI},
    {PI_CPU_BMI2, "BMI2", Leaf7Ebx, bit_BMI2},
    {PI_CPU_LZCNT, "LZCNT", ExtendedEcx, bit_LZCNT},
    {PI_CPU_MOVBE, "MOVBE", Leaf1Ecx, bit_MOVBE},
    {PI_CPU_AVX512F, "AVX512F", Leaf7Ebx, bit_AVX512F},
    {PI_CPU_AVX512BW, "AVX512BW", Leaf7Ebx, bit_AVX512BW},
    {PI_CPU_AVX512CD, "AVX512CD", Leaf7Ebx, bit_AVX512CD},
    {PI_CPU_AVX512DQ, "AVX512DQ", Leaf7Ebx, bit_AVX512DQ},
    {PI_CPU_AVX512VL, "AVX512VL", Leaf7Ebx, bit_AVX512VL},
};

static constexpr uint32_t allFeatures() {
  uint32_t bits = 0;
  for (const Feature &feature : features)
    bits |= feature.bit;
  return bits;
}
static constexpr uint32_t known = allFeatures();
static constexpr uint32_t avx512 =
    PI_CPU_AVX512F | PI_CPU_AVX512BW | PI_CPU_AVX512CD | PI_CPU_AVX512DQ | PI_CPU_AVX512VL;
/// Features that use ymm registers.
static constexpr uint32_t avx = avx512 | PI_CPU_AVX | PI_CPU_AVX2 | PI_CPU_FMA | PI_CPU_F16C;

/// Register states the operating system saves (XCR0).
static uint64_t savedStates() {
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}

uint32_t cpuFeatures() {
  uint32_t a, b, c, d, found = 0, answers[numRegisters] = {};
  if (__get_cpuid(1, &a, &b, &c, &d))
    answers[Leaf1Ecx] = c;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
    answers[Leaf7Ebx] = b;
  if (__get_cpuid(0x80000001, &a, &b, &c, &d))
    answers[ExtendedEcx] = c;
  for (const Feature &feature : features)
    found |= answers[feature.where] & feature.mask ? feature.bit : 0;
  // Intel SDM vol. 1, 14.3 and 15.2: what XCR0 must have for ymm and zmm registers.
  uint64_t states = found & PI_CPU_XSAVE ? savedStates() : 0;
  bool ymm = (states & 0x06) == 0x06 && (found & PI_CPU_AVX), zmm = (states & 0xe6) == 0xe6;
  return found & ~(!ymm ? avx : !zmm ? avx512 : 0);
}

std::string missingCpuFeatures(uint32_t needed, uint32_t present) {
  uint32_t missing = needed & ~present;
  if (!missing)
    return {};
  std::string names;
  for (const Feature &feature : features)
    if (missing & feature.bit)
      names += std::string(names.empty() ? "" : ", ") + feature.name;
  if (missing & ~known)
    names += std::string(names.empty() ? "" : ", ") + "features this runtime does not know";
  bool hasV3 = (present & (known & ~avx512)) == (known & ~avx512);
  return "it lacks " + names +
         (hasV3 ? "; compile the model with pi-compile --cpu=x86-64-v3"
                : "; no model can be compiled for less than x86-64-v3");
}

} // namespace pi
