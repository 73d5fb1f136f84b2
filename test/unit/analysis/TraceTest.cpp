//===- TraceTest.cpp - Where elements come from -===//

#include "compiler/Conversion/OnnxToLlm/Trace.h"
#include "dialects/Onnx/IR/Onnx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace pi;
using namespace pi::raise;

namespace {

/// Traces the result of a function of one static argument.
class Traced {
public:
  explicit Traced(const std::string &text) {
    context.loadDialect<func::FuncDialect, onnx::OnnxDialect>();
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    auto function = *module->getOps<func::FuncOp>().begin();
    BlockArgument arg = function.getArgument(0);
    AffineShape shape;
    for (int64_t d : cast<RankedTensorType>(arg.getType()).getShape())
      shape.push_back({d, 0});
    values.set(arg, {shape, {}});
    std::string why;
    for (Operation &op : function.getBody().front().without_terminator())
      EXPECT_TRUE(succeeded(values.visit(&op, why))) << why;
    Value result = function.getBody().front().getTerminator()->getOperand(0);
    Tracer tracer(values, 3);
    for (const Element &e : tracer.trace(result)) {
      EXPECT_EQ(e.root, arg);
      elements.push_back(e.sign * (e.index + 1)); // sign survives at index 0
    }
    strippedToArgument = tracer.strip(result) == arg;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  ShapeValues values;
  SmallVector<int64_t> elements;
  bool strippedToArgument = false;
};

using Ints = SmallVector<int64_t>;

TEST(Trace, RotateHalf) {
  Traced t(R"(func.func @f(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
    %z = onnx.Constant dense<0> : tensor<1xi64> : tensor<1xi64>
    %h = onnx.Constant dense<2> : tensor<1xi64> : tensor<1xi64>
    %e = onnx.Constant dense<9223372036854775807> : tensor<1xi64> : tensor<1xi64>
    %a = onnx.Constant dense<-1> : tensor<1xi64> : tensor<1xi64>
    %lo = onnx.Slice %x, %z, %h, %a {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<1x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2xf32>
    %hi = onnx.Slice %x, %h, %e, %a {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<1x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2xf32>
    %n = onnx.Neg %hi : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %r = onnx.Concat %n, %lo {axis = -1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
    return %r : tensor<1x4xf32> })");
  EXPECT_EQ(t.elements, (Ints{-3, -4, 1, 2}));
}

TEST(Trace, RepeatedHeads) {
  Traced t(R"(func.func @f(%x: tensor<1x2x1x2xf32>) -> tensor<1x4x1x2xf32> {
    %a = onnx.Constant dense<2> : tensor<1xi64> : tensor<1xi64>
    %w = onnx.Constant dense<[1, 2, 2, 1, 2]> : tensor<5xi64> : tensor<5xi64>
    %s = onnx.Constant dense<[1, 4, 1, 2]> : tensor<4xi64> : tensor<4xi64>
    %u = onnx.Unsqueeze %x, %a : (tensor<1x2x1x2xf32>, tensor<1xi64>) -> tensor<1x2x1x1x2xf32>
    %e = onnx.Expand %u, %w : (tensor<1x2x1x1x2xf32>, tensor<5xi64>) -> tensor<1x2x2x1x2xf32>
    %r = onnx.Reshape %e, %s : (tensor<1x2x2x1x2xf32>, tensor<4xi64>) -> tensor<1x4x1x2xf32>
    return %r : tensor<1x4x1x2xf32> })");
  EXPECT_EQ(t.elements, (Ints{1, 2, 1, 2, 3, 4, 3, 4}));
  EXPECT_FALSE(t.strippedToArgument);
}

TEST(Trace, GatherSplitAndTranspose) {
  Traced gather(R"(func.func @f(%x: tensor<1x2x3xf32>) -> tensor<1x2xf32> {
    %i = onnx.Constant dense<-1> : tensor<i64> : tensor<i64>
    %r = onnx.Gather %x, %i {axis = -1 : i64} : (tensor<1x2x3xf32>, tensor<i64>) -> tensor<1x2xf32>
    return %r : tensor<1x2xf32> })");
  EXPECT_EQ(gather.elements, (Ints{3, 6}));
  Traced split(R"(func.func @f(%x: tensor<2x4xf32>) -> tensor<2x2xf32> {
    %a:2 = onnx.Split %x {axis = -1 : i64} : (tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
    return %a#1 : tensor<2x2xf32> })");
  EXPECT_EQ(split.elements, (Ints{3, 4, 7, 8}));
  Traced turned(R"(func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
    %r = onnx.Transpose %x : (tensor<2x3xf32>) -> tensor<3x2xf32>
    return %r : tensor<3x2xf32> })");
  EXPECT_EQ(turned.elements, (Ints{1, 4, 2, 5, 3, 6}));
  EXPECT_FALSE(turned.strippedToArgument);
  // Moving a dimension of 1 keeps the order.
  Traced moved(R"(func.func @f(%x: tensor<1x1x2x3xf32>) -> tensor<1x2x1x3xf32> {
    %r = onnx.Transpose %x {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x1x2x3xf32>) -> tensor<1x2x1x3xf32>
    return %r : tensor<1x2x1x3xf32> })");
  EXPECT_TRUE(moved.strippedToArgument);
}

} // namespace
