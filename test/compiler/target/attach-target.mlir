// RUN: pi-opt --pi-attach-target %s | FileCheck %s --check-prefix=V3
// RUN: pi-opt --pi-attach-target=cpu=x86-64-v4 %s | FileCheck %s --check-prefix=V4
// RUN: not pi-opt --pi-attach-target=cpu=x86-64 %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// V3: "cpu0" = #dlti.target_device_spec<"pi.cpu" = "x86-64-v3", "pi.vector_bits" = 256 : i64, "pi.read_bytes_per_us" = 51200 : i64>
// V4: "cpu0" = #dlti.target_device_spec<"pi.cpu" = "x86-64-v4", "pi.vector_bits" = 512 : i64, "pi.read_bytes_per_us" = 76800 : i64>
// UNKNOWN: error: cannot compile for CPU 'x86-64'
// UNKNOWN: note: known are x86-64-v3
module {}
