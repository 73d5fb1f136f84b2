// RUN: pi-opt %s --pi-partition-neurons=budget=90 --split-input-file --verify-diagnostics

#target = #dlti.target_system_spec<
  "cpu0" = #dlti.target_device_spec<"pi.read_bytes_per_us" = 10 : i64>,
  "gpu0" = #dlti.target_device_spec<"pi.gpu" = "small", "pi.memory_bytes" = 1000000 : i64,
    "pi.read_bytes_per_us" = 100 : i64, "pi.crossing_us" = 0.01 : f64>>
// expected-error @+2 {{nothing fits into 90 bytes of device memory: 80 are needed for activations alone}}
// expected-note @+1 {{the smallest budget that fits is 112 bytes (--vram-budget, after --vram-reserve); without a GPU give --gpu=none}}
module attributes {dlti.target_system_spec = #target} {
  pi.weight @u : tensor<6x8xf16> from <file = "m", offset = 0, bytes = 96, type = tensor<6x8xf16>, encoding = raw>
  pi.weight @table : tensor<8x8xf32> from <file = "m", offset = 0, bytes = 256, type = tensor<8x8xf32>, encoding = raw>
  neuron.group @all layer 0 rows(0 to 6) on <cpu> weights [@u, @u]
  func.func @decode(%token: index, %position: index) -> tensor<1x8xf32> {
    %x = llm.embed %token at %position table @table : tensor<1x8xf32>
    %l = llm.logits %x head @table : tensor<1x8xf32> -> tensor<1x8xf32>
    return %l : tensor<1x8xf32>
  }
}

// -----

// expected-error @+2 {{its target spec does not say how fast its devices are}}
// expected-note @+1 {{cpu0 needs pi.read_bytes_per_us}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"gpu0" = #dlti.target_device_spec<"pi.gpu" = "small">>} {
}

// -----

// expected-error @+2 {{a budget of 90 bytes is more than the 50 of small}}
// expected-note @+1 {{give a smaller --vram-budget, or none}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
  "cpu0" = #dlti.target_device_spec<"pi.read_bytes_per_us" = 10 : i64>,
  "gpu0" = #dlti.target_device_spec<"pi.gpu" = "small", "pi.memory_bytes" = 50 : i64,
    "pi.read_bytes_per_us" = 100 : i64, "pi.crossing_us" = 0.01 : f64>>} {
}

// -----

module attributes {dlti.target_system_spec = #dlti.target_system_spec<"gpu0" = #dlti.target_device_spec<"pi.gpu" = "small">>} {
  pi.weight @u : tensor<6x8xf16> from <file = "m", offset = 0, bytes = 96, type = tensor<6x8xf16>, encoding = raw>
  // expected-note @+1 {{another group of the layer is here}}
  neuron.group @hot layer 0 rows(0 to 2) on <cpu> weights [@u, @u]
  // expected-error @+1 {{is split already}}
  neuron.group @cold layer 0 rows(2 to 6) on <cpu> weights [@u, @u]
}
