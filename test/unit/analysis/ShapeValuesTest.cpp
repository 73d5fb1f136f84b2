//===- ShapeValuesTest.cpp - What is known of values, for every past length -===//

#include "compiler/Analysis/InputBinding.h"
#include "dialects/Onnx/IR/Onnx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace pi;

namespace {

/// Evaluates a body over (%ids, %past [1, 2, P, 4], %mask [1, P + 1], %pos [1, 1]) that
/// returns one value; the facts of that value.
class Evaluated {
public:
  explicit Evaluated(const std::string &body, const std::string &type = "tensor<*xi64>") {
    context.loadDialect<func::FuncDialect, onnx::OnnxDialect>();
    std::string text =
        "func.func @main(%ids: tensor<?x?xi64> {onnx.name = \"input_ids\"}, %past: "
        "tensor<?x2x?x4xf16> {onnx.name = \"past_0_k\"}, %mask: tensor<?x?xi64> {onnx.name = "
        "\"attention_mask\"}, %pos: tensor<?x?xi64> {onnx.name = \"position_ids\"}) -> " +
        type + " {\n" + body + "\nreturn %r : " + type + "\n}";
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    if (!module)
      return;
    auto function = module->lookupSymbol<func::FuncOp>("main");
    if (failed(bindInputs(function, values)))
      return;
    for (Operation &op : function.getBody().front().without_terminator())
      if (failed(values.visit(&op, why)))
        return;
    facts = values.lookup(function.getBody().front().getTerminator()->getOperand(0));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  ShapeValues values;
  std::string why;
  const ValueFacts *facts = nullptr;
};

using Elements = SmallVector<Affine>;

const std::string kPastLength = R"(
  %shape = onnx.Shape %past : (tensor<?x2x?x4xf16>) -> tensor<*xi64>
  %two = onnx.Constant dense<2> : tensor<i64> : tensor<i64>
  %zero = onnx.Constant dense<0> : tensor<i64> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64> : tensor<i64>
  %p = onnx.Gather %shape, %two : (tensor<*xi64>, tensor<i64>) -> tensor<*xi64>
)";

TEST(ShapeValues, ShapeOfPast) {
  Evaluated e("%r = onnx.Shape %past : (tensor<?x2x?x4xf16>) -> tensor<*xi64>");
  ASSERT_TRUE(e.facts);
  EXPECT_EQ(*e.facts->getElements(), (Elements{{1, 0}, {2, 0}, {0, 1}, {4, 0}}));
}

TEST(ShapeValues, RangeGrowsWithThePast) {
  Evaluated e(kPastLength + R"(
    %end = onnx.Add %p, %one : (tensor<*xi64>, tensor<i64>) -> tensor<*xi64>
    %r = onnx.Range %one, %end, %one : (tensor<i64>, tensor<*xi64>, tensor<i64>) -> tensor<*xi64>)");
  ASSERT_TRUE(e.facts) << e.why;
  EXPECT_EQ(e.facts->shape, (AffineShape{{0, 1}}));
  const auto *linear = e.facts->get<LinearContent>();
  ASSERT_TRUE(linear);
  EXPECT_EQ(linear->value, (Affine{1, 0}));
  EXPECT_EQ(linear->coefs, (SmallVector<int64_t, 4>{1}));
}

TEST(ShapeValues, ComparisonsHoldForEveryPastOrNotAtAll) {
  auto compare = [](const std::string &op, const std::string &bound) {
    return kPastLength +
           "%i = onnx.Range %zero, %p, %one : (tensor<i64>, tensor<*xi64>, tensor<i64>) -> "
           "tensor<*xi64>\n" +
           bound + "\n%r = onnx." + op + " %i, %b : (tensor<*xi64>, tensor<*xi64>) -> tensor<*xi1>";
  };
  // i in [0, P - 1] against P: less, never greater.
  std::string past = "%b = onnx.Identity %p : (tensor<*xi64>) -> tensor<*xi64>";
  Evaluated less(compare("Less", past), "tensor<*xi1>");
  ASSERT_TRUE(less.facts);
  EXPECT_EQ(less.facts->getSplat(), (Affine{1, 0}));
  Evaluated greater(compare("GreaterOrEqual", past), "tensor<*xi1>");
  EXPECT_EQ(greater.facts->getSplat(), (Affine{0, 0}));
  // Against the constant 2 it depends on P: not decided.
  std::string two = "%b = onnx.Identity %two : (tensor<i64>) -> tensor<*xi64>";
  Evaluated open(compare("Less", two), "tensor<*xi1>");
  ASSERT_TRUE(open.facts);
  EXPECT_FALSE(open.facts->hasContent());
  // Equal to something inside the range: not decided either.
  Evaluated equal(compare("Equal", two), "tensor<*xi1>");
  EXPECT_FALSE(equal.facts->hasContent());
}

TEST(ShapeValues, ReshapeInfersFromThePast) {
  Evaluated e(R"(
    %s = onnx.Constant dense<[0, -1, 8]> : tensor<3xi64> : tensor<3xi64>
    %r = onnx.Reshape %past, %s : (tensor<?x2x?x4xf16>, tensor<3xi64>) -> tensor<*xf16>)",
              "tensor<*xf16>");
  ASSERT_TRUE(e.facts) << e.why;
  EXPECT_EQ(e.facts->shape, (AffineShape{{1, 0}, {0, 1}, {8, 0}}));
}

TEST(ShapeValues, SliceOfTheLastPosition) {
  Evaluated e(R"(
    %a = onnx.Constant dense<1> : tensor<i64> : tensor<i64>
    %c = onnx.CumSum %mask, %a : (tensor<?x?xi64>, tensor<i64>) -> tensor<*xi64>
    %s = onnx.Constant dense<-1> : tensor<1xi64> : tensor<1xi64>
    %e = onnx.Constant dense<9223372036854775807> : tensor<1xi64> : tensor<1xi64>
    %x = onnx.Constant dense<1> : tensor<1xi64> : tensor<1xi64>
    %r = onnx.Slice %c, %s, %e, %x {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}
      : (tensor<*xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xi64>)");
  ASSERT_TRUE(e.facts) << e.why;
  EXPECT_EQ(e.facts->shape, (AffineShape{{1, 0}, {1, 0}}));
  EXPECT_EQ(e.facts->getSplat(), (Affine{1, 1})); // P + 1 ones
}

TEST(ShapeValues, ReasonsForUnknownShapes) {
  Evaluated two(R"(
    %s = onnx.Constant dense<[-1, -1]> : tensor<2xi64> : tensor<2xi64>
    %r = onnx.Reshape %past, %s : (tensor<?x2x?x4xf16>, tensor<2xi64>) -> tensor<*xf16>)",
                "tensor<*xf16>");
  EXPECT_FALSE(two.facts);
  EXPECT_EQ(two.why, "the target shape has two -1");
  Evaluated gather(R"(
    %i = onnx.Constant dense<7> : tensor<i64> : tensor<i64>
    %s = onnx.Shape %past : (tensor<?x2x?x4xf16>) -> tensor<*xi64>
    %r = onnx.Gather %s, %i : (tensor<*xi64>, tensor<i64>) -> tensor<*xi64>)");
  EXPECT_FALSE(gather.facts);
  EXPECT_EQ(gather.why, "an index is outside the dimension");
}

} // namespace
