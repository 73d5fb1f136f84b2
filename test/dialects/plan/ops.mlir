// RUN: pi-opt %s --verify-roundtrip | FileCheck %s
// RUN: pi-opt %s --mlir-print-op-generic | pi-opt | FileCheck %s

pi.weight @table : tensor<8x4xf16> from <file = "a", offset = 0, bytes = 64, type = tensor<8x4xf16>, encoding = raw>

// CHECK: plan.arena @activations <activations> bytes 128
plan.arena @activations <activations> bytes 128
// CHECK: plan.arena @kv <kv_cache>
plan.arena @kv <kv_cache>

// CHECK-LABEL: plan.kernel @rows on <cpu> {
plan.kernel @rows on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %w: memref<8x4xf16>,
     %v: memref<4xf32>, %x: memref<1x4xf32>, %y: memref<1x8xf32>):
  // CHECK: plan.embed %{{.*}}[%{{.*}}] -> %{{.*}} : memref<8x4xf16> -> memref<1x4xf32>
  plan.embed %w[%token] -> %x : memref<8x4xf16> -> memref<1x4xf32>
  // CHECK: plan.embed %{{.*}}[%{{.*}}] plus %{{.*}}[%{{.*}} + 2] -> %{{.*}} : memref<8x4xf16>, memref<8x4xf16> -> memref<1x4xf32>
  plan.embed %w[%token] plus %w[%position + 2] -> %x : memref<8x4xf16>, memref<8x4xf16> -> memref<1x4xf32>
  // CHECK: %[[N:.*]] = plan.local : memref<1x4xf32>
  %n = plan.local : memref<1x4xf32>
  // CHECK: plan.norm <rms> %{{.*}} weight %{{.*}} eps 5.000000e-01 -> %[[N]] : memref<1x4xf32>, memref<4xf32> -> memref<1x4xf32>
  plan.norm <rms> %x weight %v eps 0.5 -> %n : memref<1x4xf32>, memref<4xf32> -> memref<1x4xf32>
  // CHECK: plan.norm <layer> %{{.*}} weight %{{.*}} bias %{{.*}} eps 5.000000e-01 -> %[[N]]
  plan.norm <layer> %x weight %v bias %v eps 0.5 -> %n : memref<1x4xf32>, memref<4xf32>, memref<4xf32> -> memref<1x4xf32>
  // CHECK: plan.matvec %{{.*}}, %[[N]] -> %{{.*}} tiles(%{{.*}} to %{{.*}}) first 0 per_tile 4 {
  // CHECK: plan.yield %{{.*}} : f32
  // CHECK: } : memref<8x4xf16>, memref<1x4xf32> -> memref<1x8xf32>
  plan.matvec %w, %n -> %y tiles(%begin to %end) first 0 per_tile 4 {
  ^bb0(%sum: f32):
    plan.yield %sum : f32
  } : memref<8x4xf16>, memref<1x4xf32> -> memref<1x8xf32>
  // CHECK: plan.matvec %{{.*}} extras(%{{.*}} : memref<1x8xf32>) tiles(%{{.*}} to %{{.*}}) first 2 per_tile 4 {
  plan.matvec %w, %n -> %y extras(%y : memref<1x8xf32>) tiles(%begin to %end) first 2 per_tile 4 {
  ^bb0(%sum: f32, %old: f32):
    %s = arith.addf %sum, %old : f32
    plan.yield %s : f32
  } : memref<8x4xf16>, memref<1x4xf32> -> memref<1x8xf32>
  // CHECK: plan.map ins(%{{.*}}, %{{.*}}) -> %{{.*}} tiles(%{{.*}} to %{{.*}}) per_tile 64 {
  // CHECK: } : memref<1x4xf32>, memref<4xf32> -> memref<1x4xf32>
  plan.map ins(%x, %v) -> %x tiles(%begin to %end) per_tile 64 {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    plan.yield %s : f32
  } : memref<1x4xf32>, memref<4xf32> -> memref<1x4xf32>
}

