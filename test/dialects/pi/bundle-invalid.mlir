// RUN: pi-opt %s --split-input-file --verify-diagnostics

pi.weight @a : tensor<3x4xf16> from <file = "a", offset = 0, bytes = 24, type = tensor<3x4xf16>, encoding = raw>
// expected-error @+1 {{needs at least two parts}}
pi.bundle @r : tensor<3x4xf16> of [@a]

// -----

pi.weight @a : tensor<3x4xf16> from <file = "a", offset = 0, bytes = 24, type = tensor<3x4xf16>, encoding = raw>
// expected-error @+1 {{must be a static matrix, got 'tensor<24xf16>'}}
pi.bundle @r : tensor<24xf16> of [@a, @a]

// -----

pi.weight @a : tensor<3x4xf16> from <file = "a", offset = 0, bytes = 24, type = tensor<3x4xf16>, encoding = raw>
// expected-error @+1 {{must be a static matrix, got 'tensor<?x8xf16>'}}
pi.bundle @r : tensor<?x8xf16> of [@a, @a]

// -----

pi.weight @a : tensor<3x4xf16> from <file = "a", offset = 0, bytes = 24, type = tensor<3x4xf16>, encoding = raw>
// expected-error @+1 {{names no pi.weight: @n}}
pi.bundle @r : tensor<3x8xf16> of [@a, @n]

// -----

pi.weight @a : tensor<3x4xf16> from <file = "a", offset = 0, bytes = 24, type = tensor<3x4xf16>, encoding = raw>
pi.order @o = dense<[0, 1, 2]> : tensor<3xi32>
// expected-error @+1 {{names no pi.weight: @o}}
pi.bundle @r : tensor<3x8xf16> of [@a, @o]

// -----

pi.weight @a : tensor<3x4xf16> from <file = "a", offset = 0, bytes = 24, type = tensor<3x4xf16>, encoding = raw>
pi.weight @b : tensor<2x4xf16> from <file = "a", offset = 0, bytes = 16, type = tensor<2x4xf16>, encoding = raw>
// expected-error @+1 {{part @b of type 'tensor<2x4xf16>' differs from the bundle's 'tensor<3x8xf16>'}}
pi.bundle @r : tensor<3x8xf16> of [@a, @b]

// -----

pi.weight @a : tensor<3x4xf16> from <file = "a", offset = 0, bytes = 24, type = tensor<3x4xf16>, encoding = raw>
pi.weight @b : tensor<3xf16> from <file = "a", offset = 0, bytes = 6, type = tensor<3xf16>, encoding = raw>
// expected-error @+1 {{part @b of type 'tensor<3xf16>' differs from the bundle's 'tensor<3x5xf16>'}}
pi.bundle @r : tensor<3x5xf16> of [@a, @b]

// -----

pi.weight @a : tensor<3x4xf16> from <file = "a", offset = 0, bytes = 24, type = tensor<3x4xf16>, encoding = raw>
pi.weight @b : tensor<3x4xf32> from <file = "a", offset = 0, bytes = 48, type = tensor<3x4xf32>, encoding = raw>
// expected-error @+1 {{part @b of type 'tensor<3x4xf32>' differs from the bundle's 'tensor<3x8xf16>'}}
pi.bundle @r : tensor<3x8xf16> of [@a, @b]

// -----

pi.weight @a : tensor<3x4xf16> from <file = "a", offset = 0, bytes = 24, type = tensor<3x4xf16>, encoding = raw>
pi.weight @b : tensor<3x4xf16> from <file = "a", offset = 0, bytes = 24, type = tensor<3x4xf16>, encoding = raw>
// expected-error @+1 {{has 9 columns, its parts have 8}}
pi.bundle @r : tensor<3x9xf16> of [@a, @b]
