// RUN: pi-opt %s --pi-neuron-to-plan --split-input-file | FileCheck %s

// Without rotation.
!cache = !llm.kv_cache<heads = 2, dim = 4, type = f32, capacity = 32>
pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
pi.weight @kw : tensor<8x16xf32> from <file = "a", offset = 0, bytes = 512, type = tensor<8x16xf32>, encoding = raw>
// CHECK-LABEL: plan.arena @activations
// CHECK: plan.kernel @attend on <cpu>
// CHECK-NOT: plan.rope
// CHECK: plan.append
// CHECK: plan.append
// CHECK: plan.attend
func.func @decode(%token: index, %position: index, %cache: !cache) -> (tensor<1x16xf32>, !cache) {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  %k = llm.linear %x weight @kw : tensor<1x16xf32> -> tensor<1x8xf32>
  %c = llm.kv_append %cache, %k, %k at %position : !cache, tensor<1x8xf32>
  %a = llm.attention %x, %c at %position heads 4 scale 0.5 : tensor<1x16xf32>, !cache
  return %a, %c : tensor<1x16xf32>, !cache
}

// -----

// A row that others read is copied before it is rotated: here the query, which is the
// input of a product too, and the key, whose row is also the value.
!cache = !llm.kv_cache<heads = 2, dim = 4, type = f32, capacity = 32>
pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
pi.weight @kw : tensor<8x16xf32> from <file = "a", offset = 0, bytes = 512, type = tensor<8x16xf32>, encoding = raw>
// CHECK-LABEL: plan.arena @activations
// CHECK: plan.kernel @attend on <cpu>
// CHECK: plan.map ins(%[[X:.*]]) -> %[[Q:.*]] tiles(%{{.*}} to %{{.*}}) per_tile 8
// CHECK: plan.rope %[[Q]] {{.*}} per_tile 2 : memref<1x16xf32>
// CHECK: plan.map ins(%[[V:.*]]) -> %[[K:.*]] tiles(%{{.*}} to %{{.*}}) per_tile 4
// CHECK: plan.rope %[[K]] {{.*}} per_tile 1 : memref<1x8xf32>
// CHECK: plan.append %[[K]]
// CHECK: plan.append %[[V]]
// CHECK: plan.attend %[[Q]]
func.func @decode(%token: index, %position: index, %cache: !cache) -> (tensor<1x16xf32>, !cache) {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  %k = llm.linear %x weight @kw : tensor<1x16xf32> -> tensor<1x8xf32>
  %q = llm.rope %x at %position heads 4 frequencies [1.0, 0.5] : tensor<1x16xf32>
  %r = llm.rope %k at %position heads 2 frequencies [1.0, 0.5] : tensor<1x8xf32>
  %c = llm.kv_append %cache, %r, %k at %position : !cache, tensor<1x8xf32>
  %a = llm.attention %q, %c at %position heads 4 scale 0.5 : tensor<1x16xf32>, !cache
  return %a, %c : tensor<1x16xf32>, !cache
}

// -----

// A rotation with other users, or with heads of another size, is a dispatch of its own.
!cache = !llm.kv_cache<heads = 2, dim = 4, type = f32, capacity = 32>
pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
pi.weight @kw : tensor<8x16xf32> from <file = "a", offset = 0, bytes = 512, type = tensor<8x16xf32>, encoding = raw>
// CHECK-LABEL: plan.arena @activations
// CHECK: plan.kernel @rope on <cpu>
// CHECK: plan.map {{.*}} per_tile 8
// CHECK: plan.rope {{.*}} dim 8 {{.*}} per_tile 1
// CHECK: plan.kernel @attend on <cpu>
// CHECK-NOT: plan.rope
// CHECK: plan.program
// CHECK: plan.dispatch @rope tiles 2(%[[X:.*]], %[[Q:.*]]) :
// CHECK: plan.dispatch @attend tiles 2(%{{.*}}, %{{.*}}, %[[Q]], %[[A:.*]], %{{.*}}) :
// CHECK: plan.dispatch @add tiles 1(%[[Q]], %[[A]], %{{.*}}) :
func.func @decode(%token: index, %position: index, %cache: !cache) -> (tensor<1x16xf32>, !cache) {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  %k = llm.linear %x weight @kw : tensor<1x16xf32> -> tensor<1x8xf32>
  %q = llm.rope %x at %position heads 2 frequencies [1.0, 0.5] : tensor<1x16xf32>
  %c = llm.kv_append %cache, %k, %k at %position : !cache, tensor<1x8xf32>
  %a = llm.attention %q, %c at %position heads 4 scale 0.5 : tensor<1x16xf32>, !cache
  %l = llm.add %q, %a : tensor<1x16xf32>
  return %l, %c : tensor<1x16xf32>, !cache
}

