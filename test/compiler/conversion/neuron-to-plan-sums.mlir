// RUN: pi-opt %s --pi-neuron-to-plan --split-input-file | FileCheck %s

// Parallel attention and feed-forward: the later of two summands takes both sums in.
pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
pi.weight @v : tensor<16xf32> from <file = "a", offset = 0, bytes = 64, type = tensor<16xf32>, encoding = raw>
pi.weight @f : tensor<12x16xf32> from <file = "a", offset = 0, bytes = 768, type = tensor<12x16xf32>, encoding = raw>
pi.weight @u : tensor<12xf32> from <file = "a", offset = 0, bytes = 48, type = tensor<12xf32>, encoding = raw>
neuron.group @g layer 0 rows(0 to 12) on <cpu>
// CHECK-LABEL: plan.arena @activations
// CHECK: plan.kernel @linear on <cpu>
// CHECK-NOT: extras
// CHECK: plan.kernel @ffn_select on <cpu>
// CHECK: plan.kernel @ffn_merge on <cpu>
// CHECK: plan.reduce {{.*}} extras(%{{.*}}, %{{.*}}, %{{.*}} : memref<16xf32>, memref<1x16xf32>, memref<1x16xf32>)
// CHECK: ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: f32, %[[O:.*]]: f32, %[[X:.*]]: f32):
// CHECK: %[[A:.*]] = arith.addf %[[SUM]], %[[BIAS]]
// CHECK: %[[B:.*]] = arith.addf %[[A]], %[[O]]
// CHECK: %[[C:.*]] = arith.addf %[[B]], %[[X]]
// CHECK: plan.yield %[[C]]
// CHECK: plan.program
// CHECK: plan.dispatch @linear tiles 4(%[[X:.*]], %{{.*}}, %[[O:.*]]) :
// CHECK: plan.dispatch @ffn_merge tiles 1(%[[P:.*]], %[[Y:.*]], %{{.*}}, %[[O]], %[[X]])
// CHECK: plan.logits %[[Y]]
func.func @decode(%token: index, %position: index) -> tensor<1x16xf32> {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  %o = llm.linear %x weight @m : tensor<1x16xf32> -> tensor<1x16xf32>
  %a = neuron.gate_up <relu> %x of @g up @f up_bias @u : tensor<1x16xf32> -> !neuron.acts<12>
  %p = neuron.down %a of @g down @f : !neuron.acts<12> -> tensor<1x16xf32>
  %s = neuron.merge %p bias @v : (tensor<1x16xf32>) -> tensor<1x16xf32>
  %h = llm.add %s, %o : tensor<1x16xf32>
  %l = llm.add %h, %x : tensor<1x16xf32>
  return %l : tensor<1x16xf32>
}

// -----

// A product with two users is kept as it is: the sums are one map.
pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
// CHECK-LABEL: plan.arena @activations
// CHECK: plan.kernel @linear on <cpu>
// CHECK-NOT: extras
// CHECK: plan.kernel @add on <cpu>
// CHECK: ^bb0({{.*}}index, %[[X:[a-z0-9]+]]: memref<1x16xf32>, %[[O:[a-z0-9]+]]: memref<1x16xf32>, %[[L:[a-z0-9]+]]: memref<1x16xf32>):
// CHECK: plan.map ins(%[[X]], %[[O]], %[[O]], %[[X]]) -> %[[L]] tiles(%{{.*}} to %{{.*}}) per_tile 64
// CHECK: plan.program
// CHECK: plan.dispatch @linear tiles 4(%[[X:.*]], %{{.*}}, %[[O:.*]]) :
// CHECK: plan.dispatch @add tiles 1(%[[X]], %[[O]], %[[L:.*]]) :
// CHECK: plan.logits %[[L]]
func.func @decode(%token: index, %position: index) -> tensor<1x16xf32> {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  %o = llm.linear %x weight @m : tensor<1x16xf32> -> tensor<1x16xf32>
  %a = llm.add %x, %o : tensor<1x16xf32>
  %b = llm.add %o, %a : tensor<1x16xf32>
  %l = llm.add %b, %x : tensor<1x16xf32>
  return %l : tensor<1x16xf32>
}

// -----

