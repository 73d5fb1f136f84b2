//===- OpTable.cpp - Which ONNX operators are imported, and how -===//

#include "compiler/Import/OpTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace pi;
using R = ResultElement;
using K = AttrKind;

static constexpr AttrRule kAxis[] = {{"axis", K::Int}};
static constexpr AttrRule kCast[] = {{"to", K::Used}, {"saturate", K::MustBe, 1}};
static constexpr AttrRule kConstant[] = {{"value", K::Used},
                                         {"value_int", K::Used},
                                         {"value_ints", K::Used},
                                         {"value_float", K::Used},
                                         {"value_floats", K::Used}};
static constexpr AttrRule kValue[] = {{"value", K::Used}};
static constexpr AttrRule kCumSum[] = {{"exclusive", K::Int}, {"reverse", K::Int}};
static constexpr AttrRule kGatherND[] = {{"batch_dims", K::Int}};
static constexpr AttrRule kGelu[] = {{"approximate", K::String}};
static constexpr AttrRule kGemm[] = {
    {"alpha", K::Float}, {"beta", K::Float}, {"transA", K::Int}, {"transB", K::Int}};
static constexpr AttrRule kMod[] = {{"fmod", K::MustBe, 0}};
static constexpr AttrRule kNorm[] = {
    {"axis", K::Int}, {"epsilon", K::Float}, {"stash_type", K::MustBe, 1}};
static constexpr AttrRule kReduce[] = {
    {"axes", K::Operand, 1}, {"keepdims", K::Int}, {"noop_with_empty_axes", K::Used}};
static constexpr AttrRule kReshape[] = {{"allowzero", K::Int}};
static constexpr AttrRule kShape[] = {{"start", K::Int}, {"end", K::Int}};
static constexpr AttrRule kSlice[] = {
    {"starts", K::Operand, 1}, {"ends", K::Operand, 2}, {"axes", K::Operand, 3}};
static constexpr AttrRule kSplit[] = {
    {"axis", K::Int}, {"split", K::Operand, 1}, {"num_outputs", K::Used}};
static constexpr AttrRule kSqueeze[] = {{"axes", K::Operand, 1}};
static constexpr AttrRule kTranspose[] = {{"perm", K::Ints}};
static constexpr AttrRule kTrilu[] = {{"upper", K::Int}};

// Sorted by name.
static const OpRule kRules[] = {
    {"Abs", 1, 1},
    {"Add", 2, 2},
    {"And", 2, 2, R::Bool},
    {"Cast", 1, 1, R::FromTo, kCast},
    {"Concat", 1, kAnyCount, R::Operand0, kAxis},
    {"Constant", 0, 0, R::Special, kConstant},
    {"ConstantOfShape", 1, 1, R::Special, kValue},
    {"Cos", 1, 1},
    {"CumSum", 2, 2, R::Operand0, kCumSum},
    {"Div", 2, 2},
    {"Equal", 2, 2, R::Bool},
    {"Erf", 1, 1},
    {"Expand", 2, 2},
    {"Flatten", 1, 1, R::Operand0, kAxis},
    {"Gather", 2, 2, R::Operand0, kAxis},
    {"GatherND", 2, 2, R::Operand0, kGatherND},
    {"Gelu", 1, 1, R::Operand0, kGelu},
    {"Gemm", 2, 3, R::Operand0, kGemm},
    {"Greater", 2, 2, R::Bool},
    {"GreaterOrEqual", 2, 2, R::Bool},
    {"Identity", 1, 1},
    {"IsNaN", 1, 1, R::Bool},
    {"LayerNormalization", 2, 3, R::Operand0, kNorm},
    {"Less", 2, 2, R::Bool},
    {"LessOrEqual", 2, 2, R::Bool},
    {"MatMul", 2, 2},
    {"Max", 2, 2},
    {"Min", 2, 2},
    {"Mod", 2, 2, R::Operand0, kMod},
    {"Mul", 2, 2},
    {"Neg", 1, 1},
    {"Not", 1, 1, R::Bool},
    {"Or", 2, 2, R::Bool},
    {"Pow", 2, 2},
    {"RMSNormalization", 2, 2, R::Operand0, kNorm},
    {"Range", 3, 3},
    {"Reciprocal", 1, 1},
    {"ReduceMean", 1, 2, R::Operand0, kReduce},
    {"Relu", 1, 1},
    {"Reshape", 2, 2, R::Operand0, kReshape},
    {"Shape", 1, 1, R::Int64, kShape},
    {"Sigmoid", 1, 1},
    {"SimplifiedLayerNormalization", 2, 2, R::Operand0, kNorm, "RMSNormalization"},
    {"Sin", 1, 1},
    {"Size", 1, 1, R::Int64},
    {"Slice", 3, 5, R::Operand0, kSlice},
    {"Softmax", 1, 1, R::Operand0, kAxis},
    {"Split", 1, 2, R::Operand0, kSplit},
    {"Sqrt", 1, 1},
    {"Squeeze", 1, 2, R::Operand0, kSqueeze},
    {"Sub", 2, 2},
    {"Tanh", 1, 1},
    {"Transpose", 1, 1, R::Operand0, kTranspose},
    {"Trilu", 1, 2, R::Operand0, kTrilu},
    {"Unsqueeze", 2, 2, R::Operand0, kSqueeze},
    {"Where", 3, 3, R::Operand1},
};

const OpRule *pi::findOpRule(llvm::StringRef onnx) {
  const auto *found = llvm::find_if(kRules, [&](const OpRule &rule) { return rule.onnx == onnx; });
  return found == std::end(kRules) ? nullptr : found;
}

bool pi::isWeightOperand(llvm::StringRef onnx, unsigned index) {
  if (onnx == "Gather")
    return index == 0;
  if (onnx == "MatMul")
    return true;
  if (onnx == "Gemm" || onnx == "LayerNormalization" || onnx == "RMSNormalization" ||
      onnx == "SimplifiedLayerNormalization")
    return index >= 1;
  return false;
}
