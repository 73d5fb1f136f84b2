// RUN: pi-opt %s --pi-attach-target --pi-phase-codegen=save-temps=%t.relu -o /dev/null
// RUN: sed 's/arith.maximumf/arith.minimumf/' %s > %t.other.mlir
// RUN: pi-opt %t.other.mlir --pi-attach-target --pi-phase-codegen=save-temps=%t.other -o /dev/null
// RUN: not cmp %t.relu/cold.o %t.other/cold.o
// RUN: pi-opt %s --pi-attach-target --pi-phase-codegen=save-temps=%t.again -o /dev/null
// RUN: cmp %t.relu/cold.o %t.again/cold.o
// RUN: llvm-nm %t.relu/cold.o | FileCheck %s

// The activation is printed from the region: another one gives another object; the
// same text gives the same bytes.
// CHECK: t ffn
module {
  plan.arena @activations <activations> bytes 64
  plan.kernel @ffn on <cpu> {
  ^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x32xf32>,
       %u: memref<64x32xf16>, %i: memref<64xi32>, %a: memref<64xf32>, %c: memref<4xf32>):
    plan.select %x, %u -> %i, %a, %c rows(0 to 64) tiles(%begin to %end) per_tile 16 {
    ^bb0(%pre: f32):
      %zero = arith.constant 0.0 : f32
      %1 = arith.maximumf %pre, %zero : f32
      plan.yield %1 : f32
    } : memref<1x32xf32>, memref<64x32xf16> -> memref<64xi32>, memref<64xf32>, memref<4xf32>
  }
  plan.program @decode {
    %y = plan.buffer @activations offset 0 : memref<1x16xf32>
    plan.logits %y : memref<1x16xf32>
  }
}
