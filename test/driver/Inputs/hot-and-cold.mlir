// RUN: pi-opt --pi-check-level=level=plan %s -o /dev/null
// One layer whose neurons lie in two places, and attention on the device. The layer is
// called 7; no device says how fast memory is read.
module attributes {pi.model = #pi.model<family = "opt", positions = 0, capacity = 4, bos = -1, eos = [], tokenizer = "/t", exact = true>} {
pi.weight @embed : tensor<8x16xf16> from <file = "/m", offset = 0, bytes = 256, type = tensor<8x16xf16>, encoding = raw>
pi.weight @o : tensor<16x16xf16> from <file = "/m", offset = 256, bytes = 512, type = tensor<16x16xf16>, encoding = raw>
pi.weight @up : tensor<64x16xf16> from <file = "/m", offset = 768, bytes = 2048, type = tensor<64x16xf16>, encoding = raw>
pi.weight @down : tensor<64x16xf16> from <file = "/m", offset = 2816, bytes = 2048, type = tensor<64x16xf16>, encoding = raw>
plan.arena @activations <activations> bytes 8192
plan.arena @kv <kv_cache> bytes 4096
plan.kernel @embed_token on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %table: memref<8x16xf16>, %x: memref<1x16xf32>):
  plan.embed %table[%token] -> %x : memref<8x16xf16> -> memref<1x16xf32>
}
plan.kernel @attend on <gpu0> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %q: memref<1x16xf32>,
     %k: memref<1x4x16xf16>, %v: memref<1x4x16xf16>, %y: memref<1x16xf32>, %s: memref<1x4xf32>):
  plan.attend %q, %k, %v -> %y scores %s at %position scale 0.25 tiles(%begin to %end)
      : memref<1x16xf32>, memref<1x4x16xf16>, memref<1x4x16xf16>, memref<1x4xf32> -> memref<1x16xf32>
}
plan.kernel @out_proj on <gpu0> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %a: memref<1x16xf32>,
     %w: memref<16x16xf16>, %x: memref<1x16xf32>, %y: memref<1x16xf32>):
  plan.matvec %w, %a -> %y extras(%x : memref<1x16xf32>) tiles(%begin to %end) first 0 per_tile 16 {
  ^bb0(%sum: f32, %residual: f32):
    %0 = arith.addf %sum, %residual : f32
    plan.yield %0 : f32
  } : memref<16x16xf16>, memref<1x16xf32> -> memref<1x16xf32>
}
plan.kernel @hot_select on <gpu0> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x16xf32>,
     %up: memref<64x16xf16>, %i: memref<24xi32>, %a: memref<24xf32>, %c: memref<1xf32>):
  plan.select %x, %up -> %i, %a, %c rows(0 to 24) tiles(%begin to %end) per_tile 24 {
  ^bb0(%pre: f32):
    %zero = arith.constant 0.0 : f32
    %1 = arith.maximumf %pre, %zero : f32
    plan.yield %1 : f32
  } : memref<1x16xf32>, memref<64x16xf16> -> memref<24xi32>, memref<24xf32>, memref<1xf32>
}
plan.kernel @hot_apply on <gpu0> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %i: memref<24xi32>,
     %a: memref<24xf32>, %c: memref<1xf32>, %down: memref<64x16xf16>, %p: memref<1x16xf32>):
  plan.apply list(%i, %c, %a) per_segment 24 down %down -> %p tiles(%begin to %end)
      : memref<24xi32>, memref<1xf32>, memref<24xf32> down memref<64x16xf16> -> memref<1x16xf32>
}
plan.kernel @cold_select on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x16xf32>,
     %up: memref<64x16xf16>, %i: memref<40xi32>, %a: memref<40xf32>, %c: memref<1xf32>):
  plan.select %x, %up -> %i, %a, %c rows(24 to 64) tiles(%begin to %end) per_tile 40 {
  ^bb0(%pre: f32):
    %zero = arith.constant 0.0 : f32
    %1 = arith.maximumf %pre, %zero : f32
    plan.yield %1 : f32
  } : memref<1x16xf32>, memref<64x16xf16> -> memref<40xi32>, memref<40xf32>, memref<1xf32>
}
plan.kernel @cold_apply on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %i: memref<40xi32>,
     %a: memref<40xf32>, %c: memref<1xf32>, %down: memref<64x16xf16>, %p: memref<1x16xf32>):
  plan.apply list(%i, %c, %a) per_segment 40 down %down -> %p tiles(%begin to %end)
      : memref<40xi32>, memref<1xf32>, memref<40xf32> down memref<64x16xf16> -> memref<1x16xf32>
}
plan.kernel @merge on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %p: memref<1x16xf32>,
     %q: memref<1x16xf32>, %x: memref<1x16xf32>, %y: memref<1x16xf32>):
  plan.reduce %p, %q -> %y extras(%x : memref<1x16xf32>) tiles(%begin to %end) per_tile 16 {
  ^bb0(%sum: f32, %residual: f32):
    %0 = arith.addf %sum, %residual : f32
    plan.yield %0 : f32
  } : memref<1x16xf32>, memref<1x16xf32> -> memref<1x16xf32>
}
plan.kernel @logits on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x16xf32>,
     %w: memref<8x16xf16>, %y: memref<1x8xf32>):
  plan.matvec %w, %x -> %y tiles(%begin to %end) first 0 per_tile 8 {
  ^bb0(%sum: f32):
    plan.yield %sum : f32
  } : memref<8x16xf16>, memref<1x16xf32> -> memref<1x8xf32>
}
plan.program @decode {
  %k = plan.buffer @kv offset 0 : memref<1x4x16xf16>
  %v = plan.buffer @kv offset 128 : memref<1x4x16xf16>
  %embed = plan.weight @embed : memref<8x16xf16>
  %o = plan.weight @o : memref<16x16xf16>
  %up = plan.weight @up : memref<64x16xf16>
  %down = plan.weight @down : memref<64x16xf16>
  %x = plan.buffer @activations offset 0 : memref<1x16xf32>
  %a = plan.buffer @activations offset 64 : memref<1x16xf32>
  %s = plan.buffer @activations offset 128 : memref<1x4xf32>
  %h = plan.buffer @activations offset 192 : memref<1x16xf32>
  %p = plan.buffer @activations offset 256 : memref<1x16xf32>
  %q = plan.buffer @activations offset 320 : memref<1x16xf32>
  %c = plan.buffer @activations offset 384 : memref<1xf32>
  %d = plan.buffer @activations offset 448 : memref<1xf32>
  %y = plan.buffer @activations offset 576 : memref<1x16xf32>
  %l = plan.buffer @activations offset 640 : memref<1x8xf32>
  %hot_ids = plan.buffer @activations offset 704 : memref<24xi32>
  %hot_acts = plan.buffer @activations offset 832 : memref<24xf32>
  %cold_ids = plan.buffer @activations offset 960 : memref<40xi32>
  %cold_acts = plan.buffer @activations offset 1152 : memref<40xf32>
  plan.dispatch @embed_token tiles 1(%embed, %x) : memref<8x16xf16>, memref<1x16xf32>
  plan.dispatch @attend tiles 1(%x, %k, %v, %a, %s) : memref<1x16xf32>, memref<1x4x16xf16>, memref<1x4x16xf16>, memref<1x16xf32>, memref<1x4xf32>
  plan.dispatch @out_proj tiles 1(%a, %o, %x, %h) : memref<1x16xf32>, memref<16x16xf16>, memref<1x16xf32>, memref<1x16xf32>
  plan.dispatch @hot_select tiles 1(%h, %up, %hot_ids, %hot_acts, %c) : memref<1x16xf32>, memref<64x16xf16>, memref<24xi32>, memref<24xf32>, memref<1xf32>
  plan.dispatch @hot_apply tiles 1(%hot_ids, %hot_acts, %c, %down, %p) : memref<24xi32>, memref<24xf32>, memref<1xf32>, memref<64x16xf16>, memref<1x16xf32>
  plan.dispatch @cold_select tiles 1(%h, %up, %cold_ids, %cold_acts, %d) : memref<1x16xf32>, memref<64x16xf16>, memref<40xi32>, memref<40xf32>, memref<1xf32>
  plan.dispatch @cold_apply tiles 1(%cold_ids, %cold_acts, %d, %down, %q) : memref<40xi32>, memref<40xf32>, memref<1xf32>, memref<64x16xf16>, memref<1x16xf32>
  plan.dispatch @merge tiles 1(%p, %q, %h, %y) : memref<1x16xf32>, memref<1x16xf32>, memref<1x16xf32>, memref<1x16xf32>
  plan.dispatch @logits tiles 1(%y, %embed, %l) : memref<1x16xf32>, memref<8x16xf16>, memref<1x8xf32>
  plan.logits %l : memref<1x8xf32>
  plan.activity %c layer 7 neurons 24 : memref<1xf32>
  plan.activity %d layer 7 neurons 40 : memref<1xf32>
}
}
