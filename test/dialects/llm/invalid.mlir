// RUN: pi-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{heads, dim and capacity must be at least 1}}
func.func private @f(!llm.kv_cache<heads = 2, dim = 0, type = f32, capacity = 8>)

// -----

// expected-error @+1 {{element type must be f32 or f16, got 'i8'}}
func.func private @f(!llm.kv_cache<heads = 2, dim = 2, type = i8, capacity = 8>)

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{must be row of one token, tensor<1 x features x f32>, but got 'tensor<4xf32>'}}
  %0 = llm.add %x, %x : tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<1x?xf32>) {
  // expected-error @+1 {{must be row of one token}}
  %0 = llm.add %x, %x : tensor<1x?xf32>
  return
}

// -----

pi.weight @v4 : tensor<4xf32> from <file = "a", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{rms has no bias}}
  %0 = llm.norm <rms> %x weight @v4 bias @v4 eps 0.5 : tensor<1x4xf32>
  return
}

// -----

func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{weight names no pi.weight: @v4}}
  %0 = llm.norm <rms> %x weight @v4 eps 0.5 : tensor<1x4xf32>
  return
}

// -----

pi.weight @v8 : tensor<8xf32> from <file = "a", offset = 0, bytes = 32, type = tensor<8xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{weight has an unexpected shape: 'tensor<8xf32>'}}
  %0 = llm.norm <rms> %x weight @v8 eps 0.5 : tensor<1x4xf32>
  return
}

// -----

pi.weight @v4 : tensor<4xf32> from <file = "a", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
pi.weight @v8 : tensor<8xf32> from <file = "a", offset = 0, bytes = 32, type = tensor<8xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{bias has an unexpected shape: 'tensor<8xf32>'}}
  %0 = llm.norm <layer> %x weight @v4 bias @v8 eps 0.5 : tensor<1x4xf32>
  return
}

// -----

pi.weight @v4 : tensor<4xf32> from <file = "a", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{table has an unexpected shape: 'tensor<4xf32>'}}
  %0 = llm.embed %p at %p table @v4 : tensor<1x4xf32>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
pi.weight @h : tensor<9x4xf32> from <file = "a", offset = 0, bytes = 144, type = tensor<9x4xf32>, encoding = raw>
func.func @f(%p: index) {
  // expected-error @+1 {{table has 8 rows, too few for 9 logits}}
  %0 = llm.embed %p at %p table @m : tensor<1x4xf32>
  %1 = llm.logits %0 head @h : tensor<1x4xf32> -> tensor<1x9xf32>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{offset must be at least 0}}
  %0 = llm.embed %p at %p table @m positions @m offset -2 : tensor<1x4xf32>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
func.func @f(%p: index, %c: !llm.kv_cache<heads = 1, dim = 4, type = f32, capacity = 7>) {
  // expected-error @+1 {{positions has rows for 6 tokens, too few for a cache of 7}}
  %0 = llm.embed %p at %p table @m positions @m offset 2 : tensor<1x4xf32>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{positions names no pi.weight: @n}}
  %0 = llm.embed %p at %p table @m positions @n offset 2 : tensor<1x4xf32>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{weight has an unexpected shape: 'tensor<8x4xf32>'}}
  %0 = llm.linear %x weight @m : tensor<1x4xf32> -> tensor<1x4xf32>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
pi.weight @v4 : tensor<4xf32> from <file = "a", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{bias has an unexpected shape: 'tensor<4xf32>'}}
  %0 = llm.linear %x weight @m bias @v4 : tensor<1x4xf32> -> tensor<1x8xf32>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{head has an unexpected shape: 'tensor<8x4xf32>'}}
  %0 = llm.logits %x head @m : tensor<1x4xf32> -> tensor<1x4xf32>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
