// Each piece is of one level only: it passes there and is refused elsewhere.
// RUN: split-file %s %t
// RUN: pi-opt %t/onnx.mlir --pi-check-level=level=onnx -o /dev/null
// RUN: pi-opt %t/llm.mlir --pi-check-level=level=llm -o /dev/null
// RUN: pi-opt %t/neuron.mlir --pi-check-level=level=neuron -o /dev/null
// RUN: pi-opt %t/plan.mlir --pi-check-level=level=plan -o /dev/null

// RUN: not pi-opt %t/onnx.mlir --pi-check-level="level=llm phase=raise" 2>&1 | FileCheck %s --check-prefix=ONNX
// ONNX: onnx.mlir:2:8: error: 'onnx.Relu' does not belong to the llm level
// ONNX: note: this is not the IR after phase raise
// RUN: not pi-opt %t/llm.mlir --pi-check-level=level=onnx 2>&1 | FileCheck %s --check-prefix=LLM
// LLM: llm.mlir:3:8: error: 'llm.ffn' does not belong to the onnx level
// LLM: note: this is not the onnx level
// RUN: not pi-opt %t/llm.mlir --pi-check-level=level=neuron 2>&1 | FileCheck %s --check-prefix=FFN
// FFN: llm.mlir:3:8: error: 'llm.ffn' does not belong to the neuron level
// RUN: not pi-opt %t/neuron.mlir --pi-check-level=level=llm 2>&1 | FileCheck %s --check-prefix=NEURON
// NEURON: neuron.mlir:2:1: error: 'neuron.group' does not belong to the llm level
// RUN: not pi-opt %t/neuron.mlir --pi-check-level=level=plan 2>&1 | FileCheck %s --check-prefix=FUNC
// FUNC: neuron.mlir:3:1: error: 'func.func' does not belong to the plan level
// RUN: not pi-opt %t/plan.mlir --pi-check-level=level=neuron 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN: plan.mlir:3:1: error: 'plan.arena' does not belong to the neuron level

// What a level must hold.
// RUN: not pi-opt %t/empty.mlir --pi-check-level=level=onnx 2>&1 | FileCheck %s --check-prefix=NOFUNC
// NOFUNC: error: the module holds no function
// RUN: not pi-opt %t/empty.mlir --pi-check-level=level=llm 2>&1 | FileCheck %s --check-prefix=NODECODE
// NODECODE: error: the module holds no function @decode
// RUN: not pi-opt %t/empty.mlir --pi-check-level=level=plan 2>&1 | FileCheck %s --check-prefix=NOPROGRAM
// NOPROGRAM: error: the module holds not one plan.program
// RUN: not pi-opt %t/empty.mlir --pi-check-level=level=mars 2>&1 | FileCheck %s --check-prefix=MARS
// MARS: error: unknown level 'mars'

// Memory of a plan that was edited by hand.
// RUN: not pi-opt %t/size.mlir --pi-check-level=level=plan 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: size.mlir:1:1: error: 'plan.arena' op has no size; run pi-plan-memory
// RUN: not pi-opt %t/offset.mlir --pi-check-level=level=plan 2>&1 | FileCheck %s --check-prefix=OFFSET
// OFFSET: offset.mlir:3:8: error: 'plan.buffer' op has no offset; run pi-plan-memory
// RUN: not pi-opt %t/overlap.mlir --pi-check-level=level=plan 2>&1 | FileCheck %s --check-prefix=OVERLAP
// OVERLAP: overlap.mlir:6:8: error: 'plan.buffer' op shares bytes with another buffer while both are in use
// OVERLAP: overlap.mlir:5:8: note: the other buffer is here
// RUN: not pi-opt %t/caches.mlir --pi-check-level=level=plan 2>&1 | FileCheck %s --check-prefix=CACHES
// CACHES: caches.mlir:6:8: error: 'plan.buffer' op shares bytes with another buffer while both are in use

// What a phase leaves behind says what model it is; caches are as it says, sizes fit a machine.
// RUN: not pi-opt %t/llm.mlir --pi-check-level="level=llm phase=raise" 2>&1 | FileCheck %s --check-prefix=NOMODEL
// NOMODEL: llm.mlir{{.*}}: error: the module has no attribute pi.model
// RUN: not pi-opt %t/capacity.mlir --pi-check-level=level=llm 2>&1 | FileCheck %s --check-prefix=CAPACITY
// CAPACITY: capacity.mlir:4:8: error: the KV cache is for 8 tokens, pi.model says 9
// RUN: not pi-opt %t/attend.mlir --pi-check-level=level=plan 2>&1 | FileCheck %s --check-prefix=ATTEND
// ATTEND: attend.mlir:5:3: error: the KV cache is for 8 tokens, pi.model says 9
// RUN: not pi-opt %t/huge.mlir --pi-check-level=level=plan 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: huge.mlir:3:8: error: a result has more elements than any machine can hold

