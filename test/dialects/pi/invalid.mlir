// RUN: pi-opt %s --split-input-file --verify-diagnostics

// expected-error @+2 {{source type must have a static shape, got 'tensor<?xf32>'}}
pi.weight @w : tensor<4xf32>
    from <file = "a", offset = 0, bytes = 16, type = tensor<?xf32>, encoding = raw>

// -----

// expected-error @+2 {{source element type must be a number, got 'index'}}
pi.weight @w : tensor<4xf32>
    from <file = "a", offset = 0, bytes = 16, type = tensor<4xindex>, encoding = raw>

// -----

// expected-error @+2 {{source range overflows}}
pi.weight @w : tensor<4xf32>
    from <file = "a", offset = 18446744073709551610, bytes = 16, type = tensor<4xf32>, encoding = raw>

// -----

// expected-error @+2 {{raw source of 'tensor<4xf16>' takes 8 bytes, got 9}}
pi.weight @w : tensor<4xf32>
    from <file = "a", offset = 0, bytes = 9, type = tensor<4xf16>, encoding = raw>

// -----

// expected-error @+3 {{rows must be (first, count) pairs}}
pi.weight @w : tensor<4xf32>
    from <file = "a", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
    layout <transpose = false, rows = [0, 2, 2]>

// -----

// expected-error @+3 {{row range (0, 0) needs first >= 0 and count >= 1}}
pi.weight @w : tensor<4xf32>
    from <file = "a", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
    layout <transpose = false, rows = [0, 0]>

// -----

// expected-error @+1 {{must be a static vector or matrix of f32, f16 or bf16, got 'tensor<2x2x1xf32>'}}
pi.weight @w : tensor<2x2x1xf32>
    from <file = "a", offset = 0, bytes = 16, type = tensor<2x2x1xf32>, encoding = raw>

// -----

// expected-error @+1 {{must be a static vector or matrix of f32, f16 or bf16, got 'tensor<4xi32>'}}
pi.weight @w : tensor<4xi32>
    from <file = "a", offset = 0, bytes = 16, type = tensor<4xi32>, encoding = raw>

// -----

// expected-error @+1 {{transpose needs a source of rank 2, got 'tensor<4xf32>'}}
pi.weight @w : tensor<4xf32>
    from <file = "a", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
    layout <transpose = true, rows = []>

// -----

// expected-error @+1 {{row ranges need a source of rank 1 or 2, got 'tensor<f32>'}}
pi.weight @w : tensor<1xf32>
    from <file = "a", offset = 0, bytes = 4, type = tensor<f32>, encoding = raw>
    layout <transpose = false, rows = [0, 1]>

// -----

// expected-error @+1 {{row range (3, 2) lies outside the source's 4 rows}}
pi.weight @w : tensor<2xf32>
    from <file = "a", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
    layout <transpose = false, rows = [3, 2]>

// -----

// expected-error @+1 {{type 'tensor<4x2xf32>' differs from the source's shape after layout, 'tensor<2x4xf32>'}}
pi.weight @w : tensor<4x2xf32>
    from <file = "a", offset = 0, bytes = 32, type = tensor<4x2xf32>, encoding = raw>
    layout <transpose = true, rows = []>

// -----

// expected-error @+1 {{positions must be at least 0, capacity at least 1, bos at least -1 and eos at least 0, all below 2^31}}
module attributes {pi.model = #pi.model<family = "opt", positions = 8, capacity = -1, bos = -1, eos = [], tokenizer = "t", exact = true>} {}

// -----

// expected-error @+1 {{positions must be at least 0}}
module attributes {pi.model = #pi.model<family = "opt", positions = 8, capacity = 8, bos = -1, eos = [2, -1], tokenizer = "t", exact = true>} {}

// -----

pi.weight @w : tensor<2x4xf32>
    // expected-error @+1 {{source type has too many elements}}
    from <file = "a", offset = 0, bytes = 0, type = tensor<4611686018427387904x4xf32>, encoding = raw>
