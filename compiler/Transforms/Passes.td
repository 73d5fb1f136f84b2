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

def AttachProfile : Pass<"pi-attach-profile", "::mlir::ModuleOp"> {
  let summary = "Says of each group how often its neurons were active";
  let description = [{
    Reads a profile that `pi-profile` wrote and sets `profile` on every `neuron.group`. A
    profile of another model is an error. Without a file nothing changes.

    Before: `neuron.group @layers.0.all layer 0 rows(0 to 4) on <cpu> weights [...]`
    After: `... weights [...] profile <tokens = 100, counts = dense<...> : tensor<4xi64>>`
  }];
  let options = [
    Option<"file", "file", "std::string", "\"\"", "the profile (.piprof); empty: none">,
  ];
  let dependentDialects = ["::pi::neuron::NeuronDialect"];
}

def PartitionNeurons : Pass<"pi-partition-neurons", "::mlir::ModuleOp"> {
  let summary = "Chooses what goes to the GPU, and splits groups into hot and cold";
  let description = [{
    Asks `placeNeurons` (compiler/Analysis/Placement.h) with the sizes of the module, the
    speeds of its devices "cpu0" and "gpu0", and the frequencies of its profiles. A group of
    which a part goes to the GPU becomes two: hot rows first, then cold ones by hotness,
    both in the `order` that is made for the layer. The decision and its cost are recorded
    as `pi.placement`; profiles are dropped. Without a device "gpu0" nothing is placed.

    A budget below what anything needs is an error that names the smallest one that fits.

    Before:
    ```mlir
    neuron.group @layers.0.all layer 0 rows(0 to 4) on <cpu> weights [@u, @d] profile <...>
    %a = neuron.gate_up <relu> %n of @layers.0.all up @u : ... -> !neuron.acts<4>
    %p = neuron.down %a of @layers.0.all down @d : ...
    %f = neuron.merge %p : ...
    ```
    After:
    ```mlir
    pi.order @layers.0.order = dense_resource<layers.0.order> : tensor<4xi32>
    neuron.group @layers.0.hot layer 0 rows(0 to 1) on <gpu0> weights [@u, @d] order @layers.0.order
    neuron.group @layers.0.cold layer 0 rows(1 to 4) on <cpu> weights [@u, @d] order @layers.0.order
    %a = neuron.gate_up <relu> %n of @layers.0.hot up @u : ... -> !neuron.acts<1>
    %p = neuron.down %a of @layers.0.hot down @d : ...
    %b = neuron.gate_up <relu> %n of @layers.0.cold up @u : ... -> !neuron.acts<3>
    %q = neuron.down %b of @layers.0.cold down @d : ...
    %f = neuron.merge %p, %q : ...
    ```
  }];
  let options = [
    Option<"budget", "budget", "int64_t", "0",
           "bytes of device memory to use; 0: all of it">,
    Option<"reserve", "reserve", "int64_t", "-1",
           "of them for the driver; -1: 500 MiB, or 0 where the budget is below 1 GiB">,
    Option<"placement", "placement", "std::string", "\"neurons\"",
           "neurons; layers: whole layers, dense, as a baseline; or none">,
    Option<"weights", "weights", "std::string", "\"as-stored\"",
           "type that matrices will have: as-stored or f32">,
  ];
  let dependentDialects = ["::pi::neuron::NeuronDialect"];
}

def PermuteNeurons : Pass<"pi-permute-neurons", "::mlir::ModuleOp"> {
  let summary = "Puts the rows of each layer's weights in the order of its groups";
  let description = [{
    Gate, up, down and bias of a layer get the `order` of its groups as part of their
    layout, all together, and the groups lose it: they are then contiguous ranges of the
    weights as they will lie in the executable. A weight that several layers use gets a
    copy of the symbol for each; one that is in an order already gets a new order, of both.
    Idempotent.

    Before: `neuron.group @g layer 0 rows(0 to 1) on <gpu0> weights [@u, @d] order @o`
    After: `pi.weight @u : ... layout <transpose = false, rows = [] order = @o>`, the same of
    `@d`, and `neuron.group @g layer 0 rows(0 to 1) on <gpu0> weights [@u, @d]`
  }];
  let dependentDialects = ["::pi::neuron::NeuronDialect"];
}

def PackNeurons : Pass<"pi-pack-neurons", "::mlir::ModuleOp"> {
  let summary = "Gives each group weights of its own, and bundles rows of cold ones";
  let description = [{
    A weight of a layer that has several groups becomes one per group, which holds the
    group's rows alone: `<group>.gate`, `.up`, `.down`, `.up_bias`. Those of groups on gpu0
    come first in the module, one after the other, so that they are one range of the
    executable. In groups on the CPU that have a gate, `up` and `down` become a bundle
    `<group>.rows`: both rows of a neuron are read where its gate lets it through, and then
    lie in one piece. A weight that others use, too, is not bundled. Groups in an `order` are
    an error: `pi-permute-neurons` comes first. Idempotent.

    Before:
    ```mlir
    pi.weight @g : tensor<4x2xf16> ..., the same of @u and @d
    neuron.group @layers.0.hot layer 0 rows(0 to 1) on <gpu0> weights [@g, @u, @d]
    neuron.group @layers.0.cold layer 0 rows(1 to 4) on <cpu> weights [@g, @u, @d]
    ```
    After:
    ```mlir
    pi.weight @layers.0.hot.gate : tensor<1x2xf16> ... layout <transpose = false, rows = [] part = [0, 1]>
    ...
    pi.weight @layers.0.cold.gate : tensor<3x2xf16> ... layout <transpose = false, rows = [] part = [1, 4]>
    pi.bundle @layers.0.cold.rows : tensor<3x4xf16> of [@layers.0.cold.up, @layers.0.cold.down]
    neuron.group @layers.0.hot layer 0 rows(0 to 1) on <gpu0>
        weights [@layers.0.hot.gate, @layers.0.hot.up, @layers.0.hot.down]
    neuron.group @layers.0.cold layer 0 rows(1 to 4) on <cpu>
        weights [@layers.0.cold.gate, @layers.0.cold.up, @layers.0.cold.down]
    ```
  }];
  let options = [
    Option<"bundle", "bundle", "std::string", "\"cold\"",
           "bundles on the CPU: cold (in layers of several groups), all or none">,
  ];
  let dependentDialects = ["::pi::neuron::NeuronDialect"];
}

#endif // PI_COMPILER_TRANSFORMS_PASSES_TD
