// RUN: not pi-opt %s --pi-attach-target --pi-emit-object 2>&1 | FileCheck %s

// CHECK: error: the generated code calls 'expf', which nothing provides
module {
  llvm.func @expf(f32) -> f32
  llvm.func @f(%x: f32) -> f32 {
    %0 = llvm.call @expf(%x) : (f32) -> f32
    llvm.return %0 : f32
  }
}