// CHECK-LABEL: plan.kernel @attend on <cpu> {
plan.kernel @attend on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %q: memref<1x8xf32>,
     %k: memref<1x4xf32>, %c: memref<2x16x2xf16>, %s: memref<4x16xf32>):
  // CHECK: plan.rope %{{.*}} at %{{.*}} dim 2 frequencies [0.562341332] tiles(%{{.*}} to %{{.*}}) first 0 per_tile 2 : memref<1x8xf32>
  plan.rope %q at %position dim 2 frequencies [0.5623413324356079] tiles(%begin to %end) first 0 per_tile 2 : memref<1x8xf32>
  // CHECK: plan.append %{{.*}} at %{{.*}} -> %{{.*}} tiles(%{{.*}} to %{{.*}}) : memref<1x4xf32> -> memref<2x16x2xf16>
  plan.append %k at %position -> %c tiles(%begin to %end) : memref<1x4xf32> -> memref<2x16x2xf16>
  // CHECK: plan.attend %[[Q:.*]], %[[C:.*]], %[[C]] -> %[[Q]] scores %{{.*}} at %{{.*}} scale 5.000000e-01 tiles(%{{.*}} to %{{.*}}) : memref<1x8xf32>, memref<2x16x2xf16>, memref<2x16x2xf16>, memref<4x16xf32> -> memref<1x8xf32>
  plan.attend %q, %c, %c -> %q scores %s at %position scale 0.5 tiles(%begin to %end)
      : memref<1x8xf32>, memref<2x16x2xf16>, memref<2x16x2xf16>, memref<4x16xf32> -> memref<1x8xf32>
}

// CHECK-LABEL: plan.kernel @neurons on <gpu0> {
plan.kernel @neurons on <gpu0> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x4xf32>,
     %w: memref<8x4xf16>, %b: memref<8xf32>, %p: memref<2x4xf32>, %n: memref<2xf32>,
     %ids: memref<8xi32>, %acts: memref<8xf32>, %bundle: memref<8x12xf16>, %t: memref<12xf32>,
     %ids4: memref<4xi32>, %acts4: memref<4xf32>):
  // CHECK: plan.select %{{.*}}, %{{.*}} -> %[[IDS:.*]], %[[ACTS:.*]], %[[N:.*]] rows(0 to 8) tiles(%{{.*}} to %{{.*}}) per_tile 4 {
  // CHECK: } : memref<1x4xf32>, memref<8x4xf16> -> memref<8xi32>, memref<8xf32>, memref<2xf32>
  plan.select %x, %w -> %ids, %acts, %n rows(0 to 8) tiles(%begin to %end) per_tile 4 {
  ^bb0(%pre: f32):
    %zero = arith.constant 0.0 : f32
    %a = arith.maximumf %pre, %zero : f32
    plan.yield %a : f32
  } : memref<1x4xf32>, memref<8x4xf16> -> memref<8xi32>, memref<8xf32>, memref<2xf32>
  // CHECK: plan.select %{{.*}}, %{{.*}} from 8 bias %{{.*}} -> %{{.*}}, %{{.*}}, %{{.*}} trace %{{.*}} from 2 rows(2 to 6)
  // CHECK: } : memref<1x4xf32>, memref<8x12xf16> bias memref<8xf32> -> memref<4xi32>, memref<4xf32>, memref<2xf32> trace memref<12xf32>
  plan.select %x, %bundle from 8 bias %b -> %ids4, %acts4, %n trace %t from 2 rows(2 to 6) tiles(%begin to %end) per_tile 2 {
  ^bb0(%pre: f32):
    plan.yield %pre : f32
  } : memref<1x4xf32>, memref<8x12xf16> bias memref<8xf32> -> memref<4xi32>, memref<4xf32>, memref<2xf32> trace memref<12xf32>
  // CHECK: plan.apply list(%[[IDS]], %[[N]], %[[ACTS]]) per_segment 4 down %{{.*}} -> %{{.*}} tiles(%{{.*}} to %{{.*}}) : memref<8xi32>, memref<2xf32>, memref<8xf32> down memref<8x4xf16> -> memref<2x4xf32>
  plan.apply list(%ids, %n, %acts) per_segment 4 down %w -> %p tiles(%begin to %end)
      : memref<8xi32>, memref<2xf32>, memref<8xf32> down memref<8x4xf16> -> memref<2x4xf32>
  // CHECK: plan.apply list(%{{.*}}, %{{.*}}, %{{.*}}) per_segment 4 input %{{.*}} up %{{.*}} down %{{.*}} from 4 -> %{{.*}} trace %{{.*}} tiles
  plan.apply list(%ids, %n, %acts) per_segment 4 input %x up %bundle down %bundle from 4 -> %p trace %t tiles(%begin to %end)
      : memref<8xi32>, memref<2xf32>, memref<8xf32> input memref<1x4xf32> up memref<8x12xf16> down memref<8x12xf16> -> memref<2x4xf32> trace memref<12xf32>
  // CHECK: plan.apply list(%{{.*}}, %{{.*}}) per_segment 4 input %{{.*}} gate %{{.*}} bias %{{.*}} up %{{.*}} from 4 down %{{.*}} from 8 -> %{{.*}} trace %{{.*}} from 3 tiles(%{{.*}} to %{{.*}}) {
  // CHECK: ^bb0(%{{.*}}: f32):
  // CHECK: } : memref<8xi32>, memref<2xf32> input memref<1x4xf32> gate memref<8x12xf16> bias memref<8xf32> up memref<8x12xf16> down memref<8x12xf16> -> memref<2x4xf32> trace memref<12xf32>
  plan.apply list(%ids, %n) per_segment 4 input %x gate %bundle bias %b up %bundle from 4 down %bundle from 8 -> %p trace %t from 3 tiles(%begin to %end) {
  ^bb0(%pre: f32):
    plan.yield %pre : f32
  } : memref<8xi32>, memref<2xf32> input memref<1x4xf32> gate memref<8x12xf16> bias memref<8xf32> up memref<8x12xf16> down memref<8x12xf16> -> memref<2x4xf32> trace memref<12xf32>
  // CHECK: plan.reduce %{{.*}} -> %{{.*}} tiles(%{{.*}} to %{{.*}}) per_tile 64 {
  plan.reduce %p -> %x tiles(%begin to %end) per_tile 64 {
  ^bb0(%sum: f32):
    plan.yield %sum : f32
  } : memref<2x4xf32> -> memref<1x4xf32>
  // CHECK: plan.reduce %{{.*}} -> %{{.*}} extras(%{{.*}} : memref<1x4xf32>) tiles(%{{.*}} to %{{.*}}) per_tile 4 {
  plan.reduce %p -> %x extras(%x : memref<1x4xf32>) tiles(%begin to %end) per_tile 4 {
  ^bb0(%sum: f32, %residual: f32):
    %s = arith.addf %sum, %residual : f32
    plan.yield %s : f32
  } : memref<2x4xf32> -> memref<1x4xf32>
  // CHECK: plan.reduce %{{.*}}, %{{.*}} -> %{{.*}} tiles
  // CHECK: } : memref<2x4xf32>, memref<1x4xf32> -> memref<1x4xf32>
  plan.reduce %p, %x -> %x tiles(%begin to %end) per_tile 4 {
  ^bb0(%sum: f32):
    plan.yield %sum : f32
  } : memref<2x4xf32>, memref<1x4xf32> -> memref<1x4xf32>
}

