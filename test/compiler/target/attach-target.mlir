// RUN: pi-opt --pi-attach-target %s | FileCheck %s --check-prefix=V3
// RUN: pi-opt --pi-attach-target=cpu=x86-64-v4 %s | FileCheck %s --check-prefix=V4
// RUN: not pi-opt --pi-attach-target=cpu=x86-64 %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// V3-NOT: gpu0
// V3: "cpu0" = #dlti.target_device_spec<"pi.cpu" = "x86-64-v3", "pi.vector_bits" = 256 : i64, "pi.read_bytes_per_us" = 51200 : i64>
// V3-NOT: gpu0
// V4: "cpu0" = #dlti.target_device_spec<"pi.cpu" = "x86-64-v4", "pi.vector_bits" = 512 : i64, "pi.read_bytes_per_us" = 76800 : i64>
// UNKNOWN: error: cannot compile for CPU 'x86-64'
// UNKNOWN: note: known are x86-64-v3

// A GPU of the table, and one of an architecture alone.
// RUN: pi-opt --pi-attach-target=gpu=rtx4090 %s | FileCheck %s --check-prefix=GPU
// RUN: pi-opt --pi-attach-target=gpu=sm_75 %s | FileCheck %s --check-prefix=ARCH
// RUN: not pi-opt --pi-attach-target=gpu=rtx4091 %s 2>&1 | FileCheck %s --check-prefix=NOGPU
// GPU: "cpu0" = {{.*}}51200 : i64>, "gpu0" = #dlti.target_device_spec<"pi.gpu" = "rtx4090", "pi.arch" = "sm_89", "pi.memory_bytes" = 25769803776 : i64, "pi.read_bytes_per_us" = 1008000 : i64, "pi.bus_bytes_per_us" = 31508 : i64, "pi.crossing_us" = 1.500000e+00 : f64>
// ARCH: "gpu0" = #dlti.target_device_spec<"pi.gpu" = "sm_75", "pi.arch" = "sm_75", "pi.memory_bytes" = 11811160064 : i64, "pi.read_bytes_per_us" = 616000 : i64
// NOGPU: error: cannot plan for GPU 'rtx4091'
// NOGPU: note: known are none, rtx4090, rtx3090, rtx2080ti, a100, h100, h200, sm_75, {{.*}}sm_120

// Another memory, or a machine that was measured, also with a GPU.
// RUN: pi-opt --pi-attach-target=machine=ddr5-5600x2 %s | FileCheck %s --check-prefix=MEMORY
// RUN: pi-opt --pi-attach-target=machine=%S/Inputs/pc.json %s | FileCheck %s --check-prefix=PC
// RUN: pi-opt --pi-attach-target="machine=%S/Inputs/pc.json gpu=rtx3090" %s | FileCheck %s --check-prefix=PCGPU
// RUN: not pi-opt --pi-attach-target="machine=%S/Inputs/pc.json gpu=h100" %s 2>&1 | FileCheck %s --check-prefix=OTHER
// MEMORY: "pi.read_bytes_per_us" = 89600 : i64, "pi.memory" = "ddr5-5600x2">
// PC: "cpu0" = #dlti.target_device_spec<"pi.cpu" = "x86-64-v3", "pi.vector_bits" = 256 : i64, "pi.read_bytes_per_us" = 40001 : i64, "pi.f16_bytes_per_us" = 90000 : i64, "pi.measured_on" = "A CPU, 8 threads">
// PC-NOT: gpu0
// PCGPU: "gpu0" = {{.*}}"pi.read_bytes_per_us" = 900000 : i64, {{.*}}"pi.crossing_us" = 1.250000e+00 : f64>
// OTHER: error: the machine file is of GPU 'rtx3090', not of 'h100'
// OTHER: note: give --gpu=rtx3090
module {}
