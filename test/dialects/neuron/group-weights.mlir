// RUN: pi-opt %s --split-input-file --verify-diagnostics --verify-roundtrip

module {
  pi.weight @gate : tensor<8x4xf16> from <file = "m", offset = 0, bytes = 64, type = tensor<8x4xf16>, encoding = raw>
  pi.weight @bias : tensor<8xf32> from <file = "m", offset = 0, bytes = 32, type = tensor<8xf32>, encoding = raw>
  neuron.group @a layer 0 rows(0 to 4) on <cpu> weights [@gate, @bias]
  neuron.group @b layer 0 rows(4 to 8) on <cpu> weights []
  neuron.group @c layer 1 rows(0 to 4) on <cpu>
}

// -----

// Weights of the group alone.
module {
  pi.weight @w : tensor<3x4xf16> from <file = "m", offset = 0, bytes = 24, type = tensor<3x4xf16>, encoding = raw>
  pi.weight @bias : tensor<3xf32> from <file = "m", offset = 0, bytes = 12, type = tensor<3xf32>, encoding = raw>
  neuron.group @b layer 0 rows(5 to 8) on <cpu> weights [@w, @bias]
  func.func @decode(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
    %a = neuron.gate_up <relu> %x of @b up @w up_bias @bias : tensor<1x4xf32> -> !neuron.acts<3>
    %p = neuron.down %a of @b down @w : !neuron.acts<3> -> tensor<1x4xf32>
    return %p : tensor<1x4xf32>
  }
}

// -----

module {
  pi.weight @w : tensor<4x4xf16> from <file = "m", offset = 0, bytes = 32, type = tensor<4x4xf16>, encoding = raw>
  neuron.group @b layer 0 rows(5 to 8) on <cpu>
  func.func @decode(%x: tensor<1x4xf32>) -> !neuron.acts<3> {
    // expected-error @+1 {{up has an unexpected shape: 'tensor<4x4xf16>'}}
    %a = neuron.gate_up <relu> %x of @b up @w : tensor<1x4xf32> -> !neuron.acts<3>
    return %a : !neuron.acts<3>
  }
}

// -----

module {
  // expected-error @+1 {{names no pi.weight: @gate}}
  neuron.group @a layer 0 rows(0 to 4) on <cpu> weights [@gate]
}

// -----

module {
  pi.weight @gate : tensor<8x4xf16> from <file = "m", offset = 0, bytes = 64, type = tensor<8x4xf16>, encoding = raw>
  // expected-error @+1 {{has more rows than its weight @gate of type 'tensor<8x4xf16>'}}
  neuron.group @a layer 0 rows(4 to 9) on <cpu> weights [@gate]
}