//--- capacity.mlir
!cache = !llm.kv_cache<heads = 1, dim = 4, type = f32, capacity = 8>
module attributes {pi.model = #pi.model<family = "opt", positions = 0, capacity = 9, bos = 1, eos = [], tokenizer = "t", exact = false>} {
func.func @decode(%p: index, %k: tensor<1x4xf32>, %c: !cache) -> !cache {
  %d = llm.kv_append %c, %k, %k at %p : !cache, tensor<1x4xf32>
  return %d : !cache
}
}
//--- attend.mlir
module attributes {pi.model = #pi.model<family = "opt", positions = 0, capacity = 9, bos = 1, eos = [], tokenizer = "t", exact = false>} {
plan.arena @a <activations> bytes 64
plan.kernel @k on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %c: memref<1x8x4xf32>, %x: memref<1x4xf32>):
  plan.append %x at %position -> %c tiles(%begin to %end) : memref<1x4xf32> -> memref<1x8x4xf32>
}
plan.program @decode {
  %x = plan.buffer @a offset 0 : memref<1x4xf32>
  plan.logits %x : memref<1x4xf32>
}
}
//--- huge.mlir
plan.arena @a <activations> bytes 64
plan.program @decode {
  %x = plan.buffer @a : memref<4611686018427387904x8xf32>
  %y = plan.buffer @a offset 0 : memref<1x4xf32>
  plan.logits %y : memref<1x4xf32>
}
//--- onnx.mlir
func.func @decode(%x: tensor<*xf16>) {
  %0 = onnx.Relu %x : (tensor<*xf16>) -> tensor<*xf16>
  return
}
//--- llm.mlir
pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
func.func @decode(%x: tensor<1x4xf32>) {
  %f = llm.ffn <relu> %x up @m down @m : tensor<1x4xf32>
  return
}
//--- neuron.mlir
pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
neuron.group @g layer 0 rows(0 to 8) on <cpu>
func.func @decode(%x: tensor<1x4xf32>) {
  %0 = neuron.gate_up <relu> %x of @g up @m : tensor<1x4xf32> -> !neuron.acts<8>
  %1 = llm.add %x, %x : tensor<1x4xf32>
  return
}
//--- plan.mlir
pi.weight @m : tensor<8x4xf32> from <file = "a", offset = 0, bytes = 128, type = tensor<8x4xf32>, encoding = raw>
neuron.group @g layer 0 rows(0 to 8) on <cpu>
plan.arena @activations <activations> bytes 64
plan.kernel @k on <cpu> {
^bb0(%token: index, %position: index, %begin: index, %end: index, %x: memref<1x4xf32>, %y: memref<1x4xf32>):
  plan.map ins(%x) -> %y tiles(%begin to %end) per_tile 64 {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    plan.yield %s : f32
  } : memref<1x4xf32> -> memref<1x4xf32>
}
plan.program @decode {
  %x = plan.buffer @activations offset 0 : memref<1x4xf32>
  plan.logits %x : memref<1x4xf32>
}
//--- empty.mlir
module {}
//--- size.mlir
plan.arena @a <activations>
plan.program @decode {
  %x = plan.buffer @a : memref<1x4xf32>
  plan.logits %x : memref<1x4xf32>
}
//--- offset.mlir
plan.arena @a <activations> bytes 64
plan.program @decode {
  %x = plan.buffer @a : memref<1x4xf32>
  plan.logits %x : memref<1x4xf32>
}
//--- overlap.mlir
plan.arena @a <activations> bytes 128
plan.kernel @k on <cpu> { ^bb0(%t: index, %p: index, %b: index, %e: index, %0: memref<17xf32>, %1: memref<17xf32>): }
plan.program @decode {
  %w = plan.buffer @a offset 0 : memref<1x4xf32>
  %x = plan.buffer @a offset 0 : memref<17xf32>
  %y = plan.buffer @a offset 0 : memref<17xf32>
  plan.dispatch @k tiles 1 (%x, %y) : memref<17xf32>, memref<17xf32>
  plan.logits %w : memref<1x4xf32>
}
//--- caches.mlir
plan.arena @kv <kv_cache> bytes 128
plan.arena @a <activations> bytes 64
plan.program @decode {
  %w = plan.buffer @a offset 0 : memref<1x4xf32>
  %x = plan.buffer @kv offset 0 : memref<17xf32>
  %y = plan.buffer @kv offset 64 : memref<2xf32>
  plan.logits %w : memref<1x4xf32>
}
