// RUN: not pi-opt %s --pi-emit-program=cpu=pentium9 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not pi-opt %s --pi-emit-program=cpu=x86-64-v2 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: pi-opt %s --pi-emit-program=cpu=x86-64-v4 | FileCheck %s --check-prefix=V4

// UNKNOWN: error: unknown CPU 'pentium9'
// UNKNOWN: note: use x86-64-v3 or x86-64-v4; pi-attach-target resolves native
// OLD: error: unknown CPU 'x86-64-v2'
// All feature bits of pi_abi.h.
// V4: @pi_program_v1
// V4: llvm.mlir.constant(32767 : i32)
module {
  plan.arena @activations <activations> bytes 64
  plan.program @decode {
    %x = plan.buffer @activations offset 0 : memref<1x8xf32>
    plan.logits %x : memref<1x8xf32>
  }
}
