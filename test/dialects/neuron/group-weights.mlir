// RUN: pi-opt %s --split-input-file --verify-diagnostics --verify-roundtrip

module {
  pi.weight @gate : tensor<8x4xf16> from <file = "m", offset = 0, bytes = 64, type = tensor<8x4xf16>, encoding = raw>
  pi.weight @bias : tensor<8xf32> from <file = "m", offset = 0, bytes = 32, type = tensor<8xf32>, encoding = raw>
  neuron.group @a layer 0 rows(0 to 4) on <cpu> weights [@gate, @bias]
  neuron.group @b layer 0 rows(4 to 8) on <cpu> weights []
  neuron.group @c layer 1 rows(0 to 4) on <cpu>
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
