// Groups get weights of their own, hot ones in front; up and down of cold rows are bundled.
// A second run changes nothing.
// RUN: pi-opt %s --pi-pack-neurons | FileCheck %s
// RUN: pi-opt %s --pi-pack-neurons=bundle=none | FileCheck --check-prefix=NONE %s
// RUN: pi-opt %s --pi-pack-neurons=bundle=all | FileCheck --check-prefix=ALL %s
// RUN: pi-opt %s --pi-pack-neurons > %t.once && pi-opt %s --pi-pack-neurons --pi-pack-neurons > %t.twice && cmp %t.once %t.twice
// RUN: pi-opt %t.once --pi-pack-neurons=bundle=all --pi-pack-neurons=bundle=all | FileCheck --check-prefix=ALL %s

pi.order @o = dense<[2, 0, 1, 3]> : tensor<4xi32>
// CHECK:      pi.weight @l0.hot.gate : tensor<1x2xf16> {{.*}} layout <transpose = true, rows = [] order = @o part = [0, 1]>
// CHECK-NEXT: pi.weight @l0.hot.up : tensor<1x2xf16> {{.*}} layout <transpose = false, rows = [0, 4] part = [0, 1]>
// CHECK-NEXT: pi.weight @l0.hot.down : tensor<1x2xf16> {{.*}} layout <transpose = false, rows = [] part = [2, 3]>
// The only group of its layer: its weights are its own already, but for one that a group on
// the CPU has, too.
// CHECK-NEXT: pi.weight @h.u :
// CHECK-NEXT: pi.order @o
// CHECK-NOT:  @g :
// CHECK:      pi.weight @l0.cold.gate : tensor<3x2xf16> {{.*}} layout <transpose = true, rows = [] order = @o part = [1, 4]>
pi.weight @g : tensor<4x2xf16> from <file = "m", offset = 0, bytes = 16, type = tensor<2x4xf16>, encoding = raw> layout <transpose = true, rows = [] order = @o>
// CHECK-NEXT: pi.weight @l0.cold.up : tensor<3x2xf16> {{.*}} layout <transpose = false, rows = [0, 4] part = [1, 4]>
pi.weight @u : tensor<4x2xf16> from <file = "m", offset = 0, bytes = 16, type = tensor<4x2xf16>, encoding = raw> layout <transpose = false, rows = [0, 4]>
// CHECK-NEXT: pi.weight @l0.cold.down : tensor<3x2xf16> {{.*}} layout <transpose = false, rows = [] part = [3, 6]>
// CHECK-NEXT: pi.bundle @l0.cold.rows : tensor<3x4xf16> of [@l0.cold.up, @l0.cold.down]
// NONE-NOT:   pi.bundle
// ALL:        pi.bundle @l0.cold.rows : tensor<3x4xf16> of [@l0.cold.up, @l0.cold.down]
pi.weight @d : tensor<4x2xf16> from <file = "m", offset = 0, bytes = 32, type = tensor<8x2xf16>, encoding = raw> layout <transpose = false, rows = [] part = [2, 6]>
// Without a gate there is nothing to bundle; biases are cut, too.
// CHECK-NEXT: pi.weight @l1.hot.up : tensor<2x2xf16>
// CHECK-NEXT: pi.weight @l1.cold.up : tensor<2x2xf16> {{.*}} part = [2, 4]>
pi.weight @u1 : tensor<4x2xf16> from <file = "m", offset = 0, bytes = 16, type = tensor<4x2xf16>, encoding = raw>
// CHECK-NEXT: pi.weight @l1.hot.down : tensor<2x2xf16>
// CHECK-NEXT: pi.weight @l1.cold.down : tensor<2x2xf16> {{.*}} part = [2, 4]>
pi.weight @d1 : tensor<4x2xf16> from <file = "m", offset = 0, bytes = 16, type = tensor<4x2xf16>, encoding = raw>
// Something else reads all of it.
// CHECK-NEXT: pi.weight @d1
// CHECK-NEXT: pi.weight @l1.hot.up_bias : tensor<2xf32> {{.*}} part = [0, 2]>
// CHECK-NEXT: pi.weight @l1.cold.up_bias : tensor<2xf32> {{.*}} part = [2, 4]>
pi.weight @b1 : tensor<4xf32> from <file = "m", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
// CHECK-NEXT: pi.weight @l2.gate
// CHECK-NEXT: pi.weight @l2.up
// CHECK-NEXT: pi.weight @l2.down
// CHECK-NEXT: pi.weight @table
// ALL:        pi.weight @l2.down
// ALL-NEXT:   pi.bundle @l2.rows : tensor<4x4xf16> of [@l2.up, @l2.down]
// Others read this one, too.
// ALL-NOT:    pi.bundle
pi.weight @l2.gate : tensor<4x2xf16> from <file = "m", offset = 0, bytes = 16, type = tensor<4x2xf16>, encoding = raw>
pi.weight @l2.up : tensor<4x2xf16> from <file = "m", offset = 0, bytes = 16, type = tensor<4x2xf16>, encoding = raw>
pi.weight @l2.down : tensor<4x2xf16> from <file = "m", offset = 0, bytes = 16, type = tensor<4x2xf16>, encoding = raw>
pi.weight @table : tensor<4x2xf16> from <file = "m", offset = 0, bytes = 16, type = tensor<4x2xf16>, encoding = raw>
pi.weight @h.u : tensor<4x2xf16> from <file = "m", offset = 0, bytes = 16, type = tensor<4x2xf16>, encoding = raw>
pi.weight @h.d : tensor<4x2xf16> from <file = "m", offset = 0, bytes = 16, type = tensor<4x2xf16>, encoding = raw>
// CHECK:      neuron.group @l0.hot layer 0 rows(0 to 1) on <gpu0> weights [@l0.hot.gate, @l0.hot.up, @l0.hot.down]
neuron.group @l0.hot layer 0 rows(0 to 1) on <gpu0> weights [@g, @u, @d]
// CHECK:      neuron.group @l0.cold layer 0 rows(1 to 4) on <cpu> weights [@l0.cold.gate, @l0.cold.up, @l0.cold.down]
neuron.group @l0.cold layer 0 rows(1 to 4) on <cpu> weights [@g, @u, @d]
// Both on the CPU.
neuron.group @l1.hot layer 1 rows(0 to 2) on <cpu> weights [@u1, @d1, @b1]
neuron.group @l1.cold layer 1 rows(2 to 4) on <cpu> weights [@u1, @d1, @b1]
// CHECK:      neuron.group @l2 layer 2 rows(0 to 4) on <cpu> weights [@l2.gate, @l2.up, @l2.down]
neuron.group @l2 layer 2 rows(0 to 4) on <cpu> weights [@l2.gate, @l2.up, @l2.down]
neuron.group @l3 layer 3 rows(0 to 4) on <cpu> weights [@l2.gate, @table, @h.d]
neuron.group @l4 layer 4 rows(0 to 4) on <gpu0> weights [@h.u, @h.d]
func.func @decode(%token: index, %position: index) -> tensor<1x2xf32> {
  %x = llm.embed %token at %position table @table : tensor<1x2xf32>
  %y = llm.embed %token at %position table @d1 : tensor<1x2xf32>
  // CHECK: neuron.gate_up <relu> %{{.*}} of @l0.hot gate @l0.hot.gate up @l0.hot.up :
  %a0 = neuron.gate_up <relu> %x of @l0.hot gate @g up @u : tensor<1x2xf32> -> !neuron.acts<1>
  // CHECK: neuron.down %{{.*}} of @l0.hot down @l0.hot.down :
  %p0 = neuron.down %a0 of @l0.hot down @d : !neuron.acts<1> -> tensor<1x2xf32>
  // CHECK: neuron.gate_up <relu> %{{.*}} of @l0.cold gate @l0.cold.gate up @l0.cold.up :
  %b0 = neuron.gate_up <relu> %x of @l0.cold gate @g up @u : tensor<1x2xf32> -> !neuron.acts<3>
  // CHECK: neuron.down %{{.*}} of @l0.cold down @l0.cold.down :
  %q0 = neuron.down %b0 of @l0.cold down @d : !neuron.acts<3> -> tensor<1x2xf32>
  // CHECK: neuron.gate_up <relu> %{{.*}} of @l1.hot up @l1.hot.up up_bias @l1.hot.up_bias :
  %a1 = neuron.gate_up <relu> %p0 of @l1.hot up @u1 up_bias @b1 : tensor<1x2xf32> -> !neuron.acts<2>
  %p1 = neuron.down %a1 of @l1.hot down @d1 : !neuron.acts<2> -> tensor<1x2xf32>
  %b1 = neuron.gate_up <relu> %q0 of @l1.cold up @u1 up_bias @b1 : tensor<1x2xf32> -> !neuron.acts<2>
  %q1 = neuron.down %b1 of @l1.cold down @d1 : !neuron.acts<2> -> tensor<1x2xf32>
  %a2 = neuron.gate_up <relu> %p1 of @l2 gate @l2.gate up @l2.up : tensor<1x2xf32> -> !neuron.acts<4>
  %p2 = neuron.down %a2 of @l2 down @l2.down : !neuron.acts<4> -> tensor<1x2xf32>
  %a3 = neuron.gate_up <relu> %q1 of @l3 gate @l2.gate up @table : tensor<1x2xf32> -> !neuron.acts<4>
  %p3 = neuron.down %a3 of @l3 down @h.d : !neuron.acts<4> -> tensor<1x2xf32>
  %a4 = neuron.gate_up <relu> %p2 of @l4 up @h.u : tensor<1x2xf32> -> !neuron.acts<4>
  %p4 = neuron.down %a4 of @l4 down @h.d : !neuron.acts<4> -> tensor<1x2xf32>
  %f = neuron.merge %p3, %p4 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  return %f : tensor<1x2xf32>
}
