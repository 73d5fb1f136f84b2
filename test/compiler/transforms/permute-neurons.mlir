// Rows of all weights of a layer are put in the order of its groups, together; a weight that
// others use, too, is copied. A second run changes nothing.
// RUN: pi-opt %s --pi-permute-neurons | FileCheck %s
// RUN: pi-opt %s --pi-permute-neurons > %t.once && pi-opt %s --pi-permute-neurons --pi-permute-neurons > %t.twice && cmp %t.once %t.twice

pi.order @o = dense<[2, 0, 1, 3]> : tensor<4xi32>
pi.order @p = dense<[3, 2, 1, 0]> : tensor<4xi32>
// CHECK: pi.weight @u : tensor<4x2xf32> {{.*}} layout <transpose = false, rows = [4, 4] order = @o>
pi.weight @u : tensor<4x2xf32> from <file = "m", offset = 0, bytes = 64, type = tensor<8x2xf32>, encoding = raw> layout <transpose = false, rows = [4, 4]>
// CHECK: pi.weight @b : tensor<4xf32> {{.*}} layout <transpose = false, rows = [] order = @o>
pi.weight @b : tensor<4xf32> from <file = "m", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
// CHECK: pi.weight @shared.of_p : {{.*}} layout <transpose = false, rows = [] order = @p>
// CHECK: pi.weight @shared : {{.*}} layout <transpose = false, rows = [] order = @o>
pi.weight @shared : tensor<4x2xf32> from <file = "m", offset = 0, bytes = 32, type = tensor<4x2xf32>, encoding = raw>
// CHECK: pi.weight @used.of_p : {{.*}} order = @p>
// CHECK: pi.weight @used : tensor<4x2xf32> {{.*}}encoding = raw>{{$}}
pi.weight @used : tensor<4x2xf32> from <file = "m", offset = 0, bytes = 32, type = tensor<4x2xf32>, encoding = raw>
// CHECK: neuron.group @hot layer 0 rows(0 to 1) on <gpu0> weights [@u, @shared, @b]{{$}}
neuron.group @hot layer 0 rows(0 to 1) on <gpu0> weights [@u, @shared, @b] order @o
// CHECK: neuron.group @cold layer 0 rows(1 to 4) on <cpu> weights [@u, @shared, @b]{{$}}
neuron.group @cold layer 0 rows(1 to 4) on <cpu> weights [@u, @shared, @b] order @o
// CHECK: neuron.group @other layer 1 rows(0 to 4) on <cpu> weights [@shared.of_p, @used.of_p]{{$}}
neuron.group @other layer 1 rows(0 to 4) on <cpu> weights [@shared, @used] order @p
// CHECK: neuron.group @plain layer 2 rows(0 to 4) on <cpu> weights [@used, @used]{{$}}
neuron.group @plain layer 2 rows(0 to 4) on <cpu> weights [@used, @used]
func.func @decode(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  // CHECK: neuron.gate_up <relu> %{{.*}} of @hot up @u up_bias @b
  %a = neuron.gate_up <relu> %x of @hot up @u up_bias @b : tensor<1x2xf32> -> !neuron.acts<1>
  // CHECK: neuron.down %{{.*}} of @hot down @shared :
  %p = neuron.down %a of @hot down @shared : !neuron.acts<1> -> tensor<1x2xf32>
  // CHECK: neuron.gate_up <relu> %{{.*}} of @other up @shared.of_p
  %b = neuron.gate_up <relu> %x of @other up @shared : tensor<1x2xf32> -> !neuron.acts<4>
  // CHECK: neuron.down %{{.*}} of @other down @used.of_p :
  %q = neuron.down %b of @other down @used : !neuron.acts<4> -> tensor<1x2xf32>
  %f = neuron.merge %p, %q : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  return %f : tensor<1x2xf32>
}
