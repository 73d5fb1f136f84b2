// RUN: pi-opt %s --split-input-file --verify-diagnostics --verify-roundtrip | FileCheck %s

pi.order @o = dense<[2, 0, 1]> : tensor<3xi32>
pi.weight @w : tensor<3x2xf32> from <file = "a", offset = 0, bytes = 24, type = tensor<3x2xf32>, encoding = raw>
// CHECK: neuron.group @g layer 0 rows(0 to 2) on <gpu0> weights [@w] order @o profile <tokens = 9, counts = dense<[9, 0, 1]> : tensor<3xi64>>
neuron.group @g layer 0 rows(0 to 2) on <gpu0> weights [@w] order @o profile <tokens = 9, counts = dense<[9, 0, 1]> : tensor<3xi64>>

// -----

pi.weight @w : tensor<3x2xf32> from <file = "a", offset = 0, bytes = 24, type = tensor<3x2xf32>, encoding = raw>
// expected-error @+1 {{profile has 2 neurons, its weight @w has 3 rows}}
neuron.group @g layer 0 rows(0 to 2) on <cpu> weights [@w] profile <tokens = 9, counts = dense<[9, 0]> : tensor<2xi64>>

// -----

pi.weight @w : tensor<3x2xf32> from <file = "a", offset = 0, bytes = 24, type = tensor<3x2xf32>, encoding = raw>
// expected-error @+1 {{names no pi.order: @o}}
neuron.group @g layer 0 rows(0 to 2) on <cpu> weights [@w] order @o

// -----

pi.order @o = dense<[0, 1]> : tensor<2xi32>
pi.weight @w : tensor<3x2xf32> from <file = "a", offset = 0, bytes = 24, type = tensor<3x2xf32>, encoding = raw>
// expected-error @+1 {{order @o has 2 rows, its weights have 3}}
neuron.group @g layer 0 rows(0 to 2) on <cpu> weights [@w] order @o

// -----

// expected-error @+1 {{a count is outside 0 to the number of tokens, 9}}
neuron.group @g layer 0 rows(0 to 2) on <cpu> profile <tokens = 9, counts = dense<[10, 0]> : tensor<2xi64>>

// -----

// expected-error @+1 {{a profile has seen at least one token, got 0}}
neuron.group @g layer 0 rows(0 to 2) on <cpu> profile <tokens = 0, counts = dense<[0, 0]> : tensor<2xi64>>

// -----

// expected-error @+1 {{counts must be a vector of i64, got 'tensor<2xi32>'}}
neuron.group @g layer 0 rows(0 to 2) on <cpu> profile <tokens = 1, counts = dense<[0, 0]> : tensor<2xi32>>