// x + x: one buffer, passed once.
pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
// CHECK-LABEL: plan.arena @activations
// CHECK: plan.kernel @add on <cpu>
// CHECK: ^bb0({{.*}}index, %[[X:[a-z0-9]+]]: memref<1x16xf32>, %[[Y:[a-z0-9]+]]: memref<1x16xf32>):
// CHECK: plan.map ins(%[[X]], %[[X]]) -> %[[Y]]
func.func @decode(%token: index, %position: index) -> tensor<1x16xf32> {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  %o = llm.linear %x weight @m : tensor<1x16xf32> -> tensor<1x16xf32>
  %l = llm.add %o, %o : tensor<1x16xf32>
  return %l : tensor<1x16xf32>
}

// -----

// The other operand of a sum comes later: the sum waits for it.
pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
// CHECK-LABEL: plan.arena @activations
// CHECK: plan.program
// CHECK: plan.dispatch @linear tiles 4(%[[X:.*]], %{{.*}}, %[[A:.*]]) :
// CHECK: plan.dispatch @linear_1 tiles 4(%[[A]], %{{.*}}, %[[B:.*]]) :
// CHECK: plan.dispatch @linear_2 tiles 4(%[[B]], %{{.*}}, %[[X]], %[[L:.*]]) :
// CHECK: plan.logits %[[L]]
func.func @decode(%token: index, %position: index) -> tensor<1x16xf32> {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  %a = llm.linear %x weight @m : tensor<1x16xf32> -> tensor<1x16xf32>
  %b = llm.linear %a weight @m : tensor<1x16xf32> -> tensor<1x16xf32>
  %c = llm.linear %b weight @m : tensor<1x16xf32> -> tensor<1x16xf32>
  %l = llm.add %x, %c : tensor<1x16xf32>
  return %l : tensor<1x16xf32>
}

// -----

// A norm that a sum reads too (post-norm) is computed once, into a buffer.
pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
pi.weight @v : tensor<16xf32> from <file = "a", offset = 0, bytes = 64, type = tensor<16xf32>, encoding = raw>
// CHECK-LABEL: plan.arena @activations
// CHECK: plan.kernel @norm on <cpu>
// CHECK: %[[N:.*]] = plan.local
// CHECK: plan.norm <layer> %{{.*}} weight %{{.*}} bias %{{.*}} eps 5.000000e-01 -> %[[N]]
// CHECK: plan.map ins(%[[N]]) -> %{{.*}} tiles(%{{.*}} to %{{.*}}) per_tile 64
// CHECK: plan.kernel @linear on <cpu>
// CHECK-NOT: plan.norm
// CHECK: plan.program
// CHECK: plan.dispatch @norm tiles 1(%{{.*}}, %{{.*}}, %[[N:.*]]) :
// CHECK: plan.dispatch @linear tiles 4(%[[N]], %{{.*}}, %{{.*}}) :
// CHECK-SAME: memref<1x16xf32>, memref<16x16xf32>, memref<1x16xf32>
func.func @decode(%token: index, %position: index) -> tensor<1x16xf32> {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  %n = llm.norm <layer> %x weight @v bias @v eps 0.5 : tensor<1x16xf32>
  %o = llm.linear %n weight @m : tensor<1x16xf32> -> tensor<1x16xf32>
  %l = llm.add %n, %o : tensor<1x16xf32>
  return %l : tensor<1x16xf32>
}

// -----

