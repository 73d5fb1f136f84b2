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
  // expected-error @+1 {{names no pi.weight: @w}}
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
