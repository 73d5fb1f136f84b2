//===- ProgramTest.cpp - The constant tables and the object -===//

#include "codegen/Cpu/CpuCodegen.h"
#include "mlir/Parser/Parser.h"
#include "test/numeric/CompiledKernel.h"
#include <gtest/gtest.h>

using namespace pi::test;

static const char *kText = R"(
module attributes {pi.model = #pi.model<family = "llama", positions = 64, capacity = 48, bos = 1,
    eos = [2], tokenizer = "t.json", exact = false>} {
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
  EXPECT_EQ(p.cpu_features,
            uint32_t(PI_CPU_AVX2 | PI_CPU_FMA | PI_CPU_F16C | PI_CPU_AVX | PI_CPU_BMI1 |
                     PI_CPU_BMI2 | PI_CPU_LZCNT | PI_CPU_MOVBE | PI_CPU_POPCNT | PI_CPU_SSE42));
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