// -----

// An append that no attention reads.
!cache = !llm.kv_cache<heads = 2, dim = 4, type = f32, capacity = 32>
pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
pi.weight @kw : tensor<8x16xf32> from <file = "a", offset = 0, bytes = 512, type = tensor<8x16xf32>, encoding = raw>
// CHECK-LABEL: plan.arena @activations
// CHECK: plan.kernel @append on <cpu>
// CHECK: plan.rope
// CHECK: plan.append
// CHECK: plan.append
// CHECK-NOT: plan.attend
// CHECK: plan.program
// CHECK: plan.dispatch @append tiles 2
func.func @decode(%token: index, %position: index, %cache: !cache) -> (tensor<1x16xf32>, !cache) {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  %k = llm.linear %x weight @kw : tensor<1x16xf32> -> tensor<1x8xf32>
  %k2 = llm.linear %x weight @kw : tensor<1x16xf32> -> tensor<1x8xf32>
  %r = llm.rope %k2 at %position heads 2 frequencies [1.0, 0.5] : tensor<1x8xf32>
  %c = llm.kv_append %cache, %r, %k at %position : !cache, tensor<1x8xf32>
  return %x, %c : tensor<1x16xf32>, !cache
}

// -----

// Two attentions over one cache: appended once, one scratch for scores.
!cache = !llm.kv_cache<heads = 2, dim = 4, type = f32, capacity = 32>
pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
pi.weight @kw : tensor<8x16xf32> from <file = "a", offset = 0, bytes = 512, type = tensor<8x16xf32>, encoding = raw>
// CHECK-LABEL: plan.arena @activations
// CHECK: plan.program
// CHECK: %[[S:.*]] = plan.buffer @activations : memref<4x32xf32>
// CHECK: plan.dispatch @attend tiles 2({{.*}}, %[[S]]) :
// CHECK-NOT: plan.buffer @activations : memref<4x32xf32>
// CHECK: plan.dispatch @attend_1 tiles 2({{.*}}, %[[S]]) :
func.func @decode(%token: index, %position: index, %cache: !cache) -> (tensor<1x16xf32>, !cache) {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  %k = llm.linear %x weight @kw : tensor<1x16xf32> -> tensor<1x8xf32>
  %c = llm.kv_append %cache, %k, %k at %position : !cache, tensor<1x8xf32>
  %a = llm.attention %x, %c at %position heads 4 scale 0.5 : tensor<1x16xf32>, !cache
  %b = llm.attention %a, %c at %position heads 4 scale 0.5 : tensor<1x16xf32>, !cache
  return %b, %c : tensor<1x16xf32>, !cache
}

// -----

// A cache that is only read.
!cache = !llm.kv_cache<heads = 2, dim = 4, type = f32, capacity = 32>
pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
// CHECK-LABEL: plan.arena @activations
// CHECK: plan.kernel @attend on <cpu>
// CHECK-NOT: plan.append
// CHECK: plan.attend
func.func @decode(%token: index, %position: index, %cache: !cache) -> (tensor<1x16xf32>, !cache) {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  %a = llm.attention %x, %cache at %position heads 4 scale 0.5 : tensor<1x16xf32>, !cache
  return %a, %cache : tensor<1x16xf32>, !cache
}
