//===- TablesTest.cpp - Rows of GPUs and memories ---------------------------===//

#include "compiler/Target/GpuTable.h"
#include "compiler/Target/MachineFile.h"
#include "compiler/Target/MemoryTable.h"
#include "gtest/gtest.h"

#include <set>
#include <string>

using namespace pi;

TEST(GpuTable, Rows) {
  std::set<std::string> names;
  for (const GpuTarget &gpu : allGpus()) {
    EXPECT_TRUE(names.insert(gpu.name.str()).second) << gpu.name.str();
    EXPECT_EQ(findGpu(gpu.name), &gpu);
    EXPECT_TRUE(gpu.arch.starts_with("sm_")) << gpu.name.str();
    EXPECT_FALSE(gpu.source.empty()) << gpu.name.str();
    // The device's memory is faster than the bus to it, which carries gigabytes a second.
    EXPECT_GT(gpu.readBytesPerUs, gpu.busBytesPerUs) << gpu.name.str();
    EXPECT_GE(gpu.busBytesPerUs, 10'000) << gpu.name.str();
    EXPECT_GE(gpu.memoryBytes, int64_t(8) << 30) << gpu.name.str();
    EXPECT_NE(knownGpus().find(gpu.name.str()), std::string::npos);
  }
  for (const char *name : {"rtx4090", "rtx3090", "rtx2080ti", "a100", "h100", "h200"})
    EXPECT_NE(findGpu(name), nullptr) << name;
  for (const char *name : {"", "native", "none", "RTX4090", "rtx4090 "})
    EXPECT_EQ(findGpu(name), nullptr) << name;
}

/// The row of an architecture is that of a card which has it, or no card is in the table.
TEST(GpuTable, ArchitecturesHaveTheFiguresOfTheirCard) {
  for (auto [arch, card] : {std::pair("sm_75", "rtx2080ti"),
                            {"sm_80", "a100"},
                            {"sm_86", "rtx3090"},
                            {"sm_89", "rtx4090"},
                            {"sm_90", "h100"}}) {
    const GpuTarget *a = findGpu(arch), *b = findGpu(card);
    ASSERT_TRUE(a && b) << arch;
    EXPECT_EQ(a->arch, b->arch);
    EXPECT_EQ(a->memoryBytes, b->memoryBytes);
    EXPECT_EQ(a->readBytesPerUs, b->readBytesPerUs);
    EXPECT_EQ(a->busBytesPerUs, b->busBytesPerUs);
  }
}

TEST(GpuTable, Crossings) {
  const GpuTarget *gpu = findGpu("rtx4090");
  EXPECT_DOUBLE_EQ(crossingUs(*gpu, 0), kFlagUs);
  EXPECT_DOUBLE_EQ(crossingUs(*gpu, 315'080), kFlagUs + 10);
}

TEST(MemoryTable, Rows) {
  int64_t last = 0;
  for (const MemoryClass &memory : allMemoryClasses()) {
    EXPECT_EQ(findMemoryClass(memory.name), &memory);
    EXPECT_GT(memory.readBytesPerUs, last) << memory.name.str(); // slowest first, no name twice
    last = memory.readBytesPerUs;
    EXPECT_FALSE(memory.source.empty());
    // ddrG-TxC: C channels of 8 bytes at T transfers.
    llvm::StringRef rest = memory.name;
    int64_t transfers = 0, channels = 0;
    ASSERT_TRUE(rest.consume_front("ddr4-") || rest.consume_front("ddr5-"));
    ASSERT_FALSE(rest.consumeInteger(10, transfers));
    ASSERT_TRUE(rest.consume_front("x") && !rest.getAsInteger(10, channels));
    EXPECT_EQ(memory.readBytesPerUs, channels * 8 * transfers) << memory.name.str();
  }
  EXPECT_EQ(findMemoryClass("ddr5-5600"), nullptr);
  EXPECT_EQ(findMemoryClass(""), nullptr);
}
