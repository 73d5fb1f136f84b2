// RUN: pi-opt %s --pi-neuron-to-plan --split-input-file | FileCheck %s

// A whole decoder with one block: the dispatches of a layer are the barriers that cannot
// be avoided. The result parses, has no function left, and keeps its groups.
!cache = !llm.kv_cache<heads = 2, dim = 4, type = f16, capacity = 32>
pi.weight @table : tensor<40x16xf32> from <file = "a", offset = 0, bytes = 2560, type = tensor<40x16xf32>, encoding = raw>
pi.weight @v : tensor<16xf32> from <file = "a", offset = 0, bytes = 64, type = tensor<16xf32>, encoding = raw>
pi.weight @q : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
pi.weight @kw : tensor<8x16xf32> from <file = "a", offset = 0, bytes = 512, type = tensor<8x16xf32>, encoding = raw>
pi.weight @qb : tensor<16xf32> from <file = "a", offset = 0, bytes = 64, type = tensor<16xf32>, encoding = raw>
pi.weight @f : tensor<12x16xf32> from <file = "a", offset = 0, bytes = 768, type = tensor<12x16xf32>, encoding = raw>
neuron.group @layers.0.all layer 0 rows(0 to 12) on <cpu>
// CHECK: neuron.group @layers.0.all
// CHECK-NOT: func.func
// CHECK: plan.arena @activations <activations>
// CHECK: plan.arena @kv <kv_cache>

// CHECK: plan.kernel @embed_token on <cpu> {
// CHECK: ^bb0(%[[TOKEN:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: index, %[[T:[a-z0-9]+]]: memref<40x16xf32>, %[[X:[a-z0-9]+]]: memref<1x16xf32>):
// CHECK: plan.embed %[[T]][%[[TOKEN]]] -> %[[X]]

// The norm is computed by every thread; q, k and v follow one another in tile space.
// CHECK: plan.kernel @norm_qkv on <cpu> {
// CHECK: ^bb0(%{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: index, %[[B:[a-z0-9]+]]: index, %[[E:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: memref<1x16xf32>
// CHECK: %[[N:.*]] = plan.local : memref<1x16xf32>
// CHECK: plan.norm <rms> %[[X]] weight %{{.*}} eps 5.000000e-01 -> %[[N]]
// CHECK: plan.matvec %{{.*}}, %[[N]] -> %{{.*}} extras(%{{.*}} : memref<16xf32>) tiles(%[[B]] to %[[E]]) first 0 per_tile 4 {
// CHECK: ^bb0(%[[S:.*]]: f32, %[[BIAS:.*]]: f32):
// CHECK: %[[R:.*]] = arith.addf %[[S]], %[[BIAS]] : f32
// CHECK: plan.yield %[[R]] : f32
// CHECK: plan.matvec %{{.*}}, %[[N]] -> %{{.*}} tiles(%[[B]] to %[[E]]) first 4 per_tile 4 {
// CHECK: plan.matvec %{{.*}}, %[[N]] -> %{{.*}} tiles(%[[B]] to %[[E]]) first 6 per_tile 4 {

// One key/value head a tile: its two query heads are rotated by the same thread.
// CHECK: plan.kernel @attend on <cpu> {
// CHECK: plan.rope %[[QR:.*]] at %[[P:.*]] dim 4 frequencies [1.000000e+00, 5.000000e-01] tiles(%{{.*}} to %{{.*}}) first 0 per_tile 2 : memref<1x16xf32>
// CHECK: plan.rope %[[KR:.*]] at %[[P]] dim 4 frequencies [1.000000e+00, 5.000000e-01] tiles(%{{.*}} to %{{.*}}) first 0 per_tile 1 : memref<1x8xf32>
// CHECK: plan.append %[[KR]] at %[[P]] -> %[[KEYS:.*]] tiles
// CHECK: plan.append %{{.*}} at %[[P]] -> %[[VALUES:.*]] tiles
// CHECK: plan.attend %[[QR]], %[[KEYS]], %[[VALUES]] -> %{{.*}} scores %{{.*}} at %[[P]] scale 5.000000e-01 tiles

// The residual sum is the epilogue.
// CHECK: plan.kernel @out_proj on <cpu> {
// CHECK: plan.matvec {{.*}} extras(%{{.*}} : memref<1x16xf32>)

// The exact check leaves the norm for the rows that come a dispatch later, a part per tile.
// CHECK: plan.kernel @norm_ffn_select on <cpu> {
// CHECK: plan.norm <rms> {{.*}} -> %[[N:.*]] :
// CHECK: plan.map ins(%[[N]]) -> %{{.*}} tiles(%{{.*}} to %{{.*}}) per_tile 6 {
// CHECK: plan.select %[[N]], {{.*}} rows(0 to 12) tiles(%{{.*}} to %{{.*}}) per_tile 4 {
// CHECK: ^bb0(%[[PRE:.*]]: f32):
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[ACT:.*]] = arith.maximumf %[[PRE]], %[[ZERO]] : f32
// CHECK: plan.yield %[[ACT]] : f32

