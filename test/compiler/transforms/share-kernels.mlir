// RUN: pi-opt %s --pi-share-kernels | FileCheck %s
// RUN: pi-opt %s --pi-share-kernels --pi-share-kernels | FileCheck %s

// A symbol that is no kernel keeps its name: the kernels count on from there.
pi.weight @add : tensor<4xf32> from <file = "a", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
plan.arena @activations <activations>

// CHECK: plan.kernel @add_1 on <cpu>
// CHECK: arith.addf
plan.kernel @add_1 on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x4xf32>):
  plan.map ins(%x) -> %x tiles(%begin to %end) per_tile 64 {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    plan.yield %s : f32
  } : memref<1x4xf32> -> memref<1x4xf32>
}
// Equal to @add_1.
plan.kernel @add_2 on <cpu> {
^bb0(%t: index, %p: index, %b: index, %e: index, %y: memref<1x4xf32>):
  plan.map ins(%y) -> %y tiles(%b to %e) per_tile 64 {
  ^bb0(%v: f32):
    %s = arith.addf %v, %v : f32
    plan.yield %s : f32
  } : memref<1x4xf32> -> memref<1x4xf32>
}
// Another operation, another tile size, another place, another shape.
// CHECK: plan.kernel @add_2 on <cpu>
// CHECK: arith.mulf
plan.kernel @add_3 on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x4xf32>):
  plan.map ins(%x) -> %x tiles(%begin to %end) per_tile 64 {
  ^bb0(%a: f32):
    %s = arith.mulf %a, %a : f32
    plan.yield %s : f32
  } : memref<1x4xf32> -> memref<1x4xf32>
}
// CHECK: plan.kernel @add_3 on <cpu>
// CHECK: per_tile 32
plan.kernel @add_4 on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x4xf32>):
  plan.map ins(%x) -> %x tiles(%begin to %end) per_tile 32 {
  ^bb0(%a: f32):
    %s = arith.mulf %a, %a : f32
    plan.yield %s : f32
  } : memref<1x4xf32> -> memref<1x4xf32>
}
// CHECK: plan.kernel @add_4 on <gpu0>
plan.kernel @add_5 on <gpu0> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x4xf32>):
  plan.map ins(%x) -> %x tiles(%begin to %end) per_tile 32 {
  ^bb0(%a: f32):
    %s = arith.mulf %a, %a : f32
    plan.yield %s : f32
  } : memref<1x4xf32> -> memref<1x4xf32>
}
// CHECK: plan.kernel @map8 on <cpu>
plan.kernel @map8 on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x8xf32>):
  plan.map ins(%x) -> %x tiles(%begin to %end) per_tile 32 {
  ^bb0(%a: f32):
    %s = arith.mulf %a, %a : f32
    plan.yield %s : f32
  } : memref<1x8xf32> -> memref<1x8xf32>
}

// CHECK-NOT: plan.kernel
// CHECK-LABEL: plan.program @decode
plan.program @decode {
  %x = plan.buffer @activations : memref<1x4xf32>
  %y = plan.buffer @activations : memref<1x8xf32>
  // CHECK: plan.dispatch @add_1 tiles 1(
  // CHECK-NEXT: plan.dispatch @add_1 tiles 2(
  // CHECK-NEXT: plan.dispatch @add_2 tiles 1(
  // CHECK-NEXT: plan.dispatch @add_3 tiles 1(
  // CHECK-NEXT: plan.dispatch @add_4 tiles 1(
  // CHECK-NEXT: plan.dispatch @map8 tiles 1(
  plan.dispatch @add_1 tiles 1 (%x) : memref<1x4xf32>
  plan.dispatch @add_2 tiles 2 (%x) : memref<1x4xf32>
  plan.dispatch @add_3 tiles 1 (%x) : memref<1x4xf32>
  plan.dispatch @add_4 tiles 1 (%x) : memref<1x4xf32>
  plan.dispatch @add_5 tiles 1 (%x) : memref<1x4xf32>
  plan.dispatch @map8 tiles 1 (%y) : memref<1x8xf32>
  plan.logits %x : memref<1x4xf32>
}
