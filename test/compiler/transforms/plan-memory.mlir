// RUN: pi-opt %s --pi-plan-memory | FileCheck %s
// RUN: pi-opt %s --pi-plan-memory --pi-plan-memory | FileCheck %s

// Two live rows of 128 bytes and one of 64, never more than two of them at a time.
// CHECK: plan.arena @activations <activations> bytes 256
plan.arena @activations <activations>
// Caches live for ever: one after the other.
// CHECK: plan.arena @kv <kv_cache> bytes 192
plan.arena @kv <kv_cache>
plan.kernel @k on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x32xf32>, %y: memref<1x32xf32>):
}
plan.kernel @l on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x32xf32>, %y: memref<1x4xf32>):
}
// CHECK-LABEL: plan.program @decode
plan.program @decode {
  // CHECK: plan.buffer @kv offset 0 : memref<1x3x1xf16>
  %c0 = plan.buffer @kv : memref<1x3x1xf16>
  // CHECK: plan.buffer @kv offset 64 : memref<17xf32>
  %c1 = plan.buffer @kv : memref<17xf32>
  // CHECK: plan.buffer @activations offset 0 : memref<1x32xf32>
  %x = plan.buffer @activations : memref<1x32xf32>
  // CHECK: plan.buffer @activations offset 128 : memref<1x32xf32>
  %y = plan.buffer @activations : memref<1x32xf32>
  // %x is dead here: %z takes its place.
  // CHECK: plan.buffer @activations offset 0 : memref<1x32xf32>
  %z = plan.buffer @activations : memref<1x32xf32>
  // The logits live to the end.
  // CHECK: plan.buffer @activations offset 128 : memref<1x4xf32>
  %l = plan.buffer @activations : memref<1x4xf32>
  plan.dispatch @k tiles 1 (%x, %y) : memref<1x32xf32>, memref<1x32xf32>
  plan.dispatch @k tiles 1 (%y, %z) : memref<1x32xf32>, memref<1x32xf32>
  plan.dispatch @l tiles 1 (%z, %l) : memref<1x32xf32>, memref<1x4xf32>
  plan.logits %l : memref<1x4xf32>
}
