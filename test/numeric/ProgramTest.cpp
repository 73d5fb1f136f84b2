//===- ProgramTest.cpp - The constant tables and the object -===//

#include "codegen/Cpu/CpuCodegen.h"
#include "codegen/Cpu/CpuTarget.h"
#include "mlir/Parser/Parser.h"
#include "test/numeric/CompiledKernel.h"
#include "llvm/ADT/bit.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include <gtest/gtest.h>

using namespace pi::test;

static const char *kText = R"(
module attributes {pi.model = #pi.model<family = "llama", positions = 64, capacity = 48, bos = 1,
    eos = [2], tokenizer = "t.json", exact = false>,
    dlti.target_system_spec = #dlti.target_system_spec<"cpu0" = #dlti.target_device_spec<
        "pi.cpu" = "x86-64-v3", "pi.vector_bits" = 256 : i64>>} {
  pi.weight @unused : tensor<4xf32>
      from <file = "m", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
  pi.weight @w : tensor<8xf32>
      from <file = "m", offset = 16, bytes = 32, type = tensor<8xf32>, encoding = raw>
  plan.arena @activations <activations> bytes 128
  plan.arena @kv <kv_cache> bytes 256
  plan.kernel @scale on <cpu> {
  ^bb0(%token: index, %position: index, %begin: index, %end: index,
       %a: memref<1x8xf32>, %w: memref<8xf32>, %y: memref<1x8xf32>):
    plan.map ins(%a, %w) -> %y tiles(%begin to %end) per_tile 4 {
    ^bb0(%l: f32, %r: f32):
      %s = arith.mulf %l, %r : f32
      plan.yield %s : f32
    } : memref<1x8xf32>, memref<8xf32> -> memref<1x8xf32>
  }
  plan.kernel @copy on <cpu> {
  ^bb0(%token: index, %position: index, %begin: index, %end: index,
       %a: memref<1x8xf32>, %y: memref<1x8xf32>):
    plan.map ins(%a) -> %y tiles(%begin to %end) per_tile 8 {
    ^bb0(%l: f32):
      plan.yield %l : f32
    } : memref<1x8xf32> -> memref<1x8xf32>
  }
  plan.program @decode {
    %x = plan.buffer @activations offset 0 : memref<1x8xf32>
    %y = plan.buffer @activations offset 64 : memref<1x8xf32>
    %c = plan.buffer @kv offset 128 : memref<1x8xf32>
    %w = plan.weight @w : memref<8xf32>
    plan.dispatch @scale tiles 2 (%x, %w, %y) : memref<1x8xf32>, memref<8xf32>, memref<1x8xf32>
    plan.dispatch @copy tiles 1 (%y, %c) : memref<1x8xf32>, memref<1x8xf32>
    plan.logits %y : memref<1x8xf32>
  }
})";

static std::string objectOf(const std::string &text) {
  auto context = makeContext();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  if (!module || failed(pi::cpu::runCpuCodegen(*module, {})))
    return "";
  auto object = pi::cpu::getObject(*module);
  return failed(object) ? "" : std::string(object->data(), object->size());
}

