//===- Passes.td - Passes within one level -------------------*- tablegen -*-===//

#ifndef PI_COMPILER_TRANSFORMS_PASSES_TD
#define PI_COMPILER_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FreezeShapes : Pass<"pi-onnx-freeze-shapes", "mlir::ModuleOp"> {
  let summary = "Freeze an imported graph for one token with a past of P tokens";
  let description = [{
    Evaluates every shape and every integer value of `@main` as affine in P (batch 1,
    sequence 1), then folds what is known: shape arithmetic, positions, masks, identities.
    Afterwards:

    - every value is ranked; a dimension that depends on P is `?`;
    - float values are f32, except weights; casts between floats are gone;
    - operations that change nothing are gone: of movement, x + 0, x * 1, decided Where, and
      Max with the lowest number of a float type, which only lifts -inf in masks;
    - known static values are `onnx.Constant`, or `onnx.Affine` where they depend on P
      (as floats behind an `onnx.Cast`);
    - what is known but grows with P (masks) has been folded into its users; one that is
      still used is an error at its node.

    ```mlir
    // before
    %s = onnx.Shape %x : (tensor<*xf16>) -> tensor<*xi64>
    %r = onnx.Reshape %x, %s : (tensor<*xf16>, tensor<*xi64>) -> tensor<*xf16>
    %y = onnx.Relu %r : (tensor<*xf16>) -> tensor<*xf16>
    // after
    %y = onnx.Relu %x : (tensor<1x1x256xf32>) -> tensor<1x1x256xf32>
    ```
  }];
  let dependentDialects = ["::pi::onnx::OnnxDialect"];
}

def AddCache : Pass<"pi-onnx-add-cache", "mlir::ModuleOp"> {
  let summary = "Give a graph without past inputs a KV cache";
  let description = [{
    Does nothing where `@main` takes past keys and values. Elsewhere it makes the graph
    one of a single token: ranges over the sequence become the position P, and the keys
    and values of each attention (a product with a Softmax) are joined to new inputs
    `past_<layer>_k`, `past_<layer>_v`. Masks other than the causal one are refused at
    their node. Runs before `pi-onnx-freeze-shapes`.

    ```mlir
    // before
    %o = onnx.MatMul %probabilities, %v
    // after
    %c = onnx.Concat %past_0_v, %v {axis = 2 : i64}
    %o = onnx.MatMul %probabilities, %c
    ```
  }];
  let dependentDialects = ["::pi::onnx::OnnxDialect"];
}

#endif // PI_COMPILER_TRANSFORMS_PASSES_TD
