//===- Passes.td - llm to neuron -----------------------------*- tablegen -*-===//

#ifndef PI_COMPILER_CONVERSION_LLMTONEURON_PASSES_TD
#define PI_COMPILER_CONVERSION_LLMTONEURON_PASSES_TD

include "mlir/Pass/PassBase.td"

def SplitFfn : Pass<"pi-split-ffn", "::mlir::ModuleOp"> {
  let summary = "Splits feed-forward blocks into neurons";
  let description = [{
    Every `llm.ffn` of `@decode` becomes one group with all neurons of its layer,
    placed on the CPU, and the three steps over it. Layers are counted in the
    order of the blocks. Nothing is approximated: the gate (or up) row itself
    decides which neurons are active.

    Before:
    ```mlir
    %f = llm.ffn <relu> %n gate @g up @u down @d : tensor<1x8xf32>
    ```
    After:
    ```mlir
    neuron.group @layers.0.all layer 0 rows(0 to 32) on <cpu>
    ...
    %a = neuron.gate_up <relu> %n of @layers.0.all gate @g up @u
        : tensor<1x8xf32> -> !neuron.acts<32>
    %p = neuron.down %a of @layers.0.all down @d : !neuron.acts<32> -> tensor<1x8xf32>
    %f = neuron.merge %p : (tensor<1x8xf32>) -> tensor<1x8xf32>
    ```
    Idempotent: a module without `llm.ffn` is left alone.
  }];
  let dependentDialects = ["::pi::neuron::NeuronDialect"];
}

#endif // PI_COMPILER_CONVERSION_LLMTONEURON_PASSES_TD
