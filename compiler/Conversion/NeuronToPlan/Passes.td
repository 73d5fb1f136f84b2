//===- Passes.td - neuron to plan ----------------------------*- tablegen -*-===//

#ifndef PI_COMPILER_CONVERSION_NEURONTOPLAN_PASSES_TD
#define PI_COMPILER_CONVERSION_NEURONTOPLAN_PASSES_TD

include "mlir/Pass/PassBase.td"

def NeuronToPlan : Pass<"pi-neuron-to-plan", "::mlir::ModuleOp"> {
  let summary = "Turns the decode step into buffers, kernels and dispatches";
  let description = [{
    The function `@decode` becomes `plan.program @decode`: one `plan.dispatch` a
    barrier, one `plan.kernel` a dispatch (`pi-share-kernels` makes equal ones
    one). Barriers are what costs at batch 1, so a dispatch takes in

    - all `llm.linear` that read the same value, one after the other in tile space;
    - the `llm.norm` in front of it: every thread computes the row for itself;
    - rotation, append and attention of one key/value head a tile;
    - bias and residual sums, as scalar epilogue, where the other operand of the
      `llm.add` has been computed by then. Any other sum is a `plan.map`.

    Values live in buffers of the arena `activations`, keys and values in `kv`.
    Sizes of tiles depend on shapes alone. `neuron.group` stays as the list of
    groups. With `instrument` activations and inputs of feed-forward blocks are left in
    buffers; all else is computed as without.

    Before:
    ```mlir
    func.func @decode(%token: index, %position: index) -> tensor<1x16xf32> {
      %x = llm.embed %token at %position table @table : tensor<1x8xf32>
      %n = llm.norm <rms> %x weight @w eps 1.0e-5 : tensor<1x8xf32>
      %l = llm.logits %n head @head : tensor<1x8xf32> -> tensor<1x16xf32>
      return %l : tensor<1x16xf32>
    }
    ```
    After:
    ```mlir
    plan.arena @activations <activations>
    plan.arena @kv <kv_cache>
    plan.kernel @embed_token on <cpu> { ... plan.embed ... }
    plan.kernel @logits on <cpu> { ... plan.local, plan.norm, plan.matvec ... }
    plan.program @decode {
      %t = plan.weight @table : memref<16x8xf16>
      %x = plan.buffer @activations : memref<1x8xf32>
      plan.dispatch @embed_token tiles 1 (%t, %x) : memref<16x8xf16>, memref<1x8xf32>
      ...
      plan.logits %l : memref<1x16xf32>
    }
    ```
  }];
  let options = [
    Option<"instrument", "instrument", "bool", "false",
           "show what neurons do in buffers that plan.trace names, for a profile">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::pi::plan::PlanDialect"];
}

def ShareKernels : Pass<"pi-share-kernels", "::mlir::ModuleOp"> {
  let summary = "Makes equal kernels one";
  let description = [{
    Kernels whose place and bodies are equal (locations and names apart) are one
    kernel: the first stays, dispatches of the others name it. Names are then
    closed up: `norm_qkv`, and `norm_qkv_1` only where a second body exists.

    Before: `plan.kernel @out_proj`, `plan.kernel @out_proj_1` with equal bodies.
    After: `plan.kernel @out_proj`. Idempotent.
  }];
}

def PlanMemory : Pass<"pi-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Gives every buffer an offset in its arena";
  let description = [{
    Buffers of an `activations` arena share memory where no dispatch sees both,
    judged by the interval from the first to the last dispatch that names them
    (`plan.logits` counts as one more, at the end). Buffers of a `kv_cache` arena
    lie one after the other. Offsets are multiples of 64; the arena's `bytes` is
    the end of its last buffer. Idempotent.

    Before: `%x = plan.buffer @activations : memref<1x8xf32>`
    After: `%x = plan.buffer @activations offset 64 : memref<1x8xf32>`
  }];
}

#endif // PI_COMPILER_CONVERSION_NEURONTOPLAN_PASSES_TD
