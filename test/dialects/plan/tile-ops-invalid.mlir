// RUN: pi-opt %s --split-input-file --verify-diagnostics

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %w: memref<8x4xf16>, %x: memref<1x4xf32>):
  // expected-error @+1 {{positions need a position}}
  "plan.embed"(%w, %token, %w, %x) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (memref<8x4xf16>, index, memref<8x4xf16>, memref<1x4xf32>) -> ()
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %m: memref<8x4xf16>, %y: memref<1x8xf32>):
  // expected-error @+1 {{table 'memref<8x4xf16>' does not have rows of 8}}
  plan.embed %m[%token] -> %y : memref<8x4xf16> -> memref<1x8xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %v: memref<4xf32>):
  // expected-error @+1 {{rms has no bias}}
  plan.norm <rms> %x weight %v bias %v eps 0.5 -> %x : memref<1x4xf32>, memref<4xf32>, memref<4xf32> -> memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %y: memref<1x8xf32>, %v: memref<4xf32>):
  // expected-error @+1 {{input, weight, bias and output must be rows of one length}}
  plan.norm <rms> %x weight %v eps 0.5 -> %y : memref<1x4xf32>, memref<4xf32> -> memref<1x8xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %m: memref<8x4xf16>, %x: memref<1x4xf32>):
  // expected-error @+1 {{weight must be [rows, in], input [1, in], output [1, rows]}}
  plan.matvec %m, %x -> %x tiles(%begin to %end) first 0 per_tile 4 { ^bb0(%a: f32): plan.yield %a : f32 } : memref<8x4xf16>, memref<1x4xf32> -> memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %m: memref<8x4xf16>, %x: memref<1x4xf32>, %y: memref<1x8xf32>):
  // expected-error @+1 {{needs first >= 0 and per_tile >= 1, got -1 and 4}}
  plan.matvec %m, %x -> %y tiles(%begin to %end) first -1 per_tile 4 { ^bb0(%a: f32): plan.yield %a : f32 } : memref<8x4xf16>, memref<1x4xf32> -> memref<1x8xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %m: memref<8x4xf16>, %x: memref<1x4xf32>, %y: memref<1x8xf32>):
  // expected-error @+1 {{extra 'memref<1x4xf32>' does not have 8 elements}}
  plan.matvec %m, %x -> %y extras(%x : memref<1x4xf32>) tiles(%begin to %end) first 0 per_tile 4 { ^bb0(%a: f32): plan.yield %a : f32 } : memref<8x4xf16>, memref<1x4xf32> -> memref<1x8xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %m: memref<8x4xf16>, %x: memref<1x4xf32>, %y: memref<1x8xf32>):
  // expected-error @+1 {{region takes 2 f32 arguments, got 1}}
  plan.matvec %m, %x -> %y extras(%y : memref<1x8xf32>) tiles(%begin to %end) first 0 per_tile 4 { ^bb0(%a: f32): plan.yield %a : f32 } : memref<8x4xf16>, memref<1x4xf32> -> memref<1x8xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>):
  // expected-error @+1 {{region takes f32 arguments, got 'f16'}}
  plan.map ins(%x) -> %x tiles(%begin to %end) per_tile 4 { ^bb0(%a: f16): %b = arith.extf %a : f16 to f32 plan.yield %b : f32 } : memref<1x4xf32> -> memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>):
  // expected-error @+1 {{region must end with plan.yield}}
  plan.map ins(%x) -> %x tiles(%begin to %end) per_tile 4 { ^bb0(%a: f32): %b = arith.addf %a, %a : f32 } : memref<1x4xf32> -> memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>):
  // expected-error @+1 {{needs first >= 0 and per_tile >= 1, got 0 and 0}}
  plan.map ins(%x) -> %x tiles(%begin to %end) per_tile 0 { ^bb0(%a: f32): plan.yield %a : f32 } : memref<1x4xf32> -> memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %y: memref<1x8xf32>):
  // expected-error @+1 {{extra 'memref<1x4xf32>' does not have 8 elements}}
  plan.map ins(%x) -> %y tiles(%begin to %end) per_tile 4 { ^bb0(%a: f32): plan.yield %a : f32 } : memref<1x4xf32> -> memref<1x8xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>):
  // expected-error @+1 {{a row of 4 must split into heads of 3 with 2 rotated elements}}
  plan.rope %x at %p dim 3 frequencies [1.0] tiles(%begin to %end) first 0 per_tile 1 : memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>):
  // expected-error @+1 {{a row of 4 must split into heads of 2 with 4 rotated elements}}
  plan.rope %x at %p dim 2 frequencies [1.0, 0.5] tiles(%begin to %end) first 0 per_tile 1 : memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>):
  // expected-error @+1 {{needs first >= 0 and per_tile >= 1, got 0 and 0}}
  plan.rope %x at %p dim 2 frequencies [1.0] tiles(%begin to %end) first 0 per_tile 0 : memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %c: memref<2x8x4xf32>):
  // expected-error @+1 {{cache must be [heads, capacity, dim], row [1, heads * dim]}}
  plan.append %x at %p -> %c tiles(%begin to %end) : memref<1x4xf32> -> memref<2x8x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %q: memref<1x4xf32>, %o: memref<1x4xf32>, %k: memref<1x8x2xf32>, %v: memref<1x8x2xf16>, %s: memref<2x8xf32>):
  // expected-error @+1 {{keys and values must be [kv heads, capacity, dim], of one type}}
  plan.attend %q, %k, %v -> %o scores %s at %p scale 0.5 tiles(%begin to %end) : memref<1x4xf32>, memref<1x8x2xf32>, memref<1x8x2xf16>, memref<2x8xf32> -> memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %q: memref<1x4xf32>, %o: memref<1x4xf32>, %k: memref<4x8x2xf32>, %v: memref<4x8x2xf32>, %s: memref<2x8xf32>):
  // expected-error @+1 {{query and output must be [1, heads * dim], heads a multiple of kv heads}}
  plan.attend %q, %k, %v -> %o scores %s at %p scale 0.5 tiles(%begin to %end) : memref<1x4xf32>, memref<4x8x2xf32>, memref<4x8x2xf32>, memref<2x8xf32> -> memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %q: memref<1x4xf32>, %o: memref<1x4xf32>, %k: memref<1x8x2xf32>, %v: memref<1x8x2xf32>, %s: memref<1x8xf32>):
  // expected-error @+1 {{scores must be [heads, capacity]}}
  plan.attend %q, %k, %v -> %o scores %s at %p scale 0.5 tiles(%begin to %end) : memref<1x4xf32>, memref<1x8x2xf32>, memref<1x8x2xf32>, memref<1x8xf32> -> memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %q: memref<2x8xf32>):
  // expected-error @+1 {{partials must be [tiles, n], output [1, n]}}
  plan.reduce %q -> %x tiles(%begin to %end) per_tile 4 { ^bb0(%a: f32): plan.yield %a : f32 } : memref<2x8xf32> -> memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %q: memref<2x4xf32>):
  // expected-error @+1 {{needs first >= 0 and per_tile >= 1, got 0 and 0}}
  plan.reduce %q -> %x tiles(%begin to %end) per_tile 0 { ^bb0(%a: f32): plan.yield %a : f32 } : memref<2x4xf32> -> memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %y: memref<1x8xf32>, %q: memref<2x4xf32>):
  // expected-error @+1 {{extra 'memref<1x8xf32>' does not have 4 elements}}
  plan.reduce %q -> %x extras(%y : memref<1x8xf32>) tiles(%begin to %end) per_tile 4 { ^bb0(%a: f32): plan.yield %a : f32 } : memref<2x4xf32> -> memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %q: memref<2x4xf32>):
  // expected-error @+1 {{region takes 2 f32 arguments, got 1}}
  plan.reduce %q -> %x extras(%x : memref<1x4xf32>) tiles(%begin to %end) per_tile 4 { ^bb0(%a: f32): plan.yield %a : f32 } : memref<2x4xf32> -> memref<1x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{weight must be [rows, columns] with 4 columns from column 1}}
  plan.select %x, %m from 1 -> %i, %a, %n rows(0 to 8) tiles(%begin to %end) per_tile 4 { ^bb0(%v: f32): plan.yield %v : f32 } : memref<1x4xf32>, memref<8x4xf16> -> memref<8xi32>, memref<8xf32>, memref<2xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{weight must be [rows, columns] with 8 columns from column 0}}
  plan.select %y, %m -> %i, %a, %n rows(0 to 8) tiles(%begin to %end) per_tile 4 { ^bb0(%v: f32): plan.yield %v : f32 } : memref<1x8xf32>, memref<8x4xf16> -> memref<8xi32>, memref<8xf32>, memref<2xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{rows (0 to 9) lie outside the 8 neurons}}
  plan.select %x, %m -> %i, %a, %n rows(0 to 9) tiles(%begin to %end) per_tile 4 { ^bb0(%v: f32): plan.yield %v : f32 } : memref<1x4xf32>, memref<8x4xf16> -> memref<8xi32>, memref<8xf32>, memref<2xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{bias must have 8 elements}}
  plan.select %x, %m bias %n -> %i, %a, %n rows(0 to 8) tiles(%begin to %end) per_tile 4 { ^bb0(%v: f32): plan.yield %v : f32 } : memref<1x4xf32>, memref<8x4xf16> bias memref<2xf32> -> memref<8xi32>, memref<8xf32>, memref<2xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{needs first >= 0 and per_tile >= 1, got 0 and 0}}
  plan.select %x, %m -> %i, %a, %n rows(0 to 8) tiles(%begin to %end) per_tile 0 { ^bb0(%v: f32): plan.yield %v : f32 } : memref<1x4xf32>, memref<8x4xf16> -> memref<8xi32>, memref<8xf32>, memref<2xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{ids and acts must be vectors of 4 neurons}}
  plan.select %x, %m -> %i, %a, %n rows(2 to 6) tiles(%begin to %end) per_tile 4 { ^bb0(%v: f32): plan.yield %v : f32 } : memref<1x4xf32>, memref<8x4xf16> -> memref<8xi32>, memref<8xf32>, memref<2xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{counts must be a vector of 3 tiles}}
  plan.select %x, %m -> %i, %a, %n rows(0 to 8) tiles(%begin to %end) per_tile 3 { ^bb0(%v: f32): plan.yield %v : f32 } : memref<1x4xf32>, memref<8x4xf16> -> memref<8xi32>, memref<8xf32>, memref<2xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{trace must be a vector of at least 9 neurons}}
  plan.select %x, %m -> %i, %a, %n trace %a from 1 rows(0 to 8) tiles(%begin to %end) per_tile 4 { ^bb0(%v: f32): plan.yield %v : f32 } : memref<1x4xf32>, memref<8x4xf16> -> memref<8xi32>, memref<8xf32>, memref<2xf32> trace memref<8xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{region takes 1 f32 arguments, got 0}}
  plan.select %x, %m -> %i, %a, %n rows(0 to 8) tiles(%begin to %end) per_tile 4 { %z = arith.constant 0.0 : f32 plan.yield %z : f32 } : memref<1x4xf32>, memref<8x4xf16> -> memref<8xi32>, memref<8xf32>, memref<2xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{takes either acts or gate}}
  plan.apply list(%i, %n) per_segment 4 down %m -> %q tiles(%begin to %end) : memref<8xi32>, memref<2xf32> down memref<8x4xf16> -> memref<2x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{takes either acts or gate}}
  plan.apply list(%i, %n, %a) per_segment 4 input %x gate %m down %m -> %q tiles(%begin to %end) { ^bb0(%v: f32): plan.yield %v : f32 } : memref<8xi32>, memref<2xf32>, memref<8xf32> input memref<1x4xf32> gate memref<8x4xf16> down memref<8x4xf16> -> memref<2x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{bias goes with gate only}}
  plan.apply list(%i, %n, %a) per_segment 4 bias %a down %m -> %q tiles(%begin to %end) : memref<8xi32>, memref<2xf32>, memref<8xf32> bias memref<8xf32> down memref<8x4xf16> -> memref<2x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{gate and up need an input}}
  plan.apply list(%i, %n, %a) per_segment 4 up %m down %m -> %q tiles(%begin to %end) : memref<8xi32>, memref<2xf32>, memref<8xf32> up memref<8x4xf16> down memref<8x4xf16> -> memref<2x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{has a region where it has a gate, and only there}}
  plan.apply list(%i, %n, %a) per_segment 4 down %m -> %q tiles(%begin to %end) { ^bb0(%v: f32): plan.yield %v : f32 } : memref<8xi32>, memref<2xf32>, memref<8xf32> down memref<8x4xf16> -> memref<2x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{has a region where it has a gate, and only there}}
  plan.apply list(%i, %n) per_segment 4 input %x gate %m down %m -> %q tiles(%begin to %end) : memref<8xi32>, memref<2xf32> input memref<1x4xf32> gate memref<8x4xf16> down memref<8x4xf16> -> memref<2x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{region takes 1 f32 arguments, got 0}}
  plan.apply list(%i, %n) per_segment 4 input %x gate %m down %m -> %q tiles(%begin to %end) { %z = arith.constant 0.0 : f32 plan.yield %z : f32 } : memref<8xi32>, memref<2xf32> input memref<1x4xf32> gate memref<8x4xf16> down memref<8x4xf16> -> memref<2x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{ids and acts must be vectors of one length}}
  plan.apply list(%i, %n, %n) per_segment 4 down %m -> %q tiles(%begin to %end) : memref<8xi32>, memref<2xf32>, memref<2xf32> down memref<8x4xf16> -> memref<2x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{counts must have an element for each segment of ids}}
  plan.apply list(%i, %n, %a) per_segment 3 down %m -> %q tiles(%begin to %end) : memref<8xi32>, memref<2xf32>, memref<8xf32> down memref<8x4xf16> -> memref<2x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{counts must have an element for each segment of ids}}
  plan.apply list(%i, %n, %a) per_segment 0 down %m -> %q tiles(%begin to %end) : memref<8xi32>, memref<2xf32>, memref<8xf32> down memref<8x4xf16> -> memref<2x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{partial must be [tiles, in], input [1, in]}}
  plan.apply list(%i, %n, %a) per_segment 4 input %y up %m down %m -> %q tiles(%begin to %end) : memref<8xi32>, memref<2xf32>, memref<8xf32> input memref<1x8xf32> up memref<8x4xf16> down memref<8x4xf16> -> memref<2x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{gate, up, down must be [rows, columns] with 4 columns from column 2}}
  plan.apply list(%i, %n, %a) per_segment 4 down %m from 2 -> %q tiles(%begin to %end) : memref<8xi32>, memref<2xf32>, memref<8xf32> down memref<8x4xf16> -> memref<2x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{gate, up and down must have the same rows}}
  plan.apply list(%i, %n, %a) per_segment 4 input %x up %r down %m -> %q tiles(%begin to %end) : memref<8xi32>, memref<2xf32>, memref<8xf32> input memref<1x4xf32> up memref<4x4xf16> down memref<8x4xf16> -> memref<2x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{bias must have 8 elements}}
  plan.apply list(%i, %n) per_segment 4 input %x gate %m bias %n down %m -> %q tiles(%begin to %end) { ^bb0(%v: f32): plan.yield %v : f32 } : memref<8xi32>, memref<2xf32> input memref<1x4xf32> gate memref<8x4xf16> bias memref<2xf32> down memref<8x4xf16> -> memref<2x4xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{trace must be a vector of at least 8 neurons}}
  plan.apply list(%i, %n, %a) per_segment 4 down %m -> %q trace %n tiles(%begin to %end) : memref<8xi32>, memref<2xf32>, memref<8xf32> down memref<8x4xf16> -> memref<2x4xf32> trace memref<2xf32>
}

// -----

plan.kernel @k on <cpu> {
^bb0(%token: index, %p: index, %begin: index, %end: index, %x: memref<1x4xf32>, %m: memref<8x4xf16>, %q: memref<2x4xf32>, %i: memref<8xi32>, %a: memref<8xf32>, %n: memref<2xf32>, %y: memref<1x8xf32>, %r: memref<4x4xf16>):
  // expected-error @+1 {{needs a partial}}
  "plan.reduce"(%x, %begin, %end) <{operandSegmentSizes = array<i32: 0, 1, 0, 1, 1>, per_tile = 4 : i64}> ({ ^bb0(%v: f32): plan.yield %v : f32 }) : (memref<1x4xf32>, index, index) -> ()
}
