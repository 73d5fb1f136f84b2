//===- Passes.td - onnx to llm -------------------------------*- tablegen -*-===//

#ifndef PI_COMPILER_CONVERSION_ONNXTOLLM_PASSES_TD
#define PI_COMPILER_CONVERSION_ONNXTOLLM_PASSES_TD

include "mlir/Pass/PassBase.td"

def RaiseTransformerBlocks : Pass<"pi-raise-transformer-blocks", "mlir::ModuleOp"> {
  let summary = "Recognise transformer blocks in a frozen graph";
  let description = [{
    Walks `@main` from the logits backwards and builds `@decode` of `llm` operations.
    Layouts (transposed weights, fused QKV, repeated heads) become `#pi.layout` on
    weights named by their role (`layers.3.gate`); the family is read off the structure.
    Whatever cannot be raised is an error at its node, all of them in one run. Of a
    module that has `@decode` already (imported from safetensors), only the KV caches
    get the type `kv`.

    ```mlir
    // before
    %g = onnx.MatMul %n, %gate : (tensor<1x1x8xf32>, tensor<8x24xf16>) -> tensor<1x1x24xf32>
    %r = onnx.Relu %g : (tensor<1x1x24xf32>) -> tensor<1x1x24xf32>
    %d = onnx.MatMul %r, %down : (tensor<1x1x24xf32>, tensor<24x8xf16>) -> tensor<1x1x8xf32>
    // after
    %d = llm.ffn <relu> %n up @layers.0.up down @layers.0.down : tensor<1x8xf32>
    ```
  }];
  let options = [
    Option<"kv", "kv", "std::string", "\"f32\"", "element type of the KV cache: f32 or f16">,
  ];
  let dependentDialects = ["::pi::llm::LlmDialect", "::pi::PiDialect"];
}

#endif // PI_COMPILER_CONVERSION_ONNXTOLLM_PASSES_TD
