// RUN: pi-opt %s --pi-attach-target --pi-cold-to-vector --canonicalize --cse | FileCheck %s

// Two query heads share a key/value head: keys are read in the outer loop.
plan.kernel @attend on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %q: memref<1x128xf32>,
     %k: memref<2x64x32xf16>, %v: memref<2x64x32xf16>, %o: memref<1x128xf32>, %s: memref<4x64xf32>):
  plan.attend %q, %k, %v -> %o scores %s at %position scale 0.5 tiles(%begin to %end)
      : memref<1x128xf32>, memref<2x64x32xf16>, memref<2x64x32xf16>, memref<4x64xf32>
        -> memref<1x128xf32>
}

// CHECK-LABEL: func.func private @attend
// CHECK-SAME:      (%{{[a-z0-9]+}}: index, %[[POS:[a-z0-9]+]]: index, %[[BEGIN:[a-z0-9]+]]: index, %{{.*}}: index, %[[Q:.*]]: memref<1x128xf32>, %[[K:.*]]: memref<2x64x32xf16>, %[[V:.*]]: memref<2x64x32xf16>, %[[O:.*]]: memref<1x128xf32>, %[[S:.*]]: memref<4x64xf32>)
// CHECK-DAG:     %[[SCALE:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-DAG:     %[[COUNT:.*]] = arith.addi %[[POS]], %{{.*}}
// CHECK:         scf.for %[[H:.*]] =
// CHECK:           scf.for %[[P:.*]] =
// CHECK:             scf.for %[[HEAD:.*]] =
// CHECK:               vector.load %[[K]][%[[H]], %[[P]]
// CHECK:               %[[DOT:.*]] = arith.mulf %{{.*}}, %[[SCALE]] : f32
// CHECK:               memref.store %[[DOT]], %[[S]][%[[HEAD]], %[[P]]]
// The largest score, then the exponentials by a polynomial, no call.
// CHECK:           arith.cmpf ogt
// CHECK:           arith.bitcast %{{.*}} : vector<8xi32> to vector<8xf32>
// CHECK-NOT:       math.exp
// CHECK:           arith.divf
// CHECK:           scf.for
// CHECK:             vector.load %[[V]][%[[H]]