TEST(Program, Tables) {
  auto compiled = CompiledProgram::create(kText);
  ASSERT_TRUE(compiled);
  const pi_program &p = compiled->program();
  EXPECT_EQ(p.abi_version, PI_ABI_VERSION);
  EXPECT_EQ(p.struct_bytes, sizeof(pi_program));
  uint32_t avx512 =
      PI_CPU_AVX512F | PI_CPU_AVX512BW | PI_CPU_AVX512CD | PI_CPU_AVX512DQ | PI_CPU_AVX512VL;
  EXPECT_EQ(p.cpu_features, (PI_CPU_SSE41 * 2 - 1) & ~avx512); // SSE41 is the last bit
  ASSERT_EQ(p.num_kernels, 2u);
  EXPECT_STREQ(p.kernels[0].name, "scale");
  EXPECT_STREQ(p.kernels[1].name, "copy");
  ASSERT_EQ(p.num_arenas, 2u);
  EXPECT_STREQ(p.arenas[0].name, "activations");
  EXPECT_EQ(p.arenas[0].bytes, 128u);
  EXPECT_EQ(p.arenas[0].kind, uint32_t(PI_ARENA_ACTIVATIONS));
  EXPECT_STREQ(p.arenas[1].name, "kv");
  EXPECT_EQ(p.arenas[1].kind, uint32_t(PI_ARENA_KV_CACHE));
  EXPECT_EQ(p.num_weights, 2u); // the unused one keeps its entry
  EXPECT_EQ(p.vocab, 8u);
  EXPECT_EQ(p.context, 48u);
  EXPECT_EQ(p.logits.space, uint32_t(PI_SPACE_ARENA));
  EXPECT_EQ(p.logits.offset, 64u);
  ASSERT_EQ(p.num_steps, 2u);
  EXPECT_EQ(p.steps[0].kernel, 0u);
  EXPECT_EQ(p.steps[0].tiles, 2);
  EXPECT_EQ(p.steps[1].kernel, 1u);
  EXPECT_EQ(p.steps[1].first_arg, 3u);
  EXPECT_EQ(p.steps[1].num_args, 2u);
  ASSERT_EQ(p.num_args, 5u);
  EXPECT_EQ(p.args[1].space, uint32_t(PI_SPACE_WEIGHT));
  EXPECT_EQ(p.args[1].index, 1u);
  EXPECT_EQ(p.args[4].index, 1u);
  EXPECT_EQ(p.args[4].offset, 128u);
}

// Whatever LLVM may use for a level, beyond what every 64-bit CPU has, has a bit that is
// checked when the program starts. CRC32 comes with SSE4.2.
TEST(Program, AllFeaturesOfALevelAreListed) {
  auto context = makeContext();
  mlir::Location loc = mlir::UnknownLoc::get(context.get());
  auto basic = pi::cpu::createTargetMachine("x86-64", loc);
  ASSERT_TRUE(succeeded(basic));
  for (const char *cpu : {"x86-64-v3", "x86-64-v4"}) {
    auto machine = pi::cpu::createTargetMachine(cpu, loc);
    ASSERT_TRUE(succeeded(machine));
    std::string used;
    int bits = 0;
    // The keys are all features that a CPU can be asked for.
    for (const auto &feature : llvm::sys::getHostCPUFeatures()) {
      std::string name = "+" + feature.first().str();
      if (name == "+crc32" || !(*machine)->getMCSubtargetInfo()->checkFeatures(name) ||
          (*basic)->getMCSubtargetInfo()->checkFeatures(name))
        continue;
      used += name;
      ++bits;
    }
    EXPECT_GE(bits, 16) << cpu;
    EXPECT_EQ(llvm::popcount(pi::cpu::getCpuFeatures(**machine)), bits) << cpu << used;
  }
}

TEST(Program, ObjectIsDeterministic) {
  std::string first = objectOf(kText);
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(first, objectOf(kText));
}

// What a region says is in the code: no operator is behind it.
TEST(Program, RegionChangesTheObject) {
  std::string changed = kText;
  changed.replace(changed.find("arith.mulf"), 10, "arith.addf");
  EXPECT_NE(objectOf(kText), objectOf(changed));
}

TEST(Program, TextKeepsTheObject) {
  auto context = makeContext();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kText, context.get());
  ASSERT_TRUE(module && succeeded(pi::cpu::runCpuCodegen(*module, {})));
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  auto fresh = makeContext();
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(text, fresh.get());
  ASSERT_TRUE(parsed);
  auto before = pi::cpu::getObject(*module), after = pi::cpu::getObject(*parsed);
  ASSERT_TRUE(succeeded(before) && succeeded(after));
  EXPECT_EQ(*before, *after);
}

TEST(Program, MissingObjectIsAnError) {
  auto context = makeContext();
  std::string message;
  mlir::ScopedDiagnosticHandler handler(context.get(),
                                        [&](mlir::Diagnostic &diag) { message = diag.str(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>("module {}", context.get());
  EXPECT_TRUE(failed(pi::cpu::getObject(*module)));
  EXPECT_EQ(message, "holds no object");
  // An attribute whose bytes were cut off the text.
  module = mlir::parseSourceString<mlir::ModuleOp>(
      "module attributes {pi.object = dense_resource<cold_object> : tensor<4xi8>} {}",
      context.get());
  ASSERT_TRUE(module);
  message.clear();
  EXPECT_TRUE(failed(pi::cpu::getObject(*module)));
  EXPECT_EQ(message, "holds no object");
}
