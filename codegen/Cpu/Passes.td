//===- Passes.td - Passes from plan to an object for the CPU -*- tablegen -*-===//

#ifndef PI_CODEGEN_CPU_PASSES_TD
#define PI_CODEGEN_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def ColdToVector : Pass<"pi-cold-to-vector", "::mlir::ModuleOp"> {
  let summary = "Turn kernels on the CPU into functions of loops over vectors";
  let description = [{
    Every `plan.kernel` on <cpu> becomes a private `func.func` of the same name and
    arguments. Vectors have `pi.vector_bits` bits (device "cpu0" of the target spec).
    Results do not depend on how tiles are shared out.

    Before:

    ```mlir
    plan.kernel @relu on <cpu> {
    ^bb0(%token: index, %position: index, %begin: index, %end: index,
         %x: memref<1x64xf32>, %y: memref<1x64xf32>):
      plan.map ins(%x) -> %y tiles(%begin to %end) per_tile 16 {...}
          : memref<1x64xf32> -> memref<1x64xf32>
    }
    ```

    After:

    ```mlir
    func.func private @relu(%token: index, %position: index, %begin: index, %end: index,
                            %x: memref<1x64xf32>, %y: memref<1x64xf32>) {
      scf.for %j = %first to %last step %c8 {
        %v = vector.load %x[%c0, %j] : memref<1x64xf32>, vector<8xf32>
        ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def EmitProgram : Pass<"pi-emit-program", "::mlir::ModuleOp"> {
  let summary = "Turn the program into the constant tables of the ABI";
  let description = [{
    `plan.program`, its arenas and buffers become `@pi_program_v1` and the tables it
    points to (`runtime/abi/pi_abi.h`); every `func.func` becomes a kernel with the
    signature of pi_kernel_fn, whose first instructions read token, position and the
    buffers' addresses. A weight's index is its place among the module's `pi.weight`.
    The table lists the features of `pi.cpu` (device "cpu0" of the target spec).

    Before:

    ```mlir
    func.func private @relu(%token: index, %position: index, %begin: index, %end: index,
                            %x: memref<1x64xf32>, %y: memref<1x64xf32>) {...}
    plan.program @decode {...}
    ```

    After:

    ```mlir
    llvm.func internal @relu(%call: !llvm.ptr, %args: !llvm.ptr, %begin: i64, %end: i64) {...}
    llvm.mlir.global external constant @pi_program_v1() : !llvm.struct<...> {...}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect"];
}

def EmitObject : Pass<"pi-emit-object", "::mlir::ModuleOp"> {
  let summary = "Compile the module's LLVM dialect to an object";
  let description = [{
    The functions and globals of the LLVM dialect are compiled to an ELF object for
    `pi.cpu` (device "cpu0" of the target spec), which is kept as the module attribute
    `pi.object`; they are erased. `pi.weight` stays.

    Before:

    ```mlir
    llvm.func internal @relu(...) {...}
    ```

    After:

    ```mlir
    module attributes {pi.object = dense_resource<cold_object> : tensor<1234xi8>} {}
    ```
  }];
  let options = [
    Option<"saveTemps", "save-temps", "std::string", "\"\"",
           "Folder that gets cold.ll and cold.o; empty: none">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // PI_CODEGEN_CPU_PASSES_TD
