// RUN: pi-opt %s --pi-attach-target=cpu=x86-64-v3 --pi-emit-program | FileCheck %s --check-prefix=V3
// RUN: pi-opt %s --pi-attach-target=cpu=x86-64-v4 --pi-emit-program | FileCheck %s --check-prefix=V4
// RUN: not pi-opt %s --pi-emit-program 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not pi-opt %s --pi-emit-object 2>&1 | FileCheck %s --check-prefix=NONE

// The feature bits of pi_abi.h: all but the five of AVX-512, and all.
// V3: @pi_program_v1
// V3: llvm.mlir.constant(2096903 : i32)
// V4: @pi_program_v1
// V4: llvm.mlir.constant(2097151 : i32)
// NONE: error: does not say for which CPU code is to be made
module {
  plan.arena @activations <activations> bytes 64
  plan.program @decode {
    %x = plan.buffer @activations offset 0 : memref<1x8xf32>
    plan.logits %x : memref<1x8xf32>
  }
}
