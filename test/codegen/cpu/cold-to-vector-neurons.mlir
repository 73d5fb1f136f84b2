// RUN: pi-opt %s --pi-attach-target --pi-cold-to-vector --canonicalize --cse --split-input-file | FileCheck %s

// Rows of one tile after the other, and a compact list of the active ones in the tile's
// segment.
plan.kernel @select on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x32xf32>,
     %g: memref<64x32xf16>, %b: memref<64xf32>, %i: memref<48xi32>, %a: memref<48xf32>, %c: memref<3xf32>):
  plan.select %x, %g bias %b -> %i, %a, %c rows(8 to 56) tiles(%begin to %end) per_tile 16 {
  ^bb0(%pre: f32):
    %zero = arith.constant 0.0 : f32
    %1 = arith.maximumf %pre, %zero : f32
    plan.yield %1 : f32
  } : memref<1x32xf32>, memref<64x32xf16> bias memref<64xf32> -> memref<48xi32>, memref<48xf32>, memref<3xf32>
}

// CHECK-LABEL: func.func private @select
// CHECK-SAME:      %[[X:[a-z0-9]+]]: memref<1x32xf32>, %[[G:[a-z0-9]+]]: memref<64x32xf16>, %[[B:[a-z0-9]+]]: memref<64xf32>, %[[I:[a-z0-9]+]]: memref<48xi32>, %[[A:[a-z0-9]+]]: memref<48xf32>, %[[C:[a-z0-9]+]]: memref<3xf32>
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK:         scf.for %[[TILE:.*]] =
// CHECK:           %[[SEGMENT:.*]] = arith.muli %[[TILE]]
// CHECK:           arith.addi %[[SEGMENT]], %[[C8]]
// CHECK:           scf.for %[[R:.*]] = {{.*}} iter_args(%[[K:.*]] = %[[SEGMENT]])
// CHECK:             vector.load %[[G]][%[[R]]
// CHECK:             %[[BIAS:.*]] = memref.load %[[B]][%[[R]]]
// CHECK:             %[[PRE:.*]] = arith.addf %{{.*}}, %[[BIAS]]
// CHECK:             %[[ACT:.*]] = arith.maximumf %[[PRE]]
// CHECK:             %[[ID:.*]] = arith.index_castui %[[R]] : index to i32
// CHECK:             memref.store %[[ID]], %[[I]][%[[K]]]
// CHECK:             memref.store %[[ACT]], %[[A]][%[[K]]]
// CHECK:             %[[ACTIVE:.*]] = arith.cmpf ugt, %[[ACT]]
// CHECK:             %[[ONE:.*]] = arith.index_castui %[[ACTIVE]] : i1 to index
// CHECK:             arith.addi %[[K]], %[[ONE]]
// CHECK:           memref.store %{{.*}}, %[[C]][%[[TILE]]]
// CHECK-NOT:     plan.

// -----

// The tile's share of the list, whatever segments it is of; then blocks of four rows: up,
// two at a time, and down, added in registers. While the end of a row's part is read, the
// begin of the next part is prefetched.
plan.kernel @apply on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %i: memref<64xi32>,
     %c: memref<4xf32>, %a: memref<64xf32>, %x: memref<1x2048xf32>, %w: memref<64x4096xf16>, %p: memref<2x2048xf32>):
  plan.apply list(%i, %c, %a) per_segment 16 input %x up %w down %w from 2048 -> %p tiles(%begin to %end)
      : memref<64xi32>, memref<4xf32>, memref<64xf32> input memref<1x2048xf32> up memref<64x4096xf16>
        down memref<64x4096xf16> -> memref<2x2048xf32>
}

// CHECK-LABEL: func.func private @apply
// CHECK-SAME:      %[[I:[a-z0-9]+]]: memref<64xi32>, %[[C:[a-z0-9]+]]: memref<4xf32>, %[[A:[a-z0-9]+]]: memref<64xf32>, %[[X:[a-z0-9]+]]: memref<1x2048xf32>, %[[W:[a-z0-9]+]]: memref<64x4096xf16>, %[[P:[a-z0-9]+]]: memref<2x2048xf32>
// CHECK:         %[[ALL:.*]] = scf.for
// CHECK:           memref.load %[[C]]
// CHECK:         scf.for %[[TILE:.*]] =
// CHECK:           %[[FIRST:.*]] = arith.muli %[[ALL]], %[[TILE]]
// CHECK:           arith.divui %[[FIRST]], %{{.*}} : index
// CHECK:           scf.for %[[S:.*]] = {{.*}} iter_args
// CHECK:             scf.for
// CHECK:               memref.load %[[I]]
// CHECK:               memref.load %[[A]]
// CHECK:           scf.for
// CHECK:             vector.store %{{.*}}, %[[P]][%[[TILE]]
// CHECK:           scf.for
// CHECK:             scf.for {{.*}} iter_args
// CHECK-COUNT-2:       memref.prefetch %[[W]]
// CHECK-COUNT-8:       math.fma
// CHECK:               scf.yield
// CHECK:             scf.for
// CHECK-COUNT-4:       memref.prefetch %[[W]]
// CHECK:               %[[SUM:.*]] = vector.load %[[P]][%[[TILE]]
// CHECK-COUNT-4:       math.fma
// CHECK:               vector.store %{{.*}}, %[[P]][%[[TILE]]
// CHECK-NOT:     plan.

// -----

// Of a predicted list, rows whose gate gives 0 are left out.
plan.kernel @predicted on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %i: memref<64xi32>,
     %c: memref<1xf32>, %x: memref<1x32xf32>, %w: memref<64x96xf16>, %p: memref<2x32xf32>):
  plan.apply list(%i, %c) per_segment 64 input %x gate %w up %w from 32 down %w from 64 -> %p tiles(%begin to %end) {
  ^bb0(%pre: f32):
    %zero = arith.constant 0.0 : f32
    %1 = arith.maximumf %pre, %zero : f32
    plan.yield %1 : f32
  } : memref<64xi32>, memref<1xf32> input memref<1x32xf32> gate memref<64x96xf16> up memref<64x96xf16>
        down memref<64x96xf16> -> memref<2x32xf32>
}

// CHECK-LABEL: func.func private @predicted
// CHECK:         arith.maximumf
// CHECK:         arith.cmpf une
// CHECK:         scf.if
// CHECK-NOT:     plan.
