//===- OnnxOps.td - Import form of decoder graphs ------------*- tablegen -*-===//
// The closed list of ONNX operators that exports of decoder-only language models
// contain, kept as they come: ONNX names, ONNX attribute spellings, one op a node.
//===----------------------------------------------------------------------===//

#ifndef PI_DIALECTS_ONNX_IR_ONNXOPS_TD
#define PI_DIALECTS_ONNX_IR_ONNXOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Onnx_Dialect : Dialect {
  let name = "onnx";
  let cppNamespace = "::pi::onnx";
  let summary = "ONNX operators of decoder exports, as imported";
  let description = [{
    Mechanical: the importer makes one operation per node, the node's name is
    the operation's location, attributes keep their ONNX spelling. Tensor types
    are unranked right after import (`tensor<*xf16>`) and ranked after
    `pi-onnx-freeze-shapes`, where `?` is a dimension that grows with the past.
    Semantics are those of the ONNX operator specification, opset 13 and later;
    the importer normalises older spellings (axes as attributes).
  }];
}

class Onnx_Op<string mnemonic, list<Trait> traits = []> :
    Op<Onnx_Dialect, mnemonic, !listconcat(traits, [Pure])> {
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

class Onnx_Unary<string mnemonic, string what> : Onnx_Op<mnemonic> {
  let summary = what;
  let description = "Elementwise; see the ONNX operator of this name.";
  let arguments = (ins AnyTensor:$X);
  let results = (outs AnyTensor:$Y);
}
class Onnx_Binary<string mnemonic, string what> : Onnx_Op<mnemonic> {
  let summary = what;
  let description = "Elementwise with NumPy broadcasting; see the ONNX operator of this name.";
  let arguments = (ins AnyTensor:$A, AnyTensor:$B);
  let results = (outs AnyTensor:$C);
}

//===----------------------------------------------------------------------===//
// Constants and weights
//===----------------------------------------------------------------------===//

def Onnx_ConstantOp : Onnx_Op<"Constant", [ConstantLike]> {
  let summary = "A small constant";
  let description = [{
    Integers, booleans and small float tensors. Weights are `onnx.Weight`.

    ```mlir
    %0 = onnx.Constant dense<[1, -1]> : tensor<2xi64> : tensor<2xi64>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyStaticShapeTensor:$output);
  let assemblyFormat = "attr-dict $value `:` type($output)";
  let hasFolder = 1;
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value), [{
    build($_builder, $_state, value.getShapedType(), value);
  }]>];
}

def Onnx_AffineOp : Onnx_Op<"Affine"> {
  let summary = "An integer tensor that is affine in the past length";
  let description = [{
    Element i is `base[i] + slope[i] * P`, where P is the number of tokens in the
    KV cache. Made by `pi-onnx-freeze-shapes` from shape arithmetic.

    ```mlir
    %pos = onnx.Affine base [0] slope [1] : tensor<1x1xi64>
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$base, DenseI64ArrayAttr:$slope);
  let results = (outs AnyStaticShapeTensor:$output);
  let assemblyFormat = "`base` $base `slope` $slope attr-dict `:` type($output)";
  let hasVerifier = 1;
}

def Onnx_WeightOp : Onnx_Op<"Weight", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The value of a `pi.weight`";
  let description = [{
    ```mlir
    %w = onnx.Weight @onnx.MatMul_545 : tensor<256x1024xf16>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$weight);
  let results = (outs AnyStaticShapeTensor:$output);
  let assemblyFormat = "$weight attr-dict `:` type($output)";
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

def Onnx_AddOp : Onnx_Binary<"Add", "A + B">;
def Onnx_SubOp : Onnx_Binary<"Sub", "A - B">;
def Onnx_MulOp : Onnx_Binary<"Mul", "A * B">;
def Onnx_DivOp : Onnx_Binary<"Div", "A / B; integers truncate towards zero">;
def Onnx_ModOp : Onnx_Binary<"Mod", "A mod B, sign of B for integers">;
def Onnx_PowOp : Onnx_Binary<"Pow", "A to the power B">;
def Onnx_MaxOp : Onnx_Binary<"Max", "Larger of A and B">;
def Onnx_MinOp : Onnx_Binary<"Min", "Smaller of A and B">;
def Onnx_AndOp : Onnx_Binary<"And", "Logical and">;
def Onnx_OrOp : Onnx_Binary<"Or", "Logical or">;
def Onnx_EqualOp : Onnx_Binary<"Equal", "A == B">;
def Onnx_LessOp : Onnx_Binary<"Less", "A < B">;
def Onnx_LessOrEqualOp : Onnx_Binary<"LessOrEqual", "A <= B">;
def Onnx_GreaterOp : Onnx_Binary<"Greater", "A > B">;
def Onnx_GreaterOrEqualOp : Onnx_Binary<"GreaterOrEqual", "A >= B">;

def Onnx_NotOp : Onnx_Unary<"Not", "Logical not">;
def Onnx_NegOp : Onnx_Unary<"Neg", "-X">;
def Onnx_AbsOp : Onnx_Unary<"Abs", "Absolute value">;
def Onnx_SqrtOp : Onnx_Unary<"Sqrt", "Square root">;
def Onnx_ReciprocalOp : Onnx_Unary<"Reciprocal", "1 / X">;
def Onnx_SinOp : Onnx_Unary<"Sin", "Sine">;
def Onnx_CosOp : Onnx_Unary<"Cos", "Cosine">;
def Onnx_ReluOp : Onnx_Unary<"Relu", "max(X, 0)">;
def Onnx_SigmoidOp : Onnx_Unary<"Sigmoid", "Logistic function (SiLU gates use it)">;
def Onnx_TanhOp : Onnx_Unary<"Tanh", "Hyperbolic tangent (GELU approximations use it)">;
def Onnx_ErfOp : Onnx_Unary<"Erf", "Error function (GELU uses it)">;
def Onnx_IsNaNOp : Onnx_Unary<"IsNaN", "Is X not a number">;
def Onnx_IdentityOp : Onnx_Unary<"Identity", "X itself">;

def Onnx_GeluOp : Onnx_Op<"Gelu"> {
  let summary = "Gaussian error linear unit";
  let description = "Imported so that recognition can refuse it by name.";
  let arguments = (ins AnyTensor:$X, DefaultValuedStrAttr<StrAttr, "none">:$approximate);
  let results = (outs AnyTensor:$Y);
}
def Onnx_CastOp : Onnx_Op<"Cast"> {
  let summary = "Conversion to the result's element type";
  let description = "Between float types a storage hint, not a rounding step.";
  let arguments = (ins AnyTensor:$input);
  let results = (outs AnyTensor:$output);
}
def Onnx_WhereOp : Onnx_Op<"Where"> {
  let summary = "condition ? X : Y, with broadcasting";
  let description = "See the ONNX operator of this name.";
  let arguments = (ins AnyTensor:$condition, AnyTensor:$X, AnyTensor:$Y);
  let results = (outs AnyTensor:$output);
}

//===----------------------------------------------------------------------===//
// Shapes and movement of data
//===----------------------------------------------------------------------===//

def Onnx_ShapeOp : Onnx_Op<"Shape"> {
  let summary = "Dimensions of a tensor, from `start` up to `end`";
  let description = "An absent `end` means the rank; both may be negative.";
  let arguments = (ins AnyTensor:$data, DefaultValuedAttr<I64Attr, "0">:$start,
                       OptionalAttr<I64Attr>:$end);
  let results = (outs AnyTensor:$shape);
}
def Onnx_SizeOp : Onnx_Unary<"Size", "Number of elements">;
def Onnx_ReshapeOp : Onnx_Op<"Reshape"> {
  let summary = "Same elements, other shape";
  let description = "A 0 copies the input's dimension unless `allowzero` is 1; one -1 is inferred.";
  let arguments = (ins AnyTensor:$data, AnyTensor:$shape,
                       DefaultValuedAttr<I64Attr, "0">:$allowzero);
  let results = (outs AnyTensor:$reshaped);
}
def Onnx_FlattenOp : Onnx_Op<"Flatten"> {
  let summary = "To two dimensions, split at `axis`";
  let description = "See the ONNX operator of this name.";
  let arguments = (ins AnyTensor:$input, DefaultValuedAttr<I64Attr, "1">:$axis);
  let results = (outs AnyTensor:$output);
}
def Onnx_TransposeOp : Onnx_Op<"Transpose"> {
  let summary = "Permutes dimensions";
  let description = "An absent `perm` reverses them.";
  let arguments = (ins AnyTensor:$data, OptionalAttr<DenseI64ArrayAttr>:$perm);
  let results = (outs AnyTensor:$transposed);
}
def Onnx_UnsqueezeOp : Onnx_Op<"Unsqueeze"> {
  let summary = "Inserts dimensions of size 1";
  let description = "`axes` refer to the result's rank.";
  let arguments = (ins AnyTensor:$data, AnyTensor:$axes);
  let results = (outs AnyTensor:$expanded);
}
def Onnx_SqueezeOp : Onnx_Op<"Squeeze"> {
  let summary = "Removes dimensions of size 1";
  let description = "Absent `axes` remove all of them.";
  let arguments = (ins AnyTensor:$data, Optional<AnyTensor>:$axes);
  let results = (outs AnyTensor:$squeezed);
}
def Onnx_ExpandOp : Onnx_Op<"Expand"> {
  let summary = "Broadcast to a shape";
  let description = "Two-way broadcasting of the input's shape with `shape`.";
  let arguments = (ins AnyTensor:$input, AnyTensor:$shape);
  let results = (outs AnyTensor:$output);
}
def Onnx_ConcatOp : Onnx_Op<"Concat"> {
  let summary = "Joins tensors along `axis`";
  let description = "With one input it is the identity.";
  let arguments = (ins Variadic<AnyTensor>:$inputs, I64Attr:$axis);
  let results = (outs AnyTensor:$concat_result);
}
def Onnx_SplitOp : Onnx_Op<"Split"> {
  let summary = "Cuts a tensor along `axis`";
  let description = "Absent `split` gives equal parts; the last may be smaller.";
  let arguments = (ins AnyTensor:$input, Optional<AnyTensor>:$split,
                       DefaultValuedAttr<I64Attr, "0">:$axis);
  let results = (outs Variadic<AnyTensor>:$outputs);
}
def Onnx_SliceOp : Onnx_Op<"Slice", [AttrSizedOperandSegments]> {
  let summary = "A strided part of a tensor";
  let description = "See the ONNX operator of this name.";
  let arguments = (ins AnyTensor:$data, AnyTensor:$starts, AnyTensor:$ends,
                       Optional<AnyTensor>:$axes, Optional<AnyTensor>:$steps);
  let results = (outs AnyTensor:$output);
}
def Onnx_GatherOp : Onnx_Op<"Gather"> {
  let summary = "Elements at indices along `axis`";
  let description = "Negative indices count from the end.";
  let arguments = (ins AnyTensor:$data, AnyTensor:$indices,
                       DefaultValuedAttr<I64Attr, "0">:$axis);
  let results = (outs AnyTensor:$output);
}
def Onnx_GatherNDOp : Onnx_Op<"GatherND"> {
  let summary = "Slices at index tuples, as newer exporters write masks";
  let description = [{
    The last dimension of `indices` holds tuples; see the ONNX operator of this name.
  }];
  let arguments = (ins AnyTensor:$data, AnyTensor:$indices,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs AnyTensor:$output);
}
def Onnx_RangeOp : Onnx_Op<"Range"> {
  let summary = "start, start + delta, ... below limit";
  let description = "See the ONNX operator of this name.";
  let arguments = (ins AnyTensor:$start, AnyTensor:$limit, AnyTensor:$delta);
  let results = (outs AnyTensor:$output);
}
def Onnx_ConstantOfShapeOp : Onnx_Op<"ConstantOfShape"> {
  let summary = "A tensor filled with one value";
  let description = "`value` has one element.";
  let arguments = (ins AnyTensor:$input, ElementsAttr:$value);
  let results = (outs AnyTensor:$output);
}
def Onnx_CumSumOp : Onnx_Op<"CumSum"> {
  let summary = "Running sum along `axis`";
  let description = "See the ONNX operator of this name.";
  let arguments = (ins AnyTensor:$x, AnyTensor:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$exclusive,
                       DefaultValuedAttr<I64Attr, "0">:$reverse);
  let results = (outs AnyTensor:$y);
}
def Onnx_TriluOp : Onnx_Op<"Trilu"> {
  let summary = "Upper or lower triangle";
  let description = "`upper` keeps the elements on and above diagonal `k`.";
  let arguments = (ins AnyTensor:$input, Optional<AnyTensor>:$k,
                       DefaultValuedAttr<I64Attr, "1">:$upper);
  let results = (outs AnyTensor:$output);
}

//===----------------------------------------------------------------------===//
// Contractions and normalisations
//===----------------------------------------------------------------------===//

def Onnx_MatMulOp : Onnx_Binary<"MatMul", "NumPy matrix product">;
def Onnx_GemmOp : Onnx_Op<"Gemm"> {
  let summary = "alpha * A' * B' + beta * C";
  let description = "A', B' are transposed where `transA`, `transB` are 1.";
  let arguments = (ins AnyTensor:$A, AnyTensor:$B, Optional<AnyTensor>:$C,
                       DefaultValuedAttr<F32Attr, "1.0f">:$alpha,
                       DefaultValuedAttr<F32Attr, "1.0f">:$beta,
                       DefaultValuedAttr<I64Attr, "0">:$transA,
                       DefaultValuedAttr<I64Attr, "0">:$transB);
  let results = (outs AnyTensor:$Y);
}
def Onnx_SoftmaxOp : Onnx_Op<"Softmax"> {
  let summary = "Softmax along `axis`";
  let description = "See the ONNX operator of this name (opset 13 and later).";
  let arguments = (ins AnyTensor:$input, DefaultValuedAttr<I64Attr, "-1">:$axis);
  let results = (outs AnyTensor:$output);
}
def Onnx_ReduceMeanOp : Onnx_Op<"ReduceMean"> {
  let summary = "Mean over axes";
  let description = "Axes given as an attribute before opset 18 become a constant.";
  let arguments = (ins AnyTensor:$data, Optional<AnyTensor>:$axes,
                       DefaultValuedAttr<I64Attr, "1">:$keepdims);
  let results = (outs AnyTensor:$reduced);
}
def Onnx_LayerNormalizationOp : Onnx_Op<"LayerNormalization"> {
  let summary = "Layer normalisation from `axis` on";
  let description = "Only the first result is kept.";
  let arguments = (ins AnyTensor:$X, AnyTensor:$Scale, Optional<AnyTensor>:$B,
                       DefaultValuedAttr<I64Attr, "-1">:$axis,
                       DefaultValuedAttr<F32Attr, "1e-5f">:$epsilon);
  let results = (outs AnyTensor:$Y);
}
def Onnx_RMSNormalizationOp : Onnx_Op<"RMSNormalization"> {
  let summary = "Root-mean-square normalisation from `axis` on";
  let description = "Opset 23, and SimplifiedLayerNormalization of older tools.";
  let arguments = (ins AnyTensor:$X, AnyTensor:$Scale,
                       DefaultValuedAttr<I64Attr, "-1">:$axis,
                       DefaultValuedAttr<F32Attr, "1e-5f">:$epsilon);
  let results = (outs AnyTensor:$Y);
}

#endif // PI_DIALECTS_ONNX_IR_ONNXOPS_TD
