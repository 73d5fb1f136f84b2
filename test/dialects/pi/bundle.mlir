// RUN: pi-opt %s --verify-roundtrip | FileCheck %s
// RUN: pi-opt %s --emit-bytecode | pi-opt | FileCheck %s
// RUN: pi-opt %s --mlir-print-op-generic | pi-opt | FileCheck %s

pi.weight @up : tensor<3x4xf16> from <file = "a", offset = 0, bytes = 24, type = tensor<3x4xf16>, encoding = raw>
pi.weight @down : tensor<3x2xf16> from <file = "a", offset = 0, bytes = 12, type = tensor<3x2xf16>, encoding = raw>
// CHECK: pi.bundle @rows : tensor<3x6xf16> of [@up, @down]
pi.bundle @rows : tensor<3x6xf16> of [@up, @down]
// CHECK: pi.bundle @all : tensor<3x10xf16> of [@up, @down, @up]
pi.bundle @all : tensor<3x10xf16> of [@up, @down, @up]
