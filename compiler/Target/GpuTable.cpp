//===- GpuTable.cpp - GPUs that can be planned for -===//

#include "compiler/Target/GpuTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace pi;

static constexpr int64_t kGiB = int64_t(1) << 30;
// 16 lanes after their 128b/130b coding, PCI Express Base Specification: 8, 16, 32 GT/s.
static constexpr int64_t kPcie3 = 15754, kPcie4 = 31508, kPcie5 = 63015;

// Architectures: NVIDIA CUDA C++ Programming Guide, and developer.nvidia.com/cuda-gpus.
static constexpr GpuTarget kGpus[] = {
    {"rtx4090", "sm_89", 24 * kGiB, 1'008'000, kPcie4, "GeForce RTX 4090, 24 GB",
     "NVIDIA Ada GPU architecture whitepaper"},
    {"rtx3090", "sm_86", 24 * kGiB, 936'000, kPcie4, "GeForce RTX 3090, 24 GB",
     "NVIDIA Ampere GA102 GPU architecture whitepaper"},
    {"rtx2080ti", "sm_75", 11 * kGiB, 616'000, kPcie3, "GeForce RTX 2080 Ti, 11 GB",
     "NVIDIA Turing GPU architecture whitepaper"},
    {"a100", "sm_80", 80 * kGiB, 1'935'000, kPcie4, "A100 80GB PCIe",
     "NVIDIA A100 Tensor Core GPU datasheet"},
    {"h100", "sm_90", 80 * kGiB, 3'350'000, kPcie5, "H100 SXM, 80 GB",
     "NVIDIA H100 Tensor Core GPU datasheet"},
    // Sold as 141 GB; the driver of the reference machine shows 139.8 GiB.
    {"h200", "sm_90", 139 * kGiB, 4'800'000, kPcie5, "H200 SXM, 141 GB",
     "NVIDIA H200 Tensor Core GPU datasheet"},
    {"sm_75", "sm_75", 11 * kGiB, 616'000, kPcie3, "Turing; speeds of rtx2080ti",
     "NVIDIA Turing GPU architecture whitepaper"},
    {"sm_80", "sm_80", 80 * kGiB, 1'935'000, kPcie4, "Ampere; speeds of a100",
     "NVIDIA A100 Tensor Core GPU datasheet"},
    {"sm_86", "sm_86", 24 * kGiB, 936'000, kPcie4, "Ampere; speeds of rtx3090",
     "NVIDIA Ampere GA102 GPU architecture whitepaper"},
    {"sm_89", "sm_89", 24 * kGiB, 1'008'000, kPcie4, "Ada; speeds of rtx4090",
     "NVIDIA Ada GPU architecture whitepaper"},
    {"sm_90", "sm_90", 80 * kGiB, 3'350'000, kPcie5, "Hopper; speeds of h100",
     "NVIDIA H100 Tensor Core GPU datasheet"},
    {"sm_120", "sm_120", 32 * kGiB, 1'792'000, kPcie5, "Blackwell; speeds of RTX 5090",
     "NVIDIA RTX Blackwell GPU architecture whitepaper"}};

llvm::ArrayRef<GpuTarget> pi::allGpus() { return kGpus; }

const GpuTarget *pi::findGpu(llvm::StringRef name) {
  const auto *gpu = llvm::find_if(kGpus, [&](const GpuTarget &g) { return g.name == name; });
  return gpu == std::end(kGpus) ? nullptr : gpu;
}

std::string pi::knownGpus() {
  return llvm::join(llvm::map_range(kGpus, [](const GpuTarget &gpu) { return gpu.name; }), ", ");
}

double pi::crossingUs(const GpuTarget &gpu, uint64_t bytes) {
  return kFlagUs + static_cast<double>(bytes) / static_cast<double>(gpu.busBytesPerUs);
}
