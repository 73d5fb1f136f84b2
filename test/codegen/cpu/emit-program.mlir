// RUN: pi-opt %s --pi-attach-target --pi-emit-program --split-input-file --verify-diagnostics | FileCheck %s

module attributes {pi.model = #pi.model<family = "llama", positions = 64, capacity = 48, bos = 1,
    eos = [2], tokenizer = "t.json", exact = false>} {
  pi.weight @w : tensor<8xf32>
      from <file = "m", offset = 16, bytes = 32, type = tensor<8xf32>, encoding = raw>
  plan.arena @activations <activations> bytes 128
  plan.arena @kv <kv_cache> bytes 256
  func.func private @scale(%token: index, %position: index, %begin: index, %end: index,
                           %a: memref<1x8xf32>, %w: memref<8xf32>, %y: memref<1x8xf32>) {
    %v = memref.load %a[%begin, %position] : memref<1x8xf32>
    memref.store %v, %y[%begin, %token] : memref<1x8xf32>
    return
  }
  plan.program @decode {
    %x = plan.buffer @activations offset 0 : memref<1x8xf32>
    %y = plan.buffer @kv offset 64 : memref<1x8xf32>
    %w = plan.weight @w : memref<8xf32>
    plan.dispatch @scale tiles 3 (%x, %w, %y) : memref<1x8xf32>, memref<8xf32>, memref<1x8xf32>
    %a = plan.buffer @activations offset 64 : memref<5xf32>
    plan.trace %a input %x layer 7 : memref<5xf32>, memref<1x8xf32>
    plan.logits %x : memref<1x8xf32>
  }
}

// CHECK:       pi.weight @w
// CHECK-LABEL: llvm.func internal @scale(
// CHECK-SAME:      %[[CALL:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
// CHECK-SAME:      no_unwind, passthrough = ["no-builtins", ["min-legal-vector-width", "256"], ["prefer-vector-width", "256"]]
// CHECK:         llvm.getelementptr %[[CALL]][8]
// CHECK:         llvm.getelementptr %[[CALL]][16]
// CHECK:         llvm.getelementptr %[[ARGS]][2]
// CHECK:         memref.load
// CHECK:         llvm.return
// CHECK:       llvm.mlir.global internal constant @pi_kernels() {{.*}} : !llvm.array<1 x struct<(ptr, ptr)>>
// CHECK:         llvm.mlir.addressof @scale
// CHECK:       llvm.mlir.global internal constant @pi_name.scale("scale\00")
// CHECK:       llvm.mlir.global internal constant @pi_arenas()
// CHECK:       llvm.mlir.global internal constant @pi_args(
// CHECK-SAME:      {{\[}}[0 : i32, 0 : i32, 0], [1 : i32, 0 : i32, 0], [0 : i32, 1 : i32, 64]]
// The trace: activations, input, layer, features of the input, neurons.
// CHECK:       llvm.mlir.global internal constant @pi_traces(
// CHECK-SAME:      {{\[}}{{\[}}[0 : i32, 0 : i32, 64], [0 : i32, 0 : i32, 0], 7 : i32, 8 : i32, 5]]
// CHECK:       llvm.mlir.global internal constant @pi_steps(
// CHECK-SAME:      {{\[}}[0 : i32, 0 : i32, 3 : i32, 0 : i32, 3]]
// CHECK:       llvm.mlir.global external constant @pi_program_v1()
// CHECK-NOT:   plan.

// -----

module {
  // expected-error @+2 {{'plan.arena' op has no size}}
  // expected-note @+1 {{pi-plan-memory sets sizes and offsets}}
  plan.arena @activations <activations>
  plan.program @decode {
    %x = plan.buffer @activations : memref<1x8xf32>
    plan.logits %x : memref<1x8xf32>
  }
}

// -----

module {
  plan.arena @activations <activations> bytes 64
  plan.program @decode {
    // expected-error @+2 {{'plan.buffer' op has no offset}}
    // expected-note @+1 {{pi-plan-memory sets sizes and offsets}}
    %x = plan.buffer @activations : memref<1x8xf32>
    plan.logits %x : memref<1x8xf32>
  }
}

// -----

module {
  plan.arena @activations <activations> bytes 64
  plan.kernel @later on <gpu0> {
  ^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x8xf32>):
  }
  plan.program @decode {
    %x = plan.buffer @activations offset 0 : memref<1x8xf32>
    // expected-error @+1 {{names a kernel that has no CPU code: @later}}
    plan.dispatch @later tiles 1 (%x) : memref<1x8xf32>
    plan.logits %x : memref<1x8xf32>
  }
}

// -----

// expected-error @+1 {{needs exactly one plan.program, got 0}}
module {
}

// -----

// Indices are those of what is stored: parts of bundles have none.
module {
  pi.weight @up : tensor<2x4xf32>
      from <file = "m", offset = 0, bytes = 32, type = tensor<2x4xf32>, encoding = raw>
  pi.weight @v : tensor<8xf32>
      from <file = "m", offset = 0, bytes = 32, type = tensor<8xf32>, encoding = raw>
  pi.bundle @rows : tensor<2x8xf32> of [@up, @down]
  pi.weight @down : tensor<2x4xf32>
      from <file = "m", offset = 0, bytes = 32, type = tensor<2x4xf32>, encoding = raw>
  pi.weight @w : tensor<8xf32>
      from <file = "m", offset = 0, bytes = 32, type = tensor<8xf32>, encoding = raw>
  plan.arena @activations <activations> bytes 128
  func.func private @use(%token: index, %position: index, %begin: index, %end: index,
                         %v: memref<8xf32>, %r: memref<2x8xf32>, %w: memref<8xf32>) {
    return
  }
  plan.program @decode {
    %x = plan.buffer @activations offset 0 : memref<1x8xf32>
    %r = plan.weight @rows : memref<2x8xf32>
    %v = plan.weight @v : memref<8xf32>
    %w = plan.weight @w : memref<8xf32>
    plan.dispatch @use tiles 1 (%v, %r, %w) : memref<8xf32>, memref<2x8xf32>, memref<8xf32>
    plan.logits %x : memref<1x8xf32>
  }
}
// CHECK:      llvm.mlir.global internal constant @pi_args(
// CHECK-SAME:   {{\[}}[1 : i32, 0 : i32, 0], [1 : i32, 1 : i32, 0], [1 : i32, 2 : i32, 0]]