// Several groups: each is tested and applied, then one sum of all, with bias and residual.
// The one on a GPU has the same kernels on the CPU. Weights of its own begin with its rows.
pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
pi.weight @v : tensor<16xf32> from <file = "a", offset = 0, bytes = 64, type = tensor<16xf32>, encoding = raw>
pi.weight @f : tensor<12x16xf32> from <file = "a", offset = 0, bytes = 768, type = tensor<12x16xf32>, encoding = raw>
neuron.group @g layer 0 rows(0 to 8) on <gpu0>
neuron.group @h layer 0 rows(8 to 12) on <cpu>
// CHECK-LABEL: plan.arena @activations
// CHECK: plan.kernel @ffn_select on <cpu>
// CHECK: plan.select {{.*}} rows(0 to 8)
// CHECK: plan.select {{.*}} rows(8 to 12)
// CHECK: plan.kernel @ffn_merge on <cpu>
// CHECK: plan.reduce %{{.*}}, %{{.*}} -> {{.*}} extras(%{{.*}}, %{{.*}} : memref<16xf32>, memref<1x16xf32>)
// CHECK: plan.program
// CHECK: plan.dispatch @ffn_select tiles 2(%[[X:.*]], %{{.*}}, %[[I:.*]], %[[A:.*]], %[[C:.*]]) :
// CHECK: plan.dispatch @ffn_apply tiles 1(%[[I]], %[[C]], %[[A]], %{{.*}}, %[[P:.*]]) : {{.*}}, memref<1x16xf32>
// CHECK: plan.dispatch @ffn_select_1 tiles 1(%[[X]], %{{.*}}) : {{.*}}memref<4xi32>, memref<4xf32>, memref<1xf32>
// CHECK: plan.dispatch @ffn_apply_1 tiles 1({{.*}}, %[[Q:.*]]) : {{.*}}, memref<1x16xf32>
// CHECK: plan.dispatch @ffn_merge tiles 1(%[[P]], %[[Q]], %[[L:.*]], %{{.*}}, %[[X]]) :
// CHECK: plan.logits %[[L]]
func.func @decode(%token: index, %position: index) -> tensor<1x16xf32> {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  %a = neuron.gate_up <relu> %x of @g up @f : tensor<1x16xf32> -> !neuron.acts<8>
  %b = neuron.gate_up <relu> %x of @h up @f : tensor<1x16xf32> -> !neuron.acts<4>
  %p = neuron.down %a of @g down @f : !neuron.acts<8> -> tensor<1x16xf32>
  %q = neuron.down %b of @h down @f : !neuron.acts<4> -> tensor<1x16xf32>
  %s = neuron.merge %p, %q bias @v : (tensor<1x16xf32>, tensor<1x16xf32>) -> tensor<1x16xf32>
  %l = llm.add %x, %s : tensor<1x16xf32>
  return %l : tensor<1x16xf32>
}

// -----

// A share that is read by other operations is summed up at once.
pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
pi.weight @f : tensor<12x16xf32> from <file = "a", offset = 0, bytes = 768, type = tensor<12x16xf32>, encoding = raw>
neuron.group @g layer 0 rows(0 to 12) on <cpu>
// CHECK-LABEL: plan.arena @activations
// CHECK: plan.program
// CHECK: plan.dispatch @ffn_reduce tiles 1(%{{.*}}, %[[S:.*]]) :
// CHECK: plan.dispatch @linear tiles 4(%[[S]],
func.func @decode(%token: index, %position: index) -> tensor<1x16xf32> {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  %a = neuron.gate_up <relu> %x of @g up @f : tensor<1x16xf32> -> !neuron.acts<12>
  %p = neuron.down %a of @g down @f : !neuron.acts<12> -> tensor<1x16xf32>
  %l = llm.linear %p weight @m : tensor<1x16xf32> -> tensor<1x16xf32>
  return %l : tensor<1x16xf32>
}

// -----

// A table of positions.
pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
// CHECK-LABEL: plan.arena @activations
// CHECK: plan.embed %{{.*}}[%{{.*}}] plus %{{.*}}[%{{.*}} + 2] -> %{{.*}} : memref<16x16xf32>, memref<16x16xf32> -> memref<1x16xf32>
func.func @decode(%token: index, %position: index) -> tensor<1x16xf32> {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  %l = llm.embed %token at %position table @m positions @m offset 2 : tensor<1x16xf32>
  return %l : tensor<1x16xf32>
}

// -----

// The sum of two products of one input: both are of one dispatch, with no barrier between
// them, so neither takes the other in.
pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
// CHECK-LABEL: plan.arena @activations
// CHECK: plan.kernel @linear on <cpu>
// CHECK-NOT: extras
// CHECK: plan.kernel @add on <cpu>
// CHECK: plan.program
// CHECK: plan.dispatch @linear tiles 8(%{{.*}}, %{{.*}}, %[[A:.*]], %[[B:.*]]) :
// CHECK: plan.dispatch @add tiles 1(%[[A]], %[[B]], %[[L:.*]]) :
// CHECK: plan.logits %[[L]]
func.func @decode(%token: index, %position: index) -> tensor<1x16xf32> {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  %a = llm.linear %x weight @m : tensor<1x16xf32> -> tensor<1x16xf32>
  %b = llm.linear %x weight @m : tensor<1x16xf32> -> tensor<1x16xf32>
  %l = llm.add %a, %b : tensor<1x16xf32>
  return %l : tensor<1x16xf32>
}
