// RUN: pi-opt %s --pi-attach-target --pi-emit-object=save-temps=%t.dir | FileCheck %s
// RUN: llvm-nm %t.dir/cold.o | FileCheck %s --check-prefix=NM
// RUN: FileCheck %s --check-prefix=LL < %t.dir/cold.ll
// RUN: echo > %t.file && not pi-opt %s --pi-attach-target --pi-emit-object=save-temps=%t.file/sub 2>&1 | FileCheck %s --check-prefix=UNWRITABLE

// CHECK:     module attributes {{{.*}}pi.object = dense_resource<cold_object> : tensor<{{[0-9]+}}xi8>}
// CHECK:       pi.weight @w
// CHECK-NOT:   llvm.
// CHECK:     dialect_resources
// CHECK:       cold_object: "0x100000007F454C46
// NM: r answer
// LL: target triple = "x86_64-unknown-linux-gnu"
// UNWRITABLE: error: cannot write {{.*}}
// UNWRITABLE: note: --save-temps needs a folder that can be written
module {
  pi.weight @w : tensor<8xf32>
      from <file = "m", offset = 16, bytes = 32, type = tensor<8xf32>, encoding = raw>
  llvm.mlir.global internal constant @answer(42 : i32) : i32
  llvm.mlir.global external constant @pointer() : !llvm.ptr {
    %0 = llvm.mlir.addressof @answer : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
}
