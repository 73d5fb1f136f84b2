// RUN: pi-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{has row 1 twice, or outside its 3 rows}}
pi.order @o = dense<[1, 0, 1]> : tensor<3xi32>

// -----

// expected-error @+1 {{has row 3 twice, or outside its 3 rows}}
pi.order @o = dense<[1, 0, 3]> : tensor<3xi32>

// -----

// expected-error @+1 {{must be a vector of i32, got 'tensor<2xi64>'}}
pi.order @o = dense<[1, 0]> : tensor<2xi64>

// -----

// expected-error @+1 {{must be a vector of i32, got 'tensor<1x2xi32>'}}
pi.order @o = dense<[[1, 0]]> : tensor<1x2xi32>

// -----

// expected-error @+1 {{names no pi.order: @o}}
pi.weight @w : tensor<2x2xf32> from <file = "a", offset = 0, bytes = 16, type = tensor<2x2xf32>, encoding = raw>
    layout <transpose = false, rows = [] order = @o>

// -----

pi.order @o = dense<[1, 0]> : tensor<2xi32>
// expected-error @+1 {{has 4 rows, its order @o has 2}}
pi.weight @w : tensor<4x2xf32> from <file = "a", offset = 0, bytes = 32, type = tensor<2x4xf32>, encoding = raw>
    layout <transpose = true, rows = [] order = @o>

// -----

pi.weight @w : tensor<2x2xf32> from <file = "a", offset = 0, bytes = 16, type = tensor<2x2xf32>, encoding = raw>
    // expected-error @+1 {{part must be [first, last) with 0 <= first < last}}
    layout <transpose = false, rows = [] part = [1, 1]>

// -----

// expected-error @+1 {{part [1, 3] lies outside the rows}}
pi.weight @w : tensor<2x2xf32> from <file = "a", offset = 0, bytes = 16, type = tensor<2x2xf32>, encoding = raw>
    layout <transpose = false, rows = [] part = [1, 3]>

// -----

// expected-error @+1 {{lists of a placement must have an entry per layer}}
module attributes {pi.placement = #pi.placement<gpu = "g", budget = 1, scratch = 0, weights = 0, caches = 0, head = cpu, attention = [1], hot_rows = [], coverage = [0.0], cpu_us = [0.0], gpu_us = [0.0], bytes = [0], head_us = 0.0 : f64, crossing_us = 0.0 : f64, total_us = 0.0 : f64, bound_us = 0.0 : f64, more_us = 0.0 : f64, profiled = true>} {}

// -----

// expected-error @+1 {{bytes and times of a placement must not be negative}}
module attributes {pi.placement = #pi.placement<gpu = "g", budget = -1, scratch = 0, weights = 0, caches = 0, head = cpu, attention = [], hot_rows = [], coverage = [], cpu_us = [], gpu_us = [], bytes = [], head_us = 0.0 : f64, crossing_us = 0.0 : f64, total_us = 0.0 : f64, bound_us = 0.0 : f64, more_us = 0.0 : f64, profiled = true>} {}
