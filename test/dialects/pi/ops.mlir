// RUN: pi-opt %s --verify-roundtrip | FileCheck %s
// RUN: pi-opt %s --mlir-print-op-generic | pi-opt | FileCheck %s

// CHECK: module attributes {pi.model = #pi.model<family = "llama", positions = 1024, capacity = 64, bos = 1, eos = [2, 3], tokenizer = "/m/tokenizer.json", exact = false>
// CHECK-SAME: test.act = #pi.act<relu>, test.place = #pi.place<gpu0>
module attributes {
    pi.model = #pi.model<family = "llama", positions = 1024, capacity = 64, bos = 1,
                         eos = [2, 3], tokenizer = "/m/tokenizer.json", exact = false>,
    test.act = #pi.act<relu>, test.place = #pi.place<gpu0>} {
  // CHECK: pi.weight @plain : tensor<4x2xf16> from <file = "/m/a", offset = 16, bytes = 16, type = tensor<4x2xf16>, encoding = raw>{{$}}
  pi.weight @plain : tensor<4x2xf16>
      from <file = "/m/a", offset = 16, bytes = 16, type = tensor<4x2xf16>, encoding = raw>
  // CHECK: pi.weight @turned : tensor<2x4xf32> from {{.*}} layout <transpose = true, rows = []>
  pi.weight @turned : tensor<2x4xf32>
      from <file = "/m/a", offset = 0, bytes = 16, type = tensor<4x2xbf16>, encoding = raw>
      layout <transpose = true, rows = []>
  // CHECK: pi.weight @picked : tensor<3x2xf32> from {{.*}} encoding = float_data> layout <transpose = false, rows = [2, 2, 0, 1]>
  pi.weight @picked : tensor<3x2xf32>
      from <file = "/m/a", offset = 0, bytes = 32, type = tensor<4x2xf32>, encoding = float_data>
      layout <transpose = false, rows = [2, 2, 0, 1]>
  // CHECK: pi.weight @vector : tensor<4xf32> from {{.*}} bytes = 9, type = tensor<4xf16>, encoding = int32_data>
  pi.weight @vector : tensor<4xf32>
      from <file = "/m/a", offset = 0, bytes = 9, type = tensor<4xf16>, encoding = int32_data>
}
