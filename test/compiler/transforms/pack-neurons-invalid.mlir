// RUN: pi-opt %s --pi-pack-neurons --split-input-file --verify-diagnostics
// RUN: not pi-opt %s --pi-pack-neurons=bundle=some --split-input-file 2>&1 | FileCheck %s
// CHECK: error: unknown bundles 'some': expected cold, all or none

pi.order @o = dense<[1, 0]> : tensor<2xi32>
pi.weight @w : tensor<2x2xf16> from <file = "m", offset = 0, bytes = 8, type = tensor<2x2xf16>, encoding = raw>
// expected-error @+2 {{is in an order that its weights are not}}
// expected-note @+1 {{run pi-permute-neurons first}}
neuron.group @g layer 0 rows(0 to 1) on <cpu> weights [@w] order @o
