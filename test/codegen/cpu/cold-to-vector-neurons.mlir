// RUN: pi-opt %s --pi-attach-target --pi-cold-to-vector --canonicalize --cse --split-input-file | FileCheck %s

// Gate rows, a compact list of the active ones, then up and down of those only.
plan.kernel @gated on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x32xf32>,
     %g: memref<64x32xf16>, %u: memref<64x32xf16>, %d: memref<64x32xf16>, %p: memref<4x32xf32>):
  plan.neurons %x gate %g up %u down %d -> %p rows(0 to 64) tiles(%begin to %end) per_tile 16 {
  ^bb0(%pre: f32):
    %zero = arith.constant 0.0 : f32
    %a = arith.maximumf %pre, %zero : f32
    plan.yield %a : f32
  } : memref<1x32xf32> gate memref<64x32xf16> up memref<64x32xf16> down memref<64x32xf16>
      -> memref<4x32xf32>
}

// CHECK-LABEL: func.func private @gated
// CHECK-SAME:      %[[X:[a-z0-9]+]]: memref<1x32xf32>, %[[G:[a-z0-9]+]]: memref<64x32xf16>, %[[U:[a-z0-9]+]]: memref<64x32xf16>, %[[D:[a-z0-9]+]]: memref<64x32xf16>, %[[P:[a-z0-9]+]]: memref<4x32xf32>
// CHECK-DAG:     %[[IDS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16xindex>
// CHECK-DAG:     %[[ACTS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16xf32>
// CHECK:         scf.for %[[TILE:.*]] =
// CHECK:           %[[COUNT0:.*]] = scf.for %[[R:.*]] = {{.*}} iter_args(%[[K:.*]] =
// CHECK-NOT:         memref<64x32xf16>
// CHECK:             vector.load %[[G]][%[[R]]
// CHECK:             %[[A:.*]] = arith.maximumf
// CHECK:             memref.store %[[R]], %[[IDS]][%[[K]]]
// CHECK:             memref.store %[[A]], %[[ACTS]][%[[K]]]
// CHECK:             %[[ACTIVE:.*]] = arith.cmpf ugt, %[[A]]
// CHECK:             %[[ONE:.*]] = arith.index_castui %[[ACTIVE]] : i1 to index
// CHECK:             arith.addi %[[K]], %[[ONE]]
// CHECK:           scf.for
// CHECK:             %[[ID:.*]] = memref.load %[[IDS]]
// CHECK:             vector.load %[[U]][%[[ID]]
// CHECK:             arith.mulf
// CHECK:           scf.for
// CHECK:             vector.store %{{.*}}, %[[P]][%[[TILE]]
// Four active rows at once, then one at a time.
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               %[[SUM:.*]] = vector.load %[[P]][%[[TILE]]
// CHECK-COUNT-4:       math.fma
// CHECK:               vector.store %{{.*}}, %[[P]][%[[TILE]]
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK-COUNT-1:       math.fma
// CHECK-NOT:     plan.

// -----

plan.kernel @biased on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x32xf32>,
     %u: memref<64x32xf32>, %b: memref<64xf32>, %d: memref<64x32xf32>, %p: memref<3x32xf32>):
  plan.neurons %x up %u up_bias %b down %d -> %p rows(8 to 56) tiles(%begin to %end) per_tile 16 {
  ^bb0(%pre: f32):
    %zero = arith.constant 0.0 : f32
    %a = arith.maximumf %pre, %zero : f32
    plan.yield %a : f32
  } : memref<1x32xf32> up memref<64x32xf32> up_bias memref<64xf32> down memref<64x32xf32>
      -> memref<3x32xf32>
}

// CHECK-LABEL: func.func private @biased
// CHECK:         %[[C8:.*]] = arith.constant 8 : index
// CHECK:         scf.for %[[TILE:.*]] =
// CHECK:           %[[OFFSET:.*]] = arith.muli %[[TILE]]
// CHECK:           arith.addi %[[OFFSET]], %[[C8]]
// CHECK:             %[[BIAS:.*]] = memref.load %{{.*}} : memref<64xf32>
// CHECK:             %[[PRE:.*]] = arith.addf %{{.*}}, %[[BIAS]]
// CHECK:             arith.maximumf %[[PRE]]
