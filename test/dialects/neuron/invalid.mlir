// RUN: pi-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{a group has at least one neuron, got 0}}
func.func private @f(!neuron.acts<0>)

// -----

// expected-error @+1 {{rows (4 to 4) are no range}}
neuron.group @a layer 0 rows(4 to 4) on <cpu>

// -----

// expected-error @+1 {{layer must not be negative, got -1}}
neuron.group @a layer -1 rows(0 to 4) on <cpu>

// -----

// expected-note @+1 {{the other group is here}}
neuron.group @a layer 0 rows(0 to 4) on <cpu>
// expected-error @+1 {{rows overlap with "a"}}
neuron.group @b layer 0 rows(3 to 8) on <gpu0>

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{must be variadic of row of one token}}
  %0 = neuron.merge %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
pi.weight @v8 : tensor<8xf32> from <file = "a", offset = 0, bytes = 32, type = tensor<8xf32>, encoding = raw>
neuron.group @g layer 0 rows(0 to 8) on <cpu>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{up_bias goes without gate only}}
  %0 = neuron.gate_up <relu> %x of @g gate @m up @m up_bias @v8 : tensor<1x4xf32> -> !neuron.acts<8>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{names no neuron.group: @m}}
  %0 = neuron.gate_up <relu> %x of @m up @m : tensor<1x4xf32> -> !neuron.acts<8>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
neuron.group @g layer 0 rows(0 to 8) on <cpu>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{group @g has 8 rows, activations 7}}
  %0 = neuron.gate_up <relu> %x of @g up @m : tensor<1x4xf32> -> !neuron.acts<7>
  return
}

// -----

neuron.group @g layer 0 rows(0 to 8) on <cpu>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{up names no pi.weight: @n}}
  %0 = neuron.gate_up <relu> %x of @g up @n : tensor<1x4xf32> -> !neuron.acts<8>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
pi.weight @n : tensor<7x4xf32> from <file = "a", offset = 0, bytes = 112, type = tensor<7x4xf32>, encoding = raw>
neuron.group @g layer 0 rows(0 to 8) on <cpu>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{gate has an unexpected shape: 'tensor<7x4xf32>'}}
  %0 = neuron.gate_up <relu> %x of @g gate @n up @m : tensor<1x4xf32> -> !neuron.acts<8>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
pi.weight @v4 : tensor<4xf32> from <file = "a", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
neuron.group @g layer 0 rows(0 to 8) on <cpu>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{up_bias has an unexpected shape: 'tensor<4xf32>'}}
  %0 = neuron.gate_up <relu> %x of @g up @m up_bias @v4 : tensor<1x4xf32> -> !neuron.acts<8>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
neuron.group @g layer 0 rows(0 to 8) on <cpu>
func.func @f(%a: !neuron.acts<7>) {
  // expected-error @+1 {{group @g has 8 rows, activations 7}}
  %0 = neuron.down %a of @g down @m : !neuron.acts<7> -> tensor<1x4xf32>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
neuron.group @g layer 0 rows(0 to 8) on <cpu>
func.func @f(%a: !neuron.acts<8>) {
  // expected-error @+1 {{down has an unexpected shape: 'tensor<8x4xf32>'}}
  %0 = neuron.down %a of @g down @m : !neuron.acts<8> -> tensor<1x8xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{needs at least one share}}
  %0 = neuron.merge : () -> tensor<1x4xf32>
  return
}

// -----

func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{share 'tensor<1x4xf32>' differs from the result 'tensor<1x8xf32>'}}
  %0 = neuron.merge %x : (tensor<1x4xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{bias names no pi.weight: @n}}
  %0 = neuron.merge %x bias @n : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return
}

// -----

pi.weight @v8 : tensor<8xf32> from <file = "a", offset = 0, bytes = 32, type = tensor<8xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{bias has an unexpected shape: 'tensor<8xf32>'}}
  %0 = neuron.merge %x bias @v8 : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return
}
