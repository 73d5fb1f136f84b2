// RUN: pi-opt %s --pi-convert-weights | FileCheck %s --check-prefix=STORED
// RUN: pi-opt %s --pi-convert-weights=type=f32 | FileCheck %s --check-prefix=F32
// RUN: pi-opt %s --pi-convert-weights=type=f32 --pi-convert-weights=type=f32 | FileCheck %s --check-prefix=F32
// RUN: not pi-opt %s --pi-convert-weights=type=q4 2>&1 | FileCheck %s --check-prefix=BAD

// STORED: pi.weight @m : tensor<8x4xf16> from <file = "a", offset = 0, bytes = 64, type = tensor<8x4xf16>, encoding = raw>
// F32: pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 64, type = tensor<8x4xf16>, encoding = raw>
pi.weight @m : tensor<8x4xf16> from <file = "a", offset = 0, bytes = 64, type = tensor<8x4xf16>, encoding = raw>
// The layout stays.
// STORED: pi.weight @t : tensor<4x8xbf16> from {{.*}} layout <transpose = true, rows = []>
// F32: pi.weight @t : tensor<4x8xf32> from {{.*}} layout <transpose = true, rows = []>
pi.weight @t : tensor<4x8xbf16> from <file = "a", offset = 0, bytes = 64, type = tensor<8x4xbf16>, encoding = raw> layout <transpose = true, rows = []>
// A bundle follows its parts.
// STORED: pi.bundle @r : tensor<8x8xf16> of [@m, @m]
// F32: pi.bundle @r : tensor<8x8xf32> of [@m, @m]
pi.bundle @r : tensor<8x8xf16> of [@m, @m]
// Vectors are f32 in any case.
// STORED: pi.weight @v : tensor<4xf32>
// F32: pi.weight @v : tensor<4xf32>
pi.weight @v : tensor<4xf32> from <file = "a", offset = 0, bytes = 8, type = tensor<4xf16>, encoding = raw>

// BAD: error: weights cannot be stored as 'q4': expected as-stored or f32
