//===- Passes.td - Facts of the machine to compile for -------*- tablegen -*-===//

#ifndef PI_COMPILER_TARGET_PASSES_TD
#define PI_COMPILER_TARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttachTarget : Pass<"pi-attach-target", "mlir::ModuleOp"> {
  let summary = "Put the facts of the target machine on the module";
  let description = [{
    Sets `dlti.target_system_spec` with one device, "cpu0", which says the CPU's name as
    LLVM knows it ("pi.cpu"), the width of its vectors in bits ("pi.vector_bits") and
    how fast its memory is read, for predictions ("pi.read_bytes_per_us", a row of a
    table: nothing is measured).
    `native` is replaced by the level of the machine that compiles.

    ```mlir
    module attributes {dlti.target_system_spec = #dlti.target_system_spec<
      "cpu0" = #dlti.target_device_spec<"pi.cpu" = "x86-64-v3", "pi.vector_bits" = 256 : i64,
                                         "pi.read_bytes_per_us" = 51200 : i64>>} {
    }
    ```
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", "\"x86-64-v3\"",
           "x86-64-v3, x86-64-v4 or native">,
  ];
  let dependentDialects = ["::mlir::DLTIDialect"];
}

#endif // PI_COMPILER_TARGET_PASSES_TD
