// RUN: pi-opt %s --pi-phase-codegen=save-temps=%t.dir -o /dev/null
// RUN: llvm-objdump -d --no-show-raw-insn %t.dir/cold.o | FileCheck %s
// RUN: llvm-objdump -d --no-show-raw-insn %t.dir/cold.o | FileCheck %s --check-prefix=NOCALL
// RUN: llvm-nm -u %t.dir/cold.o | FileCheck %s --check-prefix=UNDEFINED --allow-empty
// RUN: llvm-nm -g %t.dir/cold.o | FileCheck %s --check-prefix=EXTERN
// RUN: sed 's/x86-64-v3/x86-64-v4/' %s > %t.v4.mlir
// RUN: pi-opt %t.v4.mlir --pi-phase-codegen=save-temps=%t.v4 -o /dev/null
// RUN: llvm-objdump -d --no-show-raw-insn %t.v4/cold.o | FileCheck %s --check-prefix=YMM
// RUN: sed 's/= 256 : i64/= 512 : i64/' %t.v4.mlir > %t.wide.mlir
// RUN: pi-opt %t.wide.mlir --pi-phase-codegen=save-temps=%t.wide -o /dev/null
// RUN: llvm-objdump -d --no-show-raw-insn %t.wide/cold.o | FileCheck %s --check-prefix=ZMM

// A pair of rows: 8 conversions and 8 multiply-adds, accumulators in registers.
// CHECK-LABEL: <matvec>:
// CHECK:       vcvtph2ps {{.*}}, %ymm
// CHECK:       vfmadd231ps %ymm{{.*}}, %ymm{{.*}}, %ymm
// CHECK:       prefetcht0

// NOCALL-NOT: {{[[:space:]]call}}
// NOCALL-NOT: (%rsp){{.*}}ymm
// UNDEFINED-NOT: {{[A-Za-z]}}
// EXTERN-NOT: matvec
// EXTERN: D pi_program_v1
// EXTERN-NOT: pi_

// YMM-NOT: zmm
// ZMM: vcvtph2ps {{.*}}, %zmm
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "cpu0" = #dlti.target_device_spec<"pi.cpu" = "x86-64-v3", "pi.vector_bits" = 256 : i64>>} {
  plan.arena @activations <activations> bytes 64
  plan.kernel @matvec on <cpu> {
  ^bb0(%token: index, %position: index, %begin: index, %end: index,
       %w: memref<128x4096xf16>, %x: memref<1x4096xf32>, %y: memref<1x128xf32>):
    plan.matvec %w, %x -> %y tiles(%begin to %end) first 0 per_tile 8 {
    ^bb0(%sum: f32):
      plan.yield %sum : f32
    } : memref<128x4096xf16>, memref<1x4096xf32> -> memref<1x128xf32>
  }
  plan.kernel @zero on <cpu> { // a loop that LLVM would turn into memset
  ^bb0(%token: index, %position: index, %begin: index, %end: index,
       %x: memref<1x4096xf32>, %y: memref<1x4096xf32>):
    plan.map ins(%x) -> %y tiles(%begin to %end) per_tile 8 {
    ^bb0(%v: f32):
      %zero = arith.constant 0.0 : f32
      plan.yield %zero : f32
    } : memref<1x4096xf32> -> memref<1x4096xf32>
  }
  plan.program @decode {
    %y = plan.buffer @activations offset 0 : memref<1x16xf32>
    plan.logits %y : memref<1x16xf32>
  }
}
