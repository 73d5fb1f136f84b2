//===- Features.cpp - Does this CPU have what the kernels use? ------------===//

#include "runtime/cpu/Features.h"

#include "runtime/abi/pi_abi.h"

#include <cstdint>
#include <string>

#include <cpuid.h>

namespace pi {

namespace {
struct Feature {
  uint32_t bit;
  const char *name;
};
} // namespace

static constexpr Feature features[] = {
    {PI_CPU_AVX2, "AVX2"},         {PI_CPU_FMA, "FMA"},           {PI_CPU_F16C, "F16C"},
    {PI_CPU_AVX512F, "AVX512F"},   {PI_CPU_AVX512BW, "AVX512BW"}, {PI_CPU_AVX512VL, "AVX512VL"},
    {PI_CPU_AVX512DQ, "AVX512DQ"}, {PI_CPU_AVX512CD, "AVX512CD"}, {PI_CPU_AVX, "AVX"},
    {PI_CPU_BMI1, "BMI1"},         {PI_CPU_BMI2, "BMI2"},         {PI_CPU_LZCNT, "LZCNT"},
    {PI_CPU_MOVBE, "MOVBE"},       {PI_CPU_POPCNT, "POPCNT"},     {PI_CPU_SSE42, "SSE4.2"},
};
static constexpr uint32_t avx512 =
    PI_CPU_AVX512F | PI_CPU_AVX512BW | PI_CPU_AVX512VL | PI_CPU_AVX512DQ | PI_CPU_AVX512CD;
static constexpr uint32_t known = avx512 | PI_CPU_AVX2 | PI_CPU_FMA | PI_CPU_F16C | PI_CPU_AVX |
                                  PI_CPU_BMI1 | PI_CPU_BMI2 | PI_CPU_LZCNT | PI_CPU_MOVBE |
                                  PI_CPU_POPCNT | PI_CPU_SSE42;

/// Register states the operating system saves (XCR0).
static uint64_t savedStates() {
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}

uint32_t cpuFeatures() {
  // Intel SDM vol. 2A, CPUID: leaf 1 ECX, leaf 7.0 EBX, leaf 80000001H ECX; vol. 1, 14.3
  // and 15.2: XCR0.
  uint32_t a, b, c, d, found = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
    return 0;
  uint64_t states = savedStates();
  bool ymm = (states & 0x06) == 0x06, zmm = (states & 0xe6) == 0xe6;
  if (!ymm || !(c & bit_AVX))
    return 0;
  found |= PI_CPU_AVX;
  found |= c & bit_FMA ? uint32_t(PI_CPU_FMA) : 0;
  found |= c & bit_F16C ? uint32_t(PI_CPU_F16C) : 0;
  found |= c & bit_MOVBE ? uint32_t(PI_CPU_MOVBE) : 0;
  found |= c & bit_POPCNT ? uint32_t(PI_CPU_POPCNT) : 0;
  found |= c & bit_SSE4_2 ? uint32_t(PI_CPU_SSE42) : 0;
  constexpr uint32_t lzcnt = 1u << 5;
  if (uint32_t a2, b2, c2, d2; __get_cpuid(0x80000001, &a2, &b2, &c2, &d2))
    found |= c2 & lzcnt ? uint32_t(PI_CPU_LZCNT) : 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
    return found;
  found |= b & bit_AVX2 ? uint32_t(PI_CPU_AVX2) : 0;
  found |= b & bit_BMI ? uint32_t(PI_CPU_BMI1) : 0;
  found |= b & bit_BMI2 ? uint32_t(PI_CPU_BMI2) : 0;
  if (zmm) {
    found |= b & bit_AVX512F ? uint32_t(PI_CPU_AVX512F) : 0;
    found |= b & bit_AVX512BW ? uint32_t(PI_CPU_AVX512BW) : 0;
    found |= b & bit_AVX512VL ? uint32_t(PI_CPU_AVX512VL) : 0;
    found |= b & bit_AVX512DQ ? uint32_t(PI_CPU_AVX512DQ) : 0;
    found |= b & bit_AVX512CD ? uint32_t(PI_CPU_AVX512CD) : 0;
  }
  return found;
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
  // Without AVX-512 the default target may do; else only the machine itself can say.
  bool hasV3 = (present & (known & ~avx512)) == (known & ~avx512);
  return "it lacks " + names + "; compile the model with pi-compile --cpu=" +
         (hasV3 ? "x86-64-v3" : "native, on this machine");
}

} // namespace pi
