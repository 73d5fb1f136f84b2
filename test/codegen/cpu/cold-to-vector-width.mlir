// RUN: pi-opt %s --pi-cold-to-vector --split-input-file --verify-diagnostics | FileCheck %s

// The vector width comes from the target spec.
// CHECK-LABEL: module
// CHECK:         vector<16xf32>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "cpu0" = #dlti.target_device_spec<"pi.cpu" = "x86-64-v4", "pi.vector_bits" = 512 : i64>>} {
  plan.kernel @wide on <cpu> {
  ^bb0(%token: index, %position: index, %begin: index, %end: index,
       %x: memref<1x64xf32>, %y: memref<1x64xf32>):
    plan.map ins(%x) -> %y tiles(%begin to %end) per_tile 16 {
    ^bb0(%v: f32):
      plan.yield %v : f32
    } : memref<1x64xf32> -> memref<1x64xf32>
  }
}

// -----

// A kernel of another place stays.
// CHECK-LABEL: module
// CHECK:         plan.kernel @later on <gpu0>
// CHECK-NOT:     func.func
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "cpu0" = #dlti.target_device_spec<"pi.cpu" = "x86-64-v3", "pi.vector_bits" = 256 : i64>>} {
  plan.kernel @later on <gpu0> {
  ^bb0(%token: index, %position: index, %begin: index, %end: index):
  }
}

// -----

// expected-error @+2 {{pi.vector_bits of device cpu0 is 96 : i64}}
// expected-note @+1 {{x86-64-v4 has vectors of 128, 256 and 512 bits}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "cpu0" = #dlti.target_device_spec<"pi.cpu" = "x86-64-v4", "pi.vector_bits" = 96 : i64>>} {
}

// -----

// Width and CPU do not go together.
// expected-error @+2 {{pi.vector_bits of device cpu0 is 512 : i64}}
// expected-note @+1 {{x86-64-v3 has vectors of 128 and 256 bits}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "cpu0" = #dlti.target_device_spec<"pi.cpu" = "x86-64-v3", "pi.vector_bits" = 512 : i64>>} {
}

// -----

// Of these not every feature is checked when a program starts.
// expected-error @+2 {{pi.cpu of device cpu0 is "native"}}
// expected-note @+1 {{x86-64-v3 and x86-64-v4 are supported}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "cpu0" = #dlti.target_device_spec<"pi.cpu" = "native", "pi.vector_bits" = 256 : i64>>} {
}

// -----

// expected-error @+2 {{pi.cpu of device cpu0 is "x86-64-v2"}}
// expected-note @+1 {{x86-64-v3 and x86-64-v4 are supported}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "cpu0" = #dlti.target_device_spec<"pi.cpu" = "x86-64-v2", "pi.vector_bits" = 128 : i64>>} {
}

// -----

// expected-error @+2 {{does not say for which CPU code is to be made}}
// expected-note @+1 {{device cpu0 of its target spec needs pi.cpu and pi.vector_bits}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "cpu0" = #dlti.target_device_spec<"pi.vector_bits" = 256 : i64>>} {
}

// -----

// expected-error @+2 {{does not say for which CPU code is to be made}}
// expected-note @+1 {{device cpu0 of its target spec needs pi.cpu and pi.vector_bits}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "cpu0" = #dlti.target_device_spec<"pi.cpu" = "x86-64-v3">>} {
}

// -----

// Of another device nothing is read.
// expected-error @+2 {{does not say for which CPU code is to be made}}
// expected-note @+1 {{device cpu0 of its target spec needs pi.cpu and pi.vector_bits}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "gpu0" = #dlti.target_device_spec<"pi.cpu" = "x86-64-v3", "pi.vector_bits" = 256 : i64>>} {
}

// -----

// expected-error @+2 {{does not say for which CPU code is to be made}}
// expected-note @+1 {{device cpu0 of its target spec needs pi.cpu and pi.vector_bits}}
module {
}

// -----

module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "cpu0" = #dlti.target_device_spec<"pi.cpu" = "x86-64-v3", "pi.vector_bits" = 256 : i64>>} {
  plan.kernel @call on <cpu> {
  ^bb0(%token: index, %position: index, %begin: index, %end: index,
       %x: memref<1x64xf32>, %y: memref<1x64xf32>):
    plan.map ins(%x) -> %y tiles(%begin to %end) per_tile 16 {
    ^bb0(%v: f32):
      // expected-error @+2 {{'math.exp' op has no vector code on a CPU}}
      // expected-note @+1 {{regions of tile operations hold elementwise operations of arith}}
      %e = math.exp %v : f32
      plan.yield %e : f32
    } : memref<1x64xf32> -> memref<1x64xf32>
  }
}
