// RUN: pi-opt %s --verify-roundtrip | FileCheck %s
// RUN: pi-opt %s --mlir-print-op-generic | pi-opt | FileCheck %s

!cache = !llm.kv_cache<heads = 2, dim = 4, type = f32, capacity = 6>

pi.weight @table : tensor<10x16xf16> from <file = "a", offset = 0, bytes = 320, type = tensor<10x16xf16>, encoding = raw>
pi.weight @kv : tensor<8x16xf16> from <file = "a", offset = 0, bytes = 256, type = tensor<8x16xf16>, encoding = raw>
pi.weight @w : tensor<16xf32> from <file = "a", offset = 0, bytes = 64, type = tensor<16xf32>, encoding = raw>
pi.weight @b : tensor<10xf32> from <file = "a", offset = 0, bytes = 40, type = tensor<10xf32>, encoding = raw>

// CHECK-LABEL: func @decode
// CHECK-SAME: %[[C:[a-z0-9]+]]: !llm.kv_cache<heads = 2, dim = 4, type = f32, capacity = 6>
func.func @decode(%token: index, %position: index, %cache: !cache) -> (tensor<1x10xf32>, !cache) {
  // CHECK: llm.embed %{{.*}} at %{{.*}} table @table : tensor<1x16xf32>
  %x0 = llm.embed %token at %position table @table : tensor<1x16xf32>
  // CHECK: llm.embed %{{.*}} at %{{.*}} table @table positions @kv offset 2 : tensor<1x16xf32>
  %x1 = llm.embed %token at %position table @table positions @kv offset 2 : tensor<1x16xf32>
  // CHECK: llm.add %{{.*}}, %{{.*}} : tensor<1x16xf32>
  %x = llm.add %x0, %x1 : tensor<1x16xf32>
  // CHECK: llm.norm <rms> %{{.*}} weight @w eps 9.99999974E-6 : tensor<1x16xf32>
  %n = llm.norm <rms> %x weight @w eps 1.0e-5 : tensor<1x16xf32>
  // CHECK: llm.norm <layer> %{{.*}} weight @w bias @w eps 5.000000e-01 : tensor<1x16xf32>
  %m = llm.norm <layer> %n weight @w bias @w eps 0.5 : tensor<1x16xf32>
  // CHECK: llm.linear %{{.*}} weight @kv : tensor<1x16xf32> -> tensor<1x8xf32>
  %k = llm.linear %m weight @kv : tensor<1x16xf32> -> tensor<1x8xf32>
  // Frequencies read back exactly.
  // CHECK: llm.rope %{{.*}} at %{{.*}} heads 2 frequencies [1.000000e+00, 0.562341332] : tensor<1x8xf32>
  %r = llm.rope %k at %position heads 2 frequencies [1.0, 0.5623413324356079] : tensor<1x8xf32>
  // CHECK: %[[D:.*]] = llm.kv_append %[[C]], %{{.*}}, %{{.*}} at %{{.*}} : !llm.kv_cache<heads = 2, dim = 4, type = f32, capacity = 6>, tensor<1x8xf32>
  %c = llm.kv_append %cache, %r, %k at %position : !cache, tensor<1x8xf32>
  // CHECK: llm.attention %{{.*}}, %[[D]] at %{{.*}} heads 4 scale 5.000000e-01 : tensor<1x16xf32>, !llm.kv_cache<heads = 2, dim = 4, type = f32, capacity = 6>
  %a = llm.attention %x, %c at %position heads 4 scale 0.5 : tensor<1x16xf32>, !cache
  // CHECK: llm.ffn <relu> %{{.*}} gate @table up @table down @table : tensor<1x16xf32>
  %f = llm.ffn <relu> %a gate @table up @table down @table : tensor<1x16xf32>
  // CHECK: llm.ffn <relu> %{{.*}} up @table up_bias @b down @table down_bias @w : tensor<1x16xf32>
  %g = llm.ffn <relu> %f up @table up_bias @b down @table down_bias @w : tensor<1x16xf32>
  // CHECK: llm.logits %{{.*}} head @table : tensor<1x16xf32> -> tensor<1x10xf32>
  %l = llm.logits %g head @table : tensor<1x16xf32> -> tensor<1x10xf32>
  // CHECK: llm.linear %{{.*}} weight @table bias @b : tensor<1x16xf32> -> tensor<1x10xf32>
  %o = llm.linear %g weight @table bias @b : tensor<1x16xf32> -> tensor<1x10xf32>
  // CHECK: llm.logits %{{.*}} head @table bias @b : tensor<1x16xf32> -> tensor<1x10xf32>
  %p = llm.logits %g head @table bias @b : tensor<1x16xf32> -> tensor<1x10xf32>
  return %l, %c : tensor<1x10xf32>, !cache
}
