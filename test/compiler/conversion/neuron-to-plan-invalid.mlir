// RUN: pi-opt %s --pi-neuron-to-plan --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a function @decode of one block}}
module {}

// -----

func.func @decode(%token: index, %position: index, %x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  // expected-error @+2 {{'arith.constant' op has no form in the plan dialect}}
  // expected-note @+1 {{run the phases before `plan` first}}
  %0 = arith.constant 0 : index
  return %x : tensor<1x4xf32>
}

// -----

func.func @decode(%token: index, %position: index, %x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  // expected-error @+1 {{reads a row that the step does not compute}}
  return %x : tensor<1x4xf32>
}

// -----

func.func @decode(%token: index, %position: index, %x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  // expected-error @+1 {{reads a row that the step does not compute}}
  %0 = llm.add %x, %x : tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// -----

func.func @decode(%token: index, %position: index) {
  // expected-error @+1 {{first result must be a row computed by the step: the logits}}
  return
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
func.func @decode(%token: index, %position: index) -> tensor<1x4xf32> {
  // expected-error @+1 {{token and position must be the first two arguments of the step}}
  %x = llm.embed %position at %token table @m : tensor<1x4xf32>
  return %x : tensor<1x4xf32>
}

// -----

!cache = !llm.kv_cache<heads = 1, dim = 4, type = f32, capacity = 8>
pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
func.func @decode(%token: index, %position: index, %c: !cache, %d: !cache) -> (tensor<1x4xf32>, !cache, !cache) {
  %x = llm.embed %token at %position table @m : tensor<1x4xf32>
  // expected-error @+1 {{result 1 must be the cache of argument 2}}
  return %x, %d, %c : tensor<1x4xf32>, !cache, !cache
}

// -----

!cache = !llm.kv_cache<heads = 1, dim = 4, type = f32, capacity = 8>
pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
func.func @decode(%token: index, %position: index, %c: !cache) -> (tensor<1x4xf32>, !cache) {
  %x = llm.embed %token at %position table @m : tensor<1x4xf32>
  // expected-error @+1 {{cache must be an argument of the step that nothing else uses}}
  %d = llm.kv_append %c, %x, %x at %position : !cache, tensor<1x4xf32>
  %a = llm.attention %x, %c at %position heads 1 scale 0.5 : tensor<1x4xf32>, !cache
  return %a, %d : tensor<1x4xf32>, !cache
}

// -----

!cache = !llm.kv_cache<heads = 1, dim = 4, type = f32, capacity = 8>
pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
func.func @decode(%token: index, %position: index, %c: !cache) -> (tensor<1x4xf32>, !cache) {
  %x = llm.embed %token at %position table @m : tensor<1x4xf32>
  %d = llm.kv_append %c, %x, %x at %position : !cache, tensor<1x4xf32>
  // expected-error @+1 {{cache must be an argument of the step that nothing else uses}}
  %e = llm.kv_append %d, %x, %x at %position : !cache, tensor<1x4xf32>
  return %x, %e : tensor<1x4xf32>, !cache
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
neuron.group @g layer 0 rows(0 to 4) on <cpu>
neuron.group @h layer 0 rows(4 to 8) on <cpu>
func.func @decode(%token: index, %position: index) -> tensor<1x4xf32> {
  %x = llm.embed %token at %position table @m : tensor<1x4xf32>
  %a = neuron.gate_up <relu> %x of @g up @m : tensor<1x4xf32> -> !neuron.acts<4>
  // expected-error @+1 {{activations must come from neuron.gate_up of the same group}}
  %p = neuron.down %a of @h down @m : !neuron.acts<4> -> tensor<1x4xf32>
  %f = neuron.merge %p : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %f : tensor<1x4xf32>
}

// -----

pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
func.func @decode(%token: index, %position: index) -> tensor<1x4xf32> {
  %x = llm.embed %token at %position table @m : tensor<1x4xf32>
  // expected-error @+1 {{shares must come from neuron.down}}
  %f = neuron.merge %x : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %f : tensor<1x4xf32>
}

// -----

pi.weight @m : tensor<16x16xf32> from <file = "a", offset = 0, bytes = 1024, type = tensor<16x16xf32>, encoding = raw>
func.func @decode(%token: index, %position: index, %c: !llm.kv_cache<heads = 1, dim = 4, type = f32, capacity = 4>)
    -> (tensor<1x16xf32>, !llm.kv_cache<heads = 1, dim = 4, type = f32, capacity = 4>, !llm.kv_cache<heads = 1, dim = 4, type = f32, capacity = 4>) {
  %x = llm.embed %token at %position table @m : tensor<1x16xf32>
  // expected-error @+1 {{result 2 must be the cache of argument 3}}
  return %x, %c, %c : tensor<1x16xf32>, !llm.kv_cache<heads = 1, dim = 4, type = f32, capacity = 4>, !llm.kv_cache<heads = 1, dim = 4, type = f32, capacity = 4>
}
