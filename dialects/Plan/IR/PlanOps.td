//===- PlanOps.td - Program level of the exit dialect --------*- tablegen -*-===//

#ifndef PI_DIALECTS_PLAN_IR_PLANOPS_TD
#define PI_DIALECTS_PLAN_IR_PLANOPS_TD

include "dialects/Plan/IR/PlanBase.td"

def Plan_ArenaOp : Plan_Op<"arena", [Symbol]> {
  let summary = "One allocation of the runtime";
  let description = [{
    `bytes` is set by `pi-plan-memory`; the runtime allocates exactly that, zeroed,
    64-byte aligned.

    - arena_c1: `bytes` is at least 0.

    ```mlir
    plan.arena @activations <activations> bytes 4096
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Plan_ArenaKindAttr:$kind,
                       OptionalAttr<I64Attr>:$bytes, OptionalAttr<StrAttr>:$sym_visibility);
  let assemblyFormat = "$sym_name $kind (`bytes` $bytes^)? attr-dict";
  let hasVerifier = 1;
}

def Plan_KernelOp : Plan_Op<"kernel", [Symbol, IsolatedFromAbove, NoTerminator,
                                       SingleBlock]> {
  let summary = "Body of one generated function";
  let description = [{
    Block arguments: token id, position, first tile, one past the last tile (all
    `index`), then the memrefs a dispatch passes. The body is a sequence of tile
    operations.

    - kernel_c1: the first four arguments are `index`, the rest memrefs of static shape.

    ```mlir
    plan.kernel @add on <cpu> {
    ^bb0(%token: index, %position: index, %begin: index, %end: index,
         %a: memref<1x256xf32>, %b: memref<1x256xf32>, %y: memref<1x256xf32>):
      plan.map ins(%a, %b) -> %y tiles(%begin to %end) per_tile 64 {
      ^bb0(%l: f32, %r: f32):
        %s = arith.addf %l, %r : f32
        plan.yield %s : f32
      } : memref<1x256xf32>, memref<1x256xf32> -> memref<1x256xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Pi_PlaceAttr:$place,
                       OptionalAttr<StrAttr>:$sym_visibility);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `on` $place attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Number of leading `index` arguments of the body.
    static constexpr unsigned kNumIndexArgs = 4;
    ::mlir::Block *getBlock() { return &getBody().front(); }
    ::mlir::Value getToken() { return getBlock()->getArgument(0); }
    ::mlir::Value getPosition() { return getBlock()->getArgument(1); }
    ::mlir::Value getBegin() { return getBlock()->getArgument(2); }
    ::mlir::Value getEnd() { return getBlock()->getArgument(3); }
  }];
}

def Plan_ProgramOp : Plan_Op<"program", [Symbol, NoTerminator, SingleBlock]> {
  let summary = "The steps of one token";
  let description = [{
    Buffers, weights and dispatches in order of execution. `logits` names the
    buffer that holds the result.

    ```mlir
    plan.program @decode {
      %x = plan.buffer @activations offset 0 : memref<1x256xf32>
      %w = plan.weight @norm : memref<256xf32>
      plan.dispatch @norm tiles 1 (%x, %w) : memref<1x256xf32>, memref<256xf32>
      plan.logits %x : memref<1x256xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Plan_BufferOp : Plan_Op<"buffer", [MemoryEffects<[MemAlloc]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A buffer in an arena";
  let description = [{
    - buffer_c1: after `pi-plan-memory`, `offset` is a multiple of 64 and the
      buffer ends inside the arena.

    ```mlir
    %x = plan.buffer @activations offset 0 : memref<1x256xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$arena, OptionalAttr<I64Attr>:$offset);
  let results = (outs AnyStaticShapeMemRef:$result);
  let assemblyFormat = "$arena (`offset` $offset^)? attr-dict `:` type($result)";
}

def Plan_WeightOp : Plan_Op<"weight", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A weight in the payload";
  let description = [{
    - weight_c1: shape and element type equal those of the `pi.weight` or `pi.bundle`.
    - weight_c2: a part of a bundle has no place of its own: the bundle is named.

    ```mlir
    %w = plan.weight @l0.gate : memref<1024x256xf16>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$weight);
  let results = (outs AnyStaticShapeMemRef:$result);
  let assemblyFormat = "$weight attr-dict `:` type($result)";
}

def Plan_DispatchOp : Plan_Op<"dispatch",
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "One step: a kernel over a number of tiles";
  let description = [{
    All threads have finished one dispatch before the next begins.

    - dispatch_c1: the operand types equal the kernel's memref arguments.
    - dispatch_c2: tiles >= 1.

    ```mlir
    plan.dispatch @add tiles 4 (%a, %b, %y) : memref<1x256xf32>, memref<1x256xf32>, memref<1x256xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, I64Attr:$tiles,
                       Variadic<AnyStaticShapeMemRef>:$args);
  let assemblyFormat = "$kernel `tiles` $tiles `(` $args `)` attr-dict `:` type($args)";
}

def Plan_LogitsOp : Plan_Op<"logits"> {
  let summary = "Names the buffer of logits";
  let description = [{
    ```mlir
    plan.logits %l : memref<1x4096xf32>
    ```
  }];
  let arguments = (ins Plan_F32Mem:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
}

def Plan_ActivityOp : Plan_Op<"activity"> {
  let summary = "Names the buffer that counts a group's active neurons";
  let description = [{
    After the last step `counts` holds, per tile, how many of the `neurons` neurons of a
    group of `layer` were active for the token.

    - activity_c1: `layer` is from 0 to 65535, `neurons` at least 1.

    ```mlir
    plan.activity %c layer 0 neurons 1024 : memref<16xf32>
    ```
  }];
  let arguments = (ins Plan_F32Mem:$counts, I64Attr:$layer, I64Attr:$neurons);
  let assemblyFormat = "$counts `layer` $layer `neurons` $neurons attr-dict `:` type($counts)";
  let hasVerifier = 1;
}

def Plan_TraceOp : Plan_Op<"trace"> {
  let summary = "Names the buffers that show what a layer's neurons did";
  let description = [{
    Of an instrumented program, for profiles. After the last step `activations` holds
    |activation| of each neuron of `layer` that was active for the token, and less than 0
    for any other; `input` is the row that the feed-forward block read.

    - trace_c1: `layer` is from 0 to 65535, `activations` of rank 1.

    ```mlir
    plan.trace %a input %x layer 0 : memref<1024xf32>, memref<1x256xf32>
    ```
  }];
  let arguments = (ins Plan_F32Mem:$activations, Plan_F32Mem:$input, I64Attr:$layer);
  let assemblyFormat = [{
    $activations `input` $input `layer` $layer attr-dict
    `:` type($activations) `,` type($input)
  }];
  let hasVerifier = 1;
}

include "dialects/Plan/IR/PlanTileOps.td"

#endif // PI_DIALECTS_PLAN_IR_PLANOPS_TD
