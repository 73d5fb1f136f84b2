// Weights that are in an order already, or a part of one, are ordered anew: rows, then the
// order before, then the group's, inside the part. Weights that agree share the new order.
// RUN: pi-opt %s --pi-permute-neurons --split-input-file | FileCheck %s

pi.order @before = dense<[3, 1, 0, 2, 4]> : tensor<5xi32>
pi.order @o = dense<[2, 0, 1]> : tensor<3xi32>
// CHECK: pi.order @[[NEW:o_[0-9]+]] = dense_resource<{{.*}}> : tensor<5xi32>
// CHECK: pi.weight @u : {{.*}} layout <transpose = true, rows = [1, 5] order = @[[NEW]] part = [1, 4]>
pi.weight @u : tensor<3x2xf32> from <file = "m", offset = 0, bytes = 48, type = tensor<2x6xf32>, encoding = raw> layout <transpose = true, rows = [1, 5] order = @before part = [1, 4]>
// CHECK: pi.weight @d : {{.*}} layout <transpose = false, rows = [] order = @[[NEW]] part = [1, 4]>
pi.weight @d : tensor<3x2xf32> from <file = "m", offset = 0, bytes = 40, type = tensor<5x2xf32>, encoding = raw> layout <transpose = false, rows = [] order = @before part = [1, 4]>
neuron.group @g layer 0 rows(0 to 3) on <cpu> weights [@u, @d] order @o
// [3, 1, 0, 2, 4] with [1, 0, 2] in the order [2, 0, 1]: [3, 2, 1, 0, 4].
// CHECK: "0x040000000300000002000000010000000000000004000000"

// -----

// A part of rows in no order.
pi.order @o = dense<[1, 0]> : tensor<2xi32>
// CHECK: pi.order @[[NEW:o_[0-9]+]] = dense_resource<{{.*}}> : tensor<4xi32>
// CHECK: pi.weight @u : {{.*}} layout <transpose = false, rows = [] order = @[[NEW]] part = [2, 4]>
pi.weight @u : tensor<2xf32> from <file = "m", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw> layout <transpose = false, rows = [] part = [2, 4]>
neuron.group @g layer 0 rows(0 to 2) on <cpu> weights [@u] order @o
// CHECK: "0x0400000000000000010000000300000002000000"
