// RUN: pi-opt %s --split-input-file --verify-roundtrip | FileCheck %s

// CHECK: pi.order @o = dense<[2, 0, 1]> : tensor<3xi32>
pi.order @o = dense<[2, 0, 1]> : tensor<3xi32>
// CHECK: pi.order @long = dense_resource<long> : tensor<2xi32>
pi.order @long = dense_resource<long> : tensor<2xi32>
// CHECK: pi.weight @w : {{.*}} layout <transpose = false, rows = [1, 3] order = @o>
pi.weight @w : tensor<3x2xf32> from <file = "a", offset = 0, bytes = 32, type = tensor<4x2xf32>, encoding = raw>
    layout <transpose = false, rows = [1, 3] order = @o>
// CHECK: pi.weight @part : {{.*}} layout <transpose = true, rows = [] order = @o part = [1, 3]>
pi.weight @part : tensor<2x4xf32> from <file = "a", offset = 0, bytes = 48, type = tensor<4x3xf32>, encoding = raw>
    layout <transpose = true, rows = [] order = @o part = [1, 3]>

{-#
  dialect_resources: { builtin: { long: "0x040000000100000000000000" } }
#-}
