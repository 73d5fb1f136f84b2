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

TEST(ShapeValues, FloatsDivideAsFloats) {
  // [1, P] as floats, halved: 0.5 is no integer.
  Evaluated e(R"(
    %n = onnx.Affine base [1, 0] slope [0, 1] : tensor<2xi64>
    %d = onnx.Affine base [2, 2] slope [0, 0] : tensor<2xi64>
    %x = onnx.Cast %n : (tensor<2xi64>) -> tensor<*xf32>
    %y = onnx.Cast %d : (tensor<2xi64>) -> tensor<*xf32>
    %r = onnx.Div %x, %y : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>)",
              "tensor<*xf32>");
  ASSERT_TRUE(e.facts) << e.why;
  EXPECT_FALSE(e.facts->hasContent());
}

TEST(ShapeValues, FloatElementsAreFollowed) {
  // Inverse frequencies as models make them: 1 / 16 ^ ([0, 2] / 4).
  Evaluated e(R"(
    %zero = onnx.Constant dense<0> : tensor<i64> : tensor<i64>
    %four = onnx.Constant dense<4> : tensor<i64> : tensor<i64>
    %two = onnx.Constant dense<2> : tensor<i64> : tensor<i64>
    %i = onnx.Range %zero, %four, %two : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<*xi64>
    %f = onnx.Cast %i : (tensor<*xi64>) -> tensor<*xf32>
    %n = onnx.Constant dense<4.0> : tensor<f32> : tensor<f32>
    %x = onnx.Div %f, %n : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
    %theta = onnx.Constant dense<16.0> : tensor<f32> : tensor<f32>
    %p = onnx.Pow %theta, %x : (tensor<f32>, tensor<*xf32>) -> tensor<*xf32>
    %r = onnx.Reciprocal %p : (tensor<*xf32>) -> tensor<*xf32>)",
              "tensor<*xf32>");
  ASSERT_TRUE(e.facts) << e.why;
  const auto *floats = e.facts->get<FloatElements>();
  ASSERT_TRUE(floats);
  EXPECT_EQ(floats->values, (SmallVector<double>{1.0, 0.25}));
}

TEST(ShapeValues, TriangleTimesZeroIsZero) {
  // The rows of a causal mask that hides nothing: which are kept does not matter.
  Evaluated e(kPastLength + R"(
    %ones = onnx.Constant dense<1> : tensor<1xi64> : tensor<1xi64>
    %cols = onnx.Reshape %p, %ones : (tensor<*xi64>, tensor<1xi64>) -> tensor<*xi64>
    %dims = onnx.Concat %ones, %cols {axis = 0 : i64}
      : (tensor<1xi64>, tensor<*xi64>) -> tensor<*xi64>
    %full = onnx.ConstantOfShape %dims {value = dense<-65504.0> : tensor<1xf32>}
      : (tensor<*xi64>) -> tensor<*xf32>
    %upper = onnx.Trilu %full, %one : (tensor<*xf32>, tensor<i64>) -> tensor<*xf32>
    %none = onnx.Constant dense<0.0> : tensor<f32> : tensor<f32>
    %r = onnx.Mul %upper, %none : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>)",
              "tensor<*xf32>");
  ASSERT_TRUE(e.facts) << e.why;
  ASSERT_TRUE(e.facts->get<FloatSplat>());
  EXPECT_EQ(e.facts->get<FloatSplat>()->value, 0);
}

TEST(ShapeValues, SizeThatIsNotAffine) {
  Evaluated e(kPastLength + R"(
    %v = onnx.Constant dense<1> : tensor<1xi64> : tensor<1xi64>
    %q = onnx.Reshape %p, %v : (tensor<*xi64>, tensor<1xi64>) -> tensor<*xi64>
    %d = onnx.Concat %q, %q {axis = 0 : i64} : (tensor<*xi64>, tensor<*xi64>) -> tensor<*xi64>
    %t = onnx.ConstantOfShape %d {value = dense<0> : tensor<1xi64>}
      : (tensor<*xi64>) -> tensor<*xi64>
    %r = onnx.Size %t : (tensor<*xi64>) -> tensor<*xi64>)");
  ASSERT_TRUE(e.facts) << e.why;
  EXPECT_FALSE(e.facts->hasContent());
}

TEST(ShapeValues, LeastIntegerHasNoQuotient) {
  Evaluated e(R"(
    %a = onnx.Constant dense<-9223372036854775808> : tensor<1xi64> : tensor<1xi64>
    %b = onnx.Constant dense<-1> : tensor<1xi64> : tensor<1xi64>
    %q = onnx.Div %a, %b : (tensor<1xi64>, tensor<1xi64>) -> tensor<*xi64>
    %r = onnx.Mod %q, %b : (tensor<*xi64>, tensor<1xi64>) -> tensor<*xi64>)");
  ASSERT_TRUE(e.facts) << e.why;
  EXPECT_EQ(e.facts->getSplat(), (Affine{0, 0}));
}

TEST(ShapeValues, NegativeDimensionsAreRefused) {
  auto withShape = [](const std::string &use) {
    return "%d = onnx.Constant dense<[-2, -2]> : tensor<2xi64> : tensor<2xi64>\n"
           "%s = onnx.Constant dense<[1, 2, 3, 4]> : tensor<4xi64> : tensor<4xi64>\n" +
           use;
  };
  Evaluated reshape(
      withShape("%r = onnx.Reshape %s, %d : (tensor<4xi64>, tensor<2xi64>) -> tensor<*xi64>"));
  EXPECT_FALSE(reshape.facts);
  EXPECT_EQ(reshape.why, "a dimension of the target shape may be negative");
  Evaluated filled(withShape("%r = onnx.ConstantOfShape %d {value = dense<0> : tensor<1xi64>} : "
                             "(tensor<2xi64>) -> tensor<*xi64>"));
  EXPECT_FALSE(filled.facts);
  EXPECT_EQ(filled.why, "a dimension may be negative");
  Evaluated split("%s = onnx.Constant dense<[1, 2, 3, 4]> : tensor<4xi64> : tensor<4xi64>\n"
                  "%p = onnx.Constant dense<[-1, 5]> : tensor<2xi64> : tensor<2xi64>\n"
                  "%r, %q = onnx.Split %s, %p : (tensor<4xi64>, tensor<2xi64>) -> (tensor<*xi64>, "
                  "tensor<*xi64>)");
  EXPECT_FALSE(split.facts);
  EXPECT_EQ(split.why, "the parts do not add up to the dimension");
}

} // namespace
