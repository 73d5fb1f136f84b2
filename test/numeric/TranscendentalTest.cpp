//===- TranscendentalTest.cpp - The own exp, sin and cos in ulp -===//

#include "codegen/Cpu/ExpVector.h"
#include "codegen/Cpu/SinCos.h"
#include "dialects/Plan/IR/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "test/numeric/CompiledKernel.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace pi::test;

namespace {
constexpr int64_t kLength = 10003; // three scalars at the end

/// A program whose kernel applies what `build` writes to every element of row 0 and
/// stores to row 1.
std::unique_ptr<CompiledProgram>
compileFunction(llvm::function_ref<mlir::Value(pi::cpu::VectorBuilder &, mlir::Value)> build) {
  auto context = makeContext();
  context->loadDialect<mlir::math::MathDialect, mlir::vector::VectorDialect>();
  std::string type = "memref<1x" + std::to_string(kLength) + "xf32>";
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(makeModuleText({type, type}, ""), context.get());
  if (!module)
    return nullptr;
  auto kernel = *module->getOps<pi::plan::KernelOp>().begin();
  mlir::OpBuilder builder(kernel);
  auto functionType =
      builder.getFunctionType(kernel.getBlock()->getArgumentTypes(), mlir::TypeRange());
  auto function = mlir::func::FuncOp::create(builder, kernel.getLoc(), "k", functionType);
  function.setPrivate();
  kernel.erase();
  mlir::Block *block = function.addEntryBlock();
  builder.setInsertionPointToStart(block);
  auto end = mlir::func::ReturnOp::create(builder, function.getLoc());
  pi::cpu::VectorBuilder b(function.getLoc(), 8, end);
  pi::cpu::Row x = b.row(block->getArgument(4)), y = b.row(block->getArgument(5));
  b.forChunks(b.index(0), b.index(kLength),
              [&](mlir::Value j, int64_t n) { b.store(build(b, b.load(x, j, n)), y, j); });
  return CompiledProgram::create(*module);
}

/// Distance of `got` from `expected` in units of the last place of a float there.
double ulps(float got, double expected) {
  if (std::isnan(expected))
    return std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(static_cast<float>(expected)))
    return got == static_cast<float>(expected) ? 0 : INFINITY;
  int exponent;
  std::frexp(expected, &exponent);
  return std::abs(got - expected) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

/// Largest error in ulp over kLength points from `low` to `high`.
double worst(const CompiledProgram &program, double low, double high, double (*reference)(double)) {
  GuardedBuffer x({1, kLength}, Dtype::F32), y({1, kLength}, Dtype::F32);
  for (int64_t i = 0; i < kLength; ++i)
    x.set(i, static_cast<float>(low + (high - low) * double(i) / (kLength - 1)));
  program.call({&x, &y}, 0, 1);
  double largest = 0;
  for (int64_t i = 0; i < kLength; ++i)
    largest = std::max(largest, ulps(y.get(i), reference(x.get(i))));
  return largest;
}
} // namespace

TEST(Exp, WithinOneUlp) {
  auto program = compileFunction([](auto &b, auto x) { return pi::cpu::buildExp(b, x); });
  ASSERT_TRUE(program);
  auto exp = [](double x) { return std::exp(x); };
  EXPECT_LE(worst(*program, -87.3, 0, exp), 1.0);
  EXPECT_LE(worst(*program, -1, 1, exp), 1.0);
  EXPECT_LE(worst(*program, 0, 88.7, exp), 1.0);
  EXPECT_LE(worst(*program, -104.5, -87.3, exp), 1.5); // subnormal results
  EXPECT_EQ(worst(*program, 89, 1000, exp), 0.0);      // all infinite
}

TEST(Exp, SpecialValues) {
  auto program = compileFunction([](auto &b, auto x) { return pi::cpu::buildExp(b, x); });
  ASSERT_TRUE(program);
  GuardedBuffer x({1, kLength}, Dtype::F32), y({1, kLength}, Dtype::F32);
  const float inputs[] = {0.0f, -0.0f, -INFINITY, INFINITY, NAN, -1e30f, 1e30f, -104.1f};
  const float outputs[] = {1.0f, 1.0f, 0.0f, INFINITY, NAN, 0.0f, INFINITY, 0.0f};
  // Once in a vector and, for three of them, once in the scalar tail.
  for (int64_t at : {int64_t(0), kLength - 8})
    for (int64_t i = 0; i < 8; ++i)
      x.set(at + i, inputs[i]);
  program->call({&x, &y}, 0, 1);
  for (int64_t at : {int64_t(0), kLength - 8})
    for (int64_t i = 0; i < 8; ++i)
      EXPECT_EQ(ulps(y.get(at + i), outputs[i]), 0.0) << inputs[i];
}

// 0.5 is what rounding the exact value costs; f64 adds less than 1e-6 of an ulp of f32.
TEST(SinCos, CorrectlyRounded) {
  auto sine = compileFunction([](auto &b, auto x) { return pi::cpu::buildSinCos(b, x).sin; });
  auto cosine = compileFunction([](auto &b, auto x) { return pi::cpu::buildSinCos(b, x).cos; });
  ASSERT_TRUE(sine && cosine);
  auto sin = [](double x) { return std::sin(x); };
  auto cos = [](double x) { return std::cos(x); };
  for (double high : {1.0, 10.0, 1000.0, 1e6, 8e6}) {
    EXPECT_LE(worst(*sine, -high, high, sin), 0.50001) << high;
    EXPECT_LE(worst(*cosine, -high, high, cos), 0.50001) << high;
  }
}

// f32 numbers next to multiples of pi/2, where the reduction cancels most.
TEST(SinCos, NearZeros) {
  auto sine = compileFunction([](auto &b, auto x) { return pi::cpu::buildSinCos(b, x).sin; });
  ASSERT_TRUE(sine);
  GuardedBuffer x({1, kLength}, Dtype::F32), y({1, kLength}, Dtype::F32);
  for (int64_t i = 0; i < kLength; ++i)
    x.set(i, static_cast<float>(M_PI * double(i * 31)));
  sine->call({&x, &y}, 0, 1);
  for (int64_t i = 0; i < kLength; ++i)
    EXPECT_LE(ulps(y.get(i), std::sin(double(x.get(i)))), 0.50001) << x.get(i);
}
