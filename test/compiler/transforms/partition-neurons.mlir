// A layer of which a part goes to the GPU becomes a hot and a cold group in an order of its
// own; a layer that stays on the CPU, or goes to the GPU whole, keeps its one group.
// RUN: pi-opt %s --pi-partition-neurons=budget=486 --split-input-file | FileCheck %s
// RUN: pi-opt %s --pi-partition-neurons=budget=100000 --split-input-file | FileCheck --check-prefix=ALL %s
// RUN: pi-opt %s --pi-partition-neurons=budget=486 --pi-permute-neurons --split-input-file | FileCheck --check-prefix=ORDER %s
// RUN: pi-opt %s --pi-partition-neurons=budget=486 --split-input-file --remarks-filter=.* --remark-format=emitRemark 2>&1 | FileCheck --check-prefix=REMARK %s

#target = #dlti.target_system_spec<
  "cpu0" = #dlti.target_device_spec<"pi.read_bytes_per_us" = 10 : i64>,
  "gpu0" = #dlti.target_device_spec<"pi.gpu" = "small", "pi.memory_bytes" = 1000000 : i64,
    "pi.read_bytes_per_us" = 100 : i64, "pi.crossing_us" = 0.3 : f64>>
module attributes {dlti.target_system_spec = #target} {
  pi.weight @table : tensor<8x8xf32> from <file = "m", offset = 0, bytes = 256, type = tensor<8x8xf32>, encoding = raw>
  pi.weight @g : tensor<6x8xf16> from <file = "m", offset = 0, bytes = 96, type = tensor<6x8xf16>, encoding = raw>
  pi.weight @u : tensor<6x8xf16> from <file = "m", offset = 0, bytes = 96, type = tensor<8x6xf16>, encoding = raw> layout <transpose = true, rows = []>
  pi.weight @d : tensor<6x8xf16> from <file = "m", offset = 0, bytes = 96, type = tensor<6x8xf16>, encoding = raw>
  // CHECK: module attributes {{.*}}pi.placement = #pi.placement<gpu = "small", budget = 486, scratch = 80, weights = 400, caches = 0, head = gpu0, attention = [1], hot_rows = [3]
  // CHECK: pi.order @layers.0.order = dense_resource<layers.0.order> : tensor<6xi32>
  // CHECK: neuron.group @layers.0.hot layer 0 rows(0 to 3) on <gpu0> weights [@g, @u, @d] order @layers.0.order
  // CHECK: neuron.group @layers.0.cold layer 0 rows(3 to 6) on <cpu> weights [@g, @u, @d] order @layers.0.order
  // CHECK-NOT: profile
  // ALL: neuron.group @layers.0.all layer 0 rows(0 to 6) on <gpu0> weights [@g, @u, @d]{{$}}
  // ORDER: pi.weight @g {{.*}} layout <transpose = false, rows = [] order = @layers.0.order>
  // ORDER: pi.weight @u {{.*}} layout <transpose = true, rows = [] order = @layers.0.order>
  // ORDER: pi.weight @d {{.*}} layout <transpose = false, rows = [] order = @layers.0.order>
  // ORDER: neuron.group @layers.0.hot layer 0 rows(0 to 3) on <gpu0> weights [@g, @u, @d]{{$}}
  // ORDER: neuron.group @layers.0.cold layer 0 rows(3 to 6) on <cpu> weights [@g, @u, @d]{{$}}
  // REMARK: remark: [Passed] placed | Category:pi-partition-neurons | Coverage=9.259259e-01, DeviceBytes=144, HotRows=3, Layer=0
  neuron.group @layers.0.all layer 0 rows(0 to 6) on <cpu> weights [@g, @u, @d]
      profile <tokens = 10, counts = dense<[1, 10, 0, 10, 5, 1]> : tensor<6xi64>>
  func.func @decode(%token: index, %position: index) -> tensor<1x8xf32> {
    %x = llm.embed %token at %position table @table : tensor<1x8xf32>
    // CHECK: %[[A:.*]] = neuron.gate_up <relu> %[[X:.*]] of @layers.0.hot gate @g up @u : tensor<1x8xf32> -> !neuron.acts<3>
    // CHECK: %[[P:.*]] = neuron.down %[[A]] of @layers.0.hot down @d
    // CHECK: %[[B:.*]] = neuron.gate_up <relu> %[[X]] of @layers.0.cold gate @g up @u
    // CHECK: %[[Q:.*]] = neuron.down %[[B]] of @layers.0.cold down @d
    // CHECK: neuron.merge %[[P]], %[[Q]] :
    %a = neuron.gate_up <relu> %x of @layers.0.all gate @g up @u : tensor<1x8xf32> -> !neuron.acts<6>
    %p = neuron.down %a of @layers.0.all down @d : !neuron.acts<6> -> tensor<1x8xf32>
    %f = neuron.merge %p : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %l = llm.logits %f head @table : tensor<1x8xf32> -> tensor<1x8xf32>
    return %l : tensor<1x8xf32>
  }
}
// The order itself: most active first, equal ones by index.
// CHECK: layers.0.order: "0x04000000010000000300000004000000000000000500000002000000"