pi.weight @v4 : tensor<4xf32> from <file = "a", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{bias has an unexpected shape: 'tensor<4xf32>'}}
  %0 = llm.logits %x head @m bias @v4 : tensor<1x4xf32> -> tensor<1x8xf32>
  return
}

// -----

func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{4 features do not split into 3 heads}}
  %0 = llm.rope %x at %p heads 3 frequencies [1.0] : tensor<1x4xf32>
  return
}

// -----

func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{4 rotated elements do not fit a head of 2}}
  %0 = llm.rope %x at %p heads 2 frequencies [1.0, 0.5] : tensor<1x4xf32>
  return
}

// -----

func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{0 rotated elements do not fit a head of 2}}
  %0 = llm.rope %x at %p heads 2 frequencies [] : tensor<1x4xf32>
  return
}

// -----

func.func @f(%x: tensor<1x4xf32>, %p: index, %c: !llm.kv_cache<heads = 2, dim = 2, type = f32, capacity = 8>, %k: tensor<1x2xf32>) {
  // expected-error @+1 {{key and value must have 4 features}}
  %0 = llm.kv_append %c, %k, %k at %p : !llm.kv_cache<heads = 2, dim = 2, type = f32, capacity = 8>, tensor<1x2xf32>
  return
}

// -----

func.func @f(%x: tensor<1x4xf32>, %p: index, %c: !llm.kv_cache<heads = 2, dim = 2, type = f32, capacity = 8>) {
  // expected-error @+1 {{query must have heads * dim = 8 features, got 4}}
  %0 = llm.attention %x, %c at %p heads 4 scale 0.5 : tensor<1x4xf32>, !llm.kv_cache<heads = 2, dim = 2, type = f32, capacity = 8>
  return
}

// -----

func.func @f(%x: tensor<1x6xf32>, %p: index, %c: !llm.kv_cache<heads = 2, dim = 2, type = f32, capacity = 8>) {
  // expected-error @+1 {{3 heads are no multiple of the cache's 2}}
  %0 = llm.attention %x, %c at %p heads 3 scale 0.5 : tensor<1x6xf32>, !llm.kv_cache<heads = 2, dim = 2, type = f32, capacity = 8>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
pi.weight @v8 : tensor<8xf32> from <file = "a", offset = 0, bytes = 32, type = tensor<8xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{up_bias goes without gate only}}
  %0 = llm.ffn <relu> %x gate @m up @m up_bias @v8 down @m : tensor<1x4xf32>
  return
}

// -----

pi.weight @v4 : tensor<4xf32> from <file = "a", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{up has an unexpected shape: 'tensor<4xf32>'}}
  %0 = llm.ffn <relu> %x up @v4 down @v4 : tensor<1x4xf32>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
pi.weight @g : tensor<7x4xf32> from <file = "a", offset = 0, bytes = 112, type = tensor<7x4xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{gate has an unexpected shape: 'tensor<7x4xf32>'}}
  %0 = llm.ffn <relu> %x gate @g up @m down @m : tensor<1x4xf32>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
pi.weight @d : tensor<4x8xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<4x8xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{down has an unexpected shape: 'tensor<4x8xf32>'}}
  %0 = llm.ffn <relu> %x up @m down @d : tensor<1x4xf32>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
pi.weight @v4 : tensor<4xf32> from <file = "a", offset = 0, bytes = 16, type = tensor<4xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{up_bias has an unexpected shape: 'tensor<4xf32>'}}
  %0 = llm.ffn <relu> %x up @m up_bias @v4 down @m : tensor<1x4xf32>
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
pi.weight @v8 : tensor<8xf32> from <file = "a", offset = 0, bytes = 32, type = tensor<8xf32>, encoding = raw>
func.func @f(%x: tensor<1x4xf32>, %p: index) {
  // expected-error @+1 {{down_bias has an unexpected shape: 'tensor<8xf32>'}}
  %0 = llm.ffn <relu> %x up @m down @m down_bias @v8 : tensor<1x4xf32>
  return
}
