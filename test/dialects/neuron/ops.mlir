// RUN: pi-opt %s --verify-roundtrip | FileCheck %s
// RUN: pi-opt %s --mlir-print-op-generic | pi-opt | FileCheck %s

pi.weight @m : tensor<8x4xf16> from <file = "a", offset = 0, bytes = 64, type = tensor<8x4xf16>, encoding = raw>
pi.weight @b : tensor<8xf32> from <file = "a", offset = 0, bytes = 32, type = tensor<8xf32>, encoding = raw>
pi.weight @c : tensor<4xf32> from <file = "a", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
// CHECK: neuron.group @hot layer 3 rows(0 to 6) on <gpu0>
neuron.group @hot layer 3 rows(0 to 6) on <gpu0>
// CHECK: neuron.group @cold layer 3 rows(6 to 8) on <cpu> weights [@m, @b]
neuron.group @cold layer 3 rows(6 to 8) on <cpu> weights [@m, @b]

// CHECK-LABEL: func @f
func.func @f(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  // CHECK: %[[A:.*]] = neuron.gate_up <relu> %{{.*}} of @hot gate @m up @m : tensor<1x4xf32> -> !neuron.acts<6>
  %a = neuron.gate_up <relu> %x of @hot gate @m up @m : tensor<1x4xf32> -> !neuron.acts<6>
  // CHECK: neuron.gate_up <relu> %{{.*}} of @cold up @m up_bias @b : tensor<1x4xf32> -> !neuron.acts<2>
  %b = neuron.gate_up <relu> %x of @cold up @m up_bias @b : tensor<1x4xf32> -> !neuron.acts<2>
  // CHECK: %[[P:.*]] = neuron.down %[[A]] of @hot down @m : !neuron.acts<6> -> tensor<1x4xf32>
  %p = neuron.down %a of @hot down @m : !neuron.acts<6> -> tensor<1x4xf32>
  %q = neuron.down %b of @cold down @m : !neuron.acts<2> -> tensor<1x4xf32>
  // CHECK: neuron.merge %[[P]] : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %y = neuron.merge %p : (tensor<1x4xf32>) -> tensor<1x4xf32>
  // CHECK: neuron.merge %{{.*}}, %{{.*}} bias @c : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %z = neuron.merge %p, %q bias @c : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  return %z : tensor<1x4xf32>
}
