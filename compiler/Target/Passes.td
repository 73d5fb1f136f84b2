//===- Passes.td - Facts of the machine to compile for -------*- tablegen -*-===//

#ifndef PI_COMPILER_TARGET_PASSES_TD
#define PI_COMPILER_TARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttachTarget : Pass<"pi-attach-target", "mlir::ModuleOp"> {
  let summary = "Put the facts of the target machine on the module";
  let description = [{
    Sets `dlti.target_system_spec`. Device "cpu0" says the CPU's name as LLVM knows it
    ("pi.cpu"), the width of its vectors in bits ("pi.vector_bits") and how fast its
    memory is read, for predictions ("pi.read_bytes_per_us"): a row of a table, or, with
    the option `machine`, of a table of memories (its name is "pi.memory") or from the
    file that `pi-compile --measure` wrote ("pi.measured_on" and "pi.f16_bytes_per_us"
    come from there too). Nothing is measured here.
    `native` is replaced by the level of the machine that compiles.

    With the option `gpu` there is device "gpu0": its row ("pi.gpu"), its architecture
    ("pi.arch"), its memory ("pi.memory_bytes"), how fast it is read
    ("pi.read_bytes_per_us"), the bus to the host ("pi.bus_bytes_per_us") and the time of
    one crossing without its bytes ("pi.crossing_us", f64).

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
    Option<"gpu", "gpu", "std::string", "\"none\"",
           "a GPU of the table, such as rtx4090 or sm_89; none: no device gpu0">,
    Option<"machine", "machine", "std::string", "\"\"",
           "a machine file, or a class of memory such as ddr5-5600x2; empty: the CPU's row">,
  ];
  let dependentDialects = ["::mlir::DLTIDialect"];
}

#endif // PI_COMPILER_TARGET_PASSES_TD
