// RUN: pi-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{body needs token, position, begin and end arguments}}
plan.kernel @k on <cpu> {
^bb0(%token: index, %position: index, %begin: index):
}

// -----

// expected-error @+1 {{argument 3 must be index, got 'i64'}}
plan.kernel @k on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: i64):
}

// -----

// expected-error @+1 {{argument 4 must be a memref of static shape, got 'memref<?xf32>'}}
plan.kernel @k on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %m: memref<?xf32>):
}

// -----

// expected-error @+1 {{needs exactly one plan.logits, got 0}}
plan.program @p {
^bb0:
}

// -----

plan.arena @a <activations> bytes 128
plan.program @p {
  %b = plan.buffer @a offset 0 : memref<1x4xf32>
  // expected-error @+1 {{names no plan.arena: @b}}
  %c = plan.buffer @b : memref<1x4xf32>
  plan.logits %b : memref<1x4xf32>
}

// -----

plan.arena @a <activations> bytes 128
plan.program @p {
  %b = plan.buffer @a offset 0 : memref<1x4xf32>
  // expected-error @+1 {{offset 32 is no multiple of 64}}
  %c = plan.buffer @a offset 32 : memref<1x4xf32>
  plan.logits %b : memref<1x4xf32>
}

// -----

plan.arena @a <activations> bytes 128
plan.program @p {
  %b = plan.buffer @a offset 0 : memref<1x4xf32>
  // expected-error @+1 {{offset -64 is no multiple of 64}}
  %c = plan.buffer @a offset -64 : memref<1x4xf32>
  plan.logits %b : memref<1x4xf32>
}

// -----

plan.arena @a <activations> bytes 128
plan.program @p {
  %b = plan.buffer @a offset 0 : memref<1x4xf32>
  // expected-error @+1 {{ends at byte 144, outside arena @a of 128 bytes}}
  %c = plan.buffer @a offset 128 : memref<1x4xf32>
  plan.logits %b : memref<1x4xf32>
}

// -----

plan.arena @a <activations> bytes 128
plan.program @p {
  %b = plan.buffer @a offset 0 : memref<1x4xf32>
  // expected-error @+1 {{names no pi.weight or pi.bundle: @w}}
  %c = plan.weight @w : memref<1x4xf32>
  plan.logits %b : memref<1x4xf32>
}

// -----

plan.arena @a <activations> bytes 128
pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
plan.program @p {
  %b = plan.buffer @a offset 0 : memref<1x4xf32>
  // expected-error @+1 {{type 'memref<4x8xf32>' differs from the weight's 'tensor<8x4xf32>'}}
  %c = plan.weight @m : memref<4x8xf32>
  plan.logits %b : memref<1x4xf32>
}

// -----

plan.arena @a <activations> bytes 128
pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
pi.bundle @r : tensor<8x8xf32> of [@m, @m]
plan.program @p {
  %b = plan.buffer @a offset 0 : memref<1x4xf32>
  %r = plan.weight @r : memref<8x8xf32>
  // expected-error @+1 {{@m is stored as a part of @r only}}
  %c = plan.weight @m : memref<8x4xf32>
  plan.logits %b : memref<1x4xf32>
}

// -----

plan.arena @a <activations> bytes 128
pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
pi.bundle @r : tensor<8x8xf32> of [@m, @m]
plan.program @p {
  %b = plan.buffer @a offset 0 : memref<1x4xf32>
  // expected-error @+1 {{type 'memref<8x4xf32>' differs from the weight's 'tensor<8x8xf32>'}}
  %c = plan.weight @r : memref<8x4xf32>
  plan.logits %b : memref<1x4xf32>
}

// -----

plan.arena @a <activations> bytes 128
plan.program @p {
  %b = plan.buffer @a offset 0 : memref<1x4xf32>
  // expected-error @+1 {{names no plan.kernel: @n}}
  plan.dispatch @n tiles 1 (%b) : memref<1x4xf32>
  plan.logits %b : memref<1x4xf32>
}

// -----

plan.arena @a <activations> bytes 128
plan.kernel @k on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x4xf32>):
}
plan.program @p {
  %b = plan.buffer @a offset 0 : memref<1x4xf32>
  // expected-error @+1 {{needs at least one tile}}
  plan.dispatch @k tiles 0 (%b) : memref<1x4xf32>
  plan.logits %b : memref<1x4xf32>
}

// -----

plan.arena @a <activations> bytes 128
plan.kernel @k on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x4xf32>):
}
plan.program @p {
  %b = plan.buffer @a offset 0 : memref<1x4xf32>
  // expected-error @+1 {{passes 2 arguments, kernel @k takes 1}}
  plan.dispatch @k tiles 1 (%b, %b) : memref<1x4xf32>, memref<1x4xf32>
  plan.logits %b : memref<1x4xf32>
}

// -----

plan.arena @a <activations> bytes 128
plan.kernel @k on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x4xf32>):
}
plan.program @p {
  %b = plan.buffer @a offset 0 : memref<1x4xf32>
  %c = plan.buffer @a offset 0 : memref<1x8xf32>
  // expected-error @+1 {{passes 'memref<1x8xf32>', kernel @k takes 'memref<1x4xf32>'}}
  plan.dispatch @k tiles 1 (%c) : memref<1x8xf32>
  plan.logits %b : memref<1x4xf32>
}

// -----

// expected-error @+1 {{bytes must be at least 0}}
plan.arena @a <activations> bytes -64

// -----

plan.arena @a <activations> bytes 64
plan.program @p {
  %b = plan.buffer @a offset 0 : memref<1x4xf32>
  // expected-error @+1 {{layer 65536 must be from 0 to 65535, and neurons 4 at least 1}}
  plan.activity %b layer 65536 neurons 4 : memref<1x4xf32>
  plan.logits %b : memref<1x4xf32>
}

// -----

plan.arena @a <activations> bytes 64
plan.program @p {
  %b = plan.buffer @a offset 0 : memref<4xf32>
  // expected-error @+1 {{layer 65536 is outside 0 to 65535}}
  plan.trace %b input %b layer 65536 : memref<4xf32>, memref<4xf32>
  plan.logits %b : memref<4xf32>
}

// -----

plan.arena @a <activations> bytes 64
plan.program @p {
  %b = plan.buffer @a offset 0 : memref<1x4xf32>
  // expected-error @+1 {{activations must be of rank 1, got 'memref<1x4xf32>'}}
  plan.trace %b input %b layer 0 : memref<1x4xf32>, memref<1x4xf32>
  plan.logits %b : memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%t: index, %p: index, %begin: index, %end: index, %q: memref<1x4xf32>, %k: memref<0x8x2xf32>, %s: memref<2x8xf32>):
  // expected-error @+1 {{keys and values must be [kv heads, capacity, dim], of one type}}
  plan.attend %q, %k, %k -> %q scores %s at %p scale 1.0 tiles(%begin to %end) : memref<1x4xf32>, memref<0x8x2xf32>, memref<0x8x2xf32>, memref<2x8xf32> -> memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%t: index, %p: index, %begin: index, %end: index, %x: memref<4x4xf32>):
  // expected-error @+1 {{output must be a row [1, n] or a vector}}
  plan.map ins(%x) -> %x tiles(%begin to %end) per_tile 64 {
  ^bb0(%a: f32):
    plan.yield %a : f32
  } : memref<4x4xf32> -> memref<4x4xf32>
}
