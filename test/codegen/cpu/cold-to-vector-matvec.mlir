// RUN: pi-opt %s --pi-attach-target --pi-cold-to-vector --canonicalize --cse | FileCheck %s

// Rows are clipped to the tiles of the call, taken in pairs that share the loads of
// the input, and a last one alone; four accumulators a row.
plan.kernel @matvec on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index,
     %w: memref<13x64xf16>, %x: memref<1x64xf32>, %b: memref<13xf32>, %y: memref<1x13xf32>):
  plan.matvec %w, %x -> %y extras(%b : memref<13xf32>) tiles(%begin to %end) first 2 per_tile 4 {
  ^bb0(%sum: f32, %bias: f32):
    %s = arith.addf %sum, %bias : f32
    plan.yield %s : f32
  } : memref<13x64xf16>, memref<1x64xf32> -> memref<1x13xf32>
}

// CHECK-LABEL: func.func private @matvec
// CHECK-SAME:      (%{{.*}}: index, %{{.*}}: index, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index,
// CHECK-SAME:       %[[W:.*]]: memref<13x64xf16>, %[[X:.*]]: memref<1x64xf32>, %[[B:.*]]: memref<13xf32>, %[[Y:.*]]: memref<1x13xf32>)
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[C13:.*]] = arith.constant 13 : index
// CHECK:         %[[LOCAL:.*]] = arith.subi %[[BEGIN]], %[[C2]]
// CHECK:         %[[ROW:.*]] = arith.muli %[[LOCAL]], %[[C4]]
// CHECK:         %[[LOW:.*]] = arith.maxsi %[[ROW]]
// CHECK:         %[[FIRST:.*]] = arith.minsi %[[LOW]], %[[C13]]
// CHECK:         scf.for %[[R:.*]] = %[[FIRST]] to %{{.*}} step %[[C2]]
// CHECK:           %{{.*}}:8 = scf.for %[[J:.*]] = %{{.*}} iter_args
// CHECK:             memref.prefetch %[[W]]
// CHECK:             %[[XV:.*]] = vector.load %[[X]][%{{.*}}, %[[J]]] : memref<1x64xf32>, vector<8xf32>
// CHECK:             %[[HALF:.*]] = vector.load %[[W]][%[[R]], %[[J]]] : memref<13x64xf16>, vector<8xf16>
// CHECK:             %[[WV:.*]] = arith.extf %[[HALF]] : vector<8xf16> to vector<8xf32>
// CHECK:             math.fma %[[WV]], %[[XV]]
// CHECK:             math.fma %{{.*}}, %[[XV]]
// The sum of lanes has a fixed order: halves, no vector.reduction.
// CHECK-NOT:       vector.reduction
// CHECK:           vector.shuffle %{{.*}} [0, 1, 2, 3]
// CHECK:           vector.shuffle %{{.*}} [4, 5, 6, 7]
// CHECK:           %[[SUM:.*]] = vector.extract
// CHECK:           %[[BIAS:.*]] = memref.load %[[B]][%[[R]]]
// CHECK:           %[[RESULT:.*]] = arith.addf %[[SUM]], %[[BIAS]]
// CHECK:           memref.store %[[RESULT]], %[[Y]][%{{.*}}, %[[R]]]
// CHECK:         scf.for
// CHECK:           %{{.*}}:4 = scf.for
// CHECK-NOT:     plan.
