// RUN: pi-opt %s --pi-attach-target --pi-cold-to-vector --canonicalize --cse --split-input-file | FileCheck %s

// Scratch is allocated once, at the entry, at 64 bytes.
// CHECK-LABEL: func.func private @rms
// CHECK-NEXT:  arith.constant
// CHECK:       %[[LOCAL:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1x64xf32>
// CHECK:       %[[SS:.*]] = vector.extract
// CHECK:       %[[MEAN:.*]] = arith.divf %[[SS]]
// CHECK:       %[[EPS:.*]] = arith.addf %[[MEAN]]
// CHECK:       %[[ROOT:.*]] = math.sqrt %[[EPS]]
// CHECK:       arith.divf %{{.*}}, %[[ROOT]]
// CHECK:       vector.store %{{.*}}, %[[LOCAL]]
plan.kernel @rms on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index,
     %x: memref<1x64xf32>, %w: memref<64xf32>, %y: memref<1x64xf32>):
  %n = plan.local : memref<1x64xf32>
  plan.norm <rms> %x weight %w eps 1.0e-5 -> %n
      : memref<1x64xf32>, memref<64xf32> -> memref<1x64xf32>
  plan.map ins(%n) -> %y tiles(%begin to %end) per_tile 64 {
  ^bb0(%v: f32):
    plan.yield %v : f32
  } : memref<1x64xf32> -> memref<1x64xf32>
}

// -----

// Two passes: the mean, then the squared distances.
// CHECK-LABEL: func.func private @layer
// CHECK:       %[[SUM:.*]] = vector.extract
// CHECK:       %[[MEAN:.*]] = arith.divf %[[SUM]]
// CHECK:       vector.broadcast %[[MEAN]]
// CHECK:       arith.subf
// CHECK:       math.fma %[[D:.*]], %[[D]]
// CHECK:       math.sqrt
// CHECK:       %[[BIAS:.*]] = vector.load %{{.*}} : memref<64xf32>
plan.kernel @layer on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index,
     %x: memref<1x64xf32>, %w: memref<64xf32>, %b: memref<64xf32>, %y: memref<1x64xf32>):
  plan.norm <layer> %x weight %w bias %b eps 1.0e-5 -> %y
      : memref<1x64xf32>, memref<64xf32>, memref<64xf32> -> memref<1x64xf32>
}

// -----

// A map of a length that is no multiple of 8 ends with scalars.
// CHECK-LABEL: func.func private @map
// CHECK:       scf.for
// CHECK:         arith.addf %{{.*}} : vector<8xf32>
// CHECK:       scf.for
// CHECK:         arith.addf %{{.*}} : f32
plan.kernel @map on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index,
     %a: memref<1x50xf32>, %b: memref<50xf32>, %y: memref<1x50xf32>):
  plan.map ins(%a, %b) -> %y tiles(%begin to %end) per_tile 7 {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    plan.yield %s : f32
  } : memref<1x50xf32>, memref<50xf32> -> memref<1x50xf32>
}

// -----

// Partial sums are added in ascending order, column by column, one partial after the other.
// CHECK-LABEL: func.func private @reduce
// CHECK:       scf.for
// CHECK:         %[[SUM:.*]]:4 = scf.for %[[T:.*]] = %{{.*}} iter_args(%[[ACC:[a-z0-9]+]] =
// CHECK:           %[[P:.*]] = vector.load %{{.*}}[%[[T]], %{{.*}}] : memref<4x64xf32>
// CHECK:           arith.addf %[[ACC]], %[[P]]
// CHECK:         %[[SUM2:.*]]:4 = scf.for %[[T:.*]] = %{{.*}} iter_args(%{{.*}} = %[[SUM]]#0
// CHECK:           vector.load %{{.*}}[%[[T]], %{{.*}}] : memref<3x64xf32>
// CHECK:         %[[X:.*]] = vector.load %{{.*}} : memref<1x64xf32>
// CHECK:         arith.addf %[[SUM2]]#0, %[[X]]
plan.kernel @reduce on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index,
     %p: memref<4x64xf32>, %q: memref<3x64xf32>, %x: memref<1x64xf32>, %y: memref<1x64xf32>):
  plan.reduce %p, %q -> %y extras(%x : memref<1x64xf32>) tiles(%begin to %end) per_tile 16 {
  ^bb0(%sum: f32, %r: f32):
    %s = arith.addf %sum, %r : f32
    plan.yield %s : f32
  } : memref<4x64xf32>, memref<3x64xf32> -> memref<1x64xf32>
}

// -----

// The frequencies are one constant; sine and cosine are evaluated in f64.
// CHECK:       memref.global "private" constant @[[TABLE:.*]] : memref<16xf32> = dense<
// CHECK-LABEL: func.func private @rope
// CHECK-DAG:   %[[SIN:.*]] = memref.alloca() {{.*}} : memref<16xf32>
// CHECK-DAG:   %[[COS:.*]] = memref.alloca() {{.*}} : memref<16xf32>
// CHECK:       scf.if
// CHECK:         memref.get_global @[[TABLE]]
// CHECK:         %[[P:.*]] = arith.sitofp %{{.*}} : i64 to f32
// CHECK:         arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
// CHECK-NOT:     math.sin
// CHECK:         arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// CHECK:         scf.for
// CHECK:           arith.subf
// CHECK:           arith.addf
plan.kernel @rope on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %q: memref<1x128xf32>):
  plan.rope %q at %position dim 32 frequencies [1.0, 0.5, 0.25, 0.125, 0.1, 0.09, 0.08, 0.07,
      0.06, 0.05, 0.04, 0.03, 0.02, 0.01, 0.009, 0.008]
      tiles(%begin to %end) first 0 per_tile 2 : memref<1x128xf32>
}

// -----

// CHECK-LABEL: func.func private @append
// CHECK-SAME:      (%{{[a-z0-9]+}}: index, %[[POS:[a-z0-9]+]]: index,
// CHECK:       scf.for %[[HEAD:.*]] =
// CHECK:         %[[H:.*]] = arith.truncf %{{.*}} : vector<8xf32> to vector<8xf16>
// CHECK:         vector.store %[[H]], %{{.*}}[%[[HEAD]], %[[POS]]
plan.kernel @append on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index,
     %k: memref<1x64xf32>, %c: memref<2x16x32xf16>):
  plan.append %k at %position -> %c tiles(%begin to %end)
      : memref<1x64xf32> -> memref<2x16x32xf16>
}

// -----

// Tile 0 alone writes the row.
// CHECK-LABEL: func.func private @embed
// CHECK-SAME:      (%[[TOKEN:[a-z0-9]+]]: index, %[[POS:[a-z0-9]+]]: index, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index,
// CHECK:       %[[ROW:.*]] = arith.addi %[[POS]], %{{.*}}
// CHECK:         %[[E:.*]] = vector.load %{{.*}}[%[[TOKEN]]
// CHECK:         arith.extf %[[E]]
// CHECK:         vector.load %{{.*}}[%[[ROW]]
plan.kernel @embed on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index,
     %t: memref<10x64xf16>, %p: memref<20x64xf16>, %y: memref<1x64xf32>):
  plan.embed %t[%token] plus %p[%position + 2] -> %y
      : memref<10x64xf16>, memref<20x64xf16> -> memref<1x64xf32>
}