// CHECK: plan.kernel @ffn_apply on <cpu> {
// CHECK-NOT: plan.norm
// CHECK: plan.apply list(%{{.*}}, %{{.*}}, %{{.*}}) per_segment 4 input %{{.*}} up %{{.*}} down

// CHECK: plan.kernel @ffn_merge on <cpu> {
// CHECK: plan.reduce {{.*}} extras(%{{.*}} : memref<1x16xf32>)

// CHECK: plan.kernel @logits on <cpu> {
// CHECK: plan.norm <rms>
// CHECK: plan.matvec {{.*}} first 0 per_tile 4

// CHECK-LABEL: plan.program @decode {
// CHECK: %[[KEYS:.*]] = plan.buffer @kv : memref<2x32x4xf16>
// CHECK: %[[VALUES:.*]] = plan.buffer @kv : memref<2x32x4xf16>
// CHECK: plan.dispatch @embed_token tiles 1(%[[TABLE:.*]], %[[X:.*]]) :
// CHECK: plan.dispatch @norm_qkv tiles 8(%[[X]], %{{.*}}, %{{.*}}, %{{.*}}, %[[Q:.*]], %{{.*}}, %[[K:.*]], %[[V:.*]]) :
// CHECK: plan.buffer @activations : memref<4x32xf32>
// CHECK: plan.dispatch @attend tiles 2(%[[Q]], %{{.*}}, %[[KEYS]], %{{.*}}, %[[VALUES]], %[[A:.*]], %{{.*}}) :
// CHECK: plan.dispatch @out_proj tiles 4(%[[A]], %{{.*}}, %[[X]], %[[H:.*]]) :
// CHECK: plan.dispatch @norm_ffn_select tiles 3(%[[H]], %{{[0-9a-z]+}}, %[[N:[0-9a-z]+]], {{.*}}, %[[IDS:[0-9a-z]+]], %[[ACTS:[0-9a-z]+]], %[[COUNTS:[0-9a-z]+]]) : {{.*}}, memref<12xi32>, memref<12xf32>, memref<3xf32>
// CHECK: plan.dispatch @ffn_apply tiles 1(%[[IDS]], %[[COUNTS]], %[[ACTS]], %[[N]], {{.*}}, %[[PARTIAL:[0-9a-z]+]]) : {{.*}}, memref<1x16xf32>
// CHECK: plan.dispatch @ffn_merge tiles 1(%[[PARTIAL]], %[[Y:.*]], %[[H]]) :
// The table, shared with the head, is named once.
// CHECK: plan.dispatch @logits tiles 10(%[[Y]], %{{.*}}, %[[TABLE]], %[[L:.*]]) :
// CHECK: plan.logits %[[L]] : memref<1x40xf32>
// CHECK: plan.activity %[[COUNTS]] layer 0 neurons 12 : memref<3xf32>
func.func @decode(%token: index, %position: index, %cache: !cache) -> (tensor<1x40xf32>, !cache) {
  %x = llm.embed %token at %position table @table : tensor<1x16xf32>
  %n = llm.norm <rms> %x weight @v eps 0.5 : tensor<1x16xf32>
  %q = llm.linear %n weight @q bias @qb : tensor<1x16xf32> -> tensor<1x16xf32>
  %k = llm.linear %n weight @kw : tensor<1x16xf32> -> tensor<1x8xf32>
  %v = llm.linear %n weight @kw : tensor<1x16xf32> -> tensor<1x8xf32>
  %qr = llm.rope %q at %position heads 4 frequencies [1.0, 0.5] : tensor<1x16xf32>
  %kr = llm.rope %k at %position heads 2 frequencies [1.0, 0.5] : tensor<1x8xf32>
  %c = llm.kv_append %cache, %kr, %v at %position : !cache, tensor<1x8xf32>
  %a = llm.attention %qr, %c at %position heads 4 scale 0.5 : tensor<1x16xf32>, !cache
  %o = llm.linear %a weight @q : tensor<1x16xf32> -> tensor<1x16xf32>
  %h = llm.add %x, %o : tensor<1x16xf32>
  %m = llm.norm <rms> %h weight @v eps 0.5 : tensor<1x16xf32>
  %act = neuron.gate_up <relu> %m of @layers.0.all gate @f up @f : tensor<1x16xf32> -> !neuron.acts<12>
  %p = neuron.down %act of @layers.0.all down @f : !neuron.acts<12> -> tensor<1x16xf32>
  %s = neuron.merge %p : (tensor<1x16xf32>) -> tensor<1x16xf32>
  %y = llm.add %h, %s : tensor<1x16xf32>
  %z = llm.norm <rms> %y weight @v eps 0.5 : tensor<1x16xf32>
  %l = llm.logits %z head @table : tensor<1x16xf32> -> tensor<1x40xf32>
  return %l, %c : tensor<1x40xf32>, !cache
}