// CHECK-LABEL: plan.program @decode {
plan.program @decode {
  // CHECK: %[[X:.*]] = plan.buffer @activations offset 64 : memref<1x4xf32>
  %x = plan.buffer @activations offset 64 : memref<1x4xf32>
  // CHECK: %[[Y:.*]] = plan.buffer @kv : memref<1x8xf32>
  %y = plan.buffer @kv : memref<1x8xf32>
  %v = plan.buffer @kv : memref<4xf32>
  // CHECK: %[[W:.*]] = plan.weight @table : memref<8x4xf16>
  %w = plan.weight @table : memref<8x4xf16>
  // CHECK: plan.dispatch @rows tiles 2(%[[W]], %{{.*}}, %[[X]], %[[Y]]) : memref<8x4xf16>, memref<4xf32>, memref<1x4xf32>, memref<1x8xf32>
  plan.dispatch @rows tiles 2 (%w, %v, %x, %y) : memref<8x4xf16>, memref<4xf32>, memref<1x4xf32>, memref<1x8xf32>
  // CHECK: plan.activity %{{.*}} layer 3 neurons 8 : memref<4xf32>
  plan.activity %v layer 3 neurons 8 : memref<4xf32>
  // CHECK: plan.trace %{{.*}} input %[[X]] layer 3 : memref<4xf32>, memref<1x4xf32>
  plan.trace %v input %x layer 3 : memref<4xf32>, memref<1x4xf32>
  // CHECK: plan.logits %[[Y]] : memref<1x8xf32>
  plan.logits %y : memref<1x8xf32>
}
