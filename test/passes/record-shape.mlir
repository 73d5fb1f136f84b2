// RUN: pi-opt %s --split-input-file --pi-record-shape 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN < %t.err
// RUN: pi-opt %s --split-input-file --pi-record-shape --pi-record-shape | FileCheck %s

// Two layers of different width: the larger one counts.
// CHECK: module attributes {pi.shape = #pi.shape<layers = 2, hidden = 8, intermediate = 12, heads = 4, kv_heads = 2, vocab = 10, kv = f16>}
!cache = !llm.kv_cache<heads = 2, dim = 2, type = f16, capacity = 16>
module {
  pi.weight @embed : tensor<10x8xf16> from <file = "m", offset = 0, bytes = 160, type = tensor<10x8xf16>, encoding = raw>
  pi.weight @narrow : tensor<6x8xf16> from <file = "m", offset = 0, bytes = 96, type = tensor<6x8xf16>, encoding = raw>
  pi.weight @wide : tensor<12x8xf16> from <file = "m", offset = 0, bytes = 192, type = tensor<12x8xf16>, encoding = raw>
  func.func @decode(%token: index, %position: index, %c: !cache) -> (tensor<1x10xf32>, !cache) {
    %x = llm.embed %token at %position table @embed : tensor<1x8xf32>
    %a = llm.attention %x, %c at %position heads 4 scale 0.5 : tensor<1x8xf32>, !cache
    %f = llm.ffn <relu> %a up @wide down @wide : tensor<1x8xf32>
    %g = llm.ffn <relu> %f up @narrow down @narrow : tensor<1x8xf32>
    %l = llm.logits %g head @embed : tensor<1x8xf32> -> tensor<1x10xf32>
    return %l, %c : tensor<1x10xf32>, !cache
  }
}

// -----

// Nothing to record in a module that is past this level: the attribute stays.
// CHECK: module attributes {pi.shape = #pi.shape<layers = 1, hidden = 2, intermediate = 3, heads = 4, kv_heads = 5, vocab = 6, kv = f32>}
module attributes {pi.shape = #pi.shape<layers = 1, hidden = 2, intermediate = 3, heads = 4, kv_heads = 5, vocab = 6, kv = f32>} {
  func.func @decode(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
    return %x : tensor<1x8xf32>
  }
}

// -----

// A block without the rest of a decoder gives no sizes.
// CHECK: module {
module {
  pi.weight @w : tensor<6x8xf16> from <file = "m", offset = 0, bytes = 96, type = tensor<6x8xf16>, encoding = raw>
  func.func @decode(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
    %f = llm.ffn <relu> %x up @w down @w : tensor<1x8xf32>
    return %f : tensor<1x8xf32>
  }
}

// -----

// Sizes that config.json gives are compared, and gone.
// WARN-NOT: warning
// WARN: record-shape.mlir:{{.*}}: warning: config.json is not of this graph: it says num_hidden_layers 2 instead of 1, vocab_size 11 instead of 10
// WARN-NOT: warning
// CHECK: module attributes {pi.shape = #pi.shape<layers = 1, hidden = 8, intermediate = 12, heads = 4, kv_heads = 2, vocab = 10, kv = f16>} {
!cache = !llm.kv_cache<heads = 2, dim = 2, type = f16, capacity = 16>
module attributes {pi.config = {hidden_size = 8 : i64, num_hidden_layers = 2 : i64, vocab_size = 11 : i64}} {
  pi.weight @embed : tensor<10x8xf16> from <file = "m", offset = 0, bytes = 160, type = tensor<10x8xf16>, encoding = raw>
  pi.weight @wide : tensor<12x8xf16> from <file = "m", offset = 0, bytes = 192, type = tensor<12x8xf16>, encoding = raw>
  func.func @decode(%token: index, %position: index, %c: !cache) -> (tensor<1x10xf32>, !cache) {
    %x = llm.embed %token at %position table @embed : tensor<1x8xf32>
    %a = llm.attention %x, %c at %position heads 4 scale 0.5 : tensor<1x8xf32>, !cache
    %f = llm.ffn <relu> %a up @wide down @wide : tensor<1x8xf32>
    %l = llm.logits %f head @embed : tensor<1x8xf32> -> tensor<1x10xf32>
    return %l, %c : tensor<1x10xf32>, !cache
  }
}
