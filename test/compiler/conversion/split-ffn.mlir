// RUN: pi-opt %s --pi-split-ffn --split-input-file | FileCheck %s
// RUN: pi-opt %s --pi-split-ffn --pi-split-ffn --split-input-file | FileCheck %s

// One group a layer, in the order of the blocks; gate or up's bias as given; down's bias
// goes to the merge.
pi.weight @m : tensor<8x4xf16> from <file = "a", offset = 0, bytes = 64, type = tensor<8x4xf16>, encoding = raw>
pi.weight @n : tensor<6x4xf16> from <file = "a", offset = 0, bytes = 48, type = tensor<6x4xf16>, encoding = raw>
pi.weight @b : tensor<6xf32> from <file = "a", offset = 0, bytes = 24, type = tensor<6xf32>, encoding = raw>
pi.weight @c : tensor<4xf32> from <file = "a", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
// CHECK: neuron.group @layers.0.all layer 0 rows(0 to 8) on <cpu> weights [@m, @m, @m]
// CHECK: neuron.group @layers.1.all layer 1 rows(0 to 6) on <cpu> weights [@n, @n, @b]
// CHECK-LABEL: func @decode
// CHECK-SAME: (%[[X:.*]]: tensor<1x4xf32>)
func.func @decode(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  // CHECK-NOT: llm.ffn
  // CHECK: %[[A:.*]] = neuron.gate_up <relu> %[[X]] of @layers.0.all gate @m up @m : tensor<1x4xf32> -> !neuron.acts<8>
  // CHECK: %[[P:.*]] = neuron.down %[[A]] of @layers.0.all down @m : !neuron.acts<8> -> tensor<1x4xf32>
  // CHECK: %[[F:.*]] = neuron.merge %[[P]] : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %f = llm.ffn <relu> %x gate @m up @m down @m : tensor<1x4xf32>
  // CHECK: %[[B:.*]] = neuron.gate_up <relu> %[[F]] of @layers.1.all up @n up_bias @b : tensor<1x4xf32> -> !neuron.acts<6>
  // CHECK: %[[Q:.*]] = neuron.down %[[B]] of @layers.1.all down @n : !neuron.acts<6> -> tensor<1x4xf32>
  // CHECK: %[[G:.*]] = neuron.merge %[[Q]] bias @c : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %g = llm.ffn <relu> %f up @n up_bias @b down @n down_bias @c : tensor<1x4xf32>
  // CHECK: return %[[G]]
  return %g : tensor<1x4xf32>
}

// -----

// Without a decode step there is nothing to do.
// CHECK-LABEL: func @other
// CHECK: llm.ffn
pi.weight @m : tensor<8x4xf16> from <file = "a", offset = 0, bytes = 64, type = tensor<8x4xf16>, encoding = raw>
func.func @other(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %f = llm.ffn <relu> %x gate @m up @m down @m : tensor<1x4xf32>
  return %f : tensor<1x4xf32>
}
