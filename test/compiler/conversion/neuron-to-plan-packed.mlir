// Groups with weights of their own: rows begin at 0, up and down are columns of a bundle, and
// the trace is still that of the layer.
// RUN: pi-opt %s --pi-neuron-to-plan=instrument --split-input-file --verify-diagnostics | FileCheck %s

module attributes {pi.model = #pi.model<family = "llama", positions = 8, capacity = 8, bos = 1, eos = [2], tokenizer = "t", exact = true>} {
  pi.weight @table : tensor<16x16xf32> from <file = "m", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
  pi.weight @hot : tensor<4x16xf16> from <file = "m", offset = 0, bytes = 128, type = tensor<4x16xf16>, encoding = raw>
  pi.weight @g : tensor<8x16xf16> from <file = "m", offset = 0, bytes = 256, type = tensor<8x16xf16>, encoding = raw>
  pi.weight @u : tensor<8x16xf16> from <file = "m", offset = 0, bytes = 256, type = tensor<8x16xf16>, encoding = raw>
  pi.weight @d : tensor<8x16xf16> from <file = "m", offset = 0, bytes = 256, type = tensor<8x16xf16>, encoding = raw>
  pi.bundle @rows : tensor<8x32xf16> of [@u, @d]
  neuron.group @a layer 0 rows(0 to 4) on <gpu0> weights [@hot]
  neuron.group @b layer 0 rows(4 to 12) on <cpu> weights [@g, @u, @d]
  func.func @decode(%token: index, %position: index) -> tensor<1x16xf32> {
    %x = llm.embed %token at %position table @table : tensor<1x16xf32>
    %a = neuron.gate_up <relu> %x of @a gate @hot up @hot : tensor<1x16xf32> -> !neuron.acts<4>
    %p = neuron.down %a of @a down @hot : !neuron.acts<4> -> tensor<1x16xf32>
    %b = neuron.gate_up <relu> %x of @b gate @g up @u : tensor<1x16xf32> -> !neuron.acts<8>
    %q = neuron.down %b of @b down @d : !neuron.acts<8> -> tensor<1x16xf32>
    %f = neuron.merge %p, %q : (tensor<1x16xf32>, tensor<1x16xf32>) -> tensor<1x16xf32>
    %l = llm.logits %f head @table : tensor<1x16xf32> -> tensor<1x16xf32>
    return %l : tensor<1x16xf32>
  }
}
// CHECK: plan.kernel @ffn_select_1
// CHECK: plan.select %{{.*}} trace %{{.*}} from 4 rows(0 to 8)
// CHECK: plan.kernel @ffn_apply_1
// CHECK: plan.apply {{.*}} up %[[R:[a-z0-9]+]] down %[[R]] from 16 -> %{{.*}} trace %{{.*}} from 4 tiles
// CHECK: plan.program
// CHECK: %[[ROWS:.*]] = plan.weight @rows : memref<8x32xf16>
// CHECK-NOT: plan.weight @u
// CHECK: plan.dispatch @ffn_apply_1 {{.*}}%[[ROWS]]
// CHECK: plan.trace {{.*}} layer 0 : memref<12xf32>

// -----

module attributes {pi.model = #pi.model<family = "llama", positions = 8, capacity = 8, bos = 1, eos = [2], tokenizer = "t", exact = true>} {
  pi.weight @u : tensor<8x16xf32> from <file = "m", offset = 0, bytes = 512, type = tensor<8x16xf32>, encoding = raw>
  pi.weight @d : tensor<8x16xf32> from <file = "m", offset = 0, bytes = 512, type = tensor<8x16xf32>, encoding = raw>
  pi.bundle @rows : tensor<8x32xf32> of [@u, @d]
  func.func @decode(%token: index, %position: index) -> tensor<1x8xf32> {
    // expected-error @+1 {{reads a part of a bundle: @u}}
    %x = llm.embed %token at %position table @u : tensor<1x16xf32>
    %l = llm.logits %x head @d : tensor<1x16xf32> -> tensor<1x8xf32>
    return %l : tensor<1x8xf32>
  }
}
