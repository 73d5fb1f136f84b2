// The pipelines are the passes they name, and the result of one is the input of the next.
// RUN: pi-opt %s --pi-phase-partition -o %t.neuron.mlir
// RUN: pi-opt %s --pi-record-shape --pi-split-ffn | diff - %t.neuron.mlir
// RUN: FileCheck %s --check-prefix=NEURON < %t.neuron.mlir
// NEURON: pi.shape = #pi.shape<layers = 1
// NEURON: neuron.group
// NEURON-NOT: llm.ffn

// Until quantised weights exist the phase passes the module on.
// RUN: pi-opt %t.neuron.mlir --pi-phase-quantise | diff - %t.neuron.mlir
// RUN: pi-opt %t.neuron.mlir --pi-phase-quantise=weights=as-stored | diff - %t.neuron.mlir
// RUN: pi-opt %t.neuron.mlir --pi-phase-quantise=weights=f32 -o %t.f32.mlir
// RUN: pi-opt %t.neuron.mlir --pi-convert-weights=type=f32 | diff - %t.f32.mlir

// RUN: pi-opt %t.neuron.mlir --pi-phase-plan -o %t.plan.mlir
// RUN: pi-opt %t.neuron.mlir --pi-neuron-to-plan --pi-share-kernels --pi-plan-memory | diff - %t.plan.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.plan.mlir
// PLAN-DAG: plan.arena @activations <activations> bytes {{[1-9]}}
// PLAN-DAG: plan.arena @kv <kv_cache> bytes 256{{$}}
// PLAN: plan.matvec {{.*}}
// PLAN: memref<12x8xf16>
// PLAN: plan.buffer @kv offset 128 : memref<1x8x4xf32>
// RUN: pi-opt %t.f32.mlir --pi-phase-plan | FileCheck %s --check-prefix=F32
// F32-NOT: memref<{{.*}}xf16>
// F32: plan.logits

// The text of every level reads back exactly: the same plan.
// RUN: pi-opt %s --pi-phase-partition --pi-phase-quantise --pi-phase-plan | diff - %t.plan.mlir
// RUN: pi-opt %t.plan.mlir --pi-share-kernels --pi-plan-memory --pi-check-level=level=plan | diff - %t.plan.mlir

// A module of another level is refused by the phase's own check or by its first pass.
// RUN: not pi-opt %s --pi-phase-quantise 2>&1 | FileCheck %s --check-prefix=SKIPPED
// SKIPPED: phases.mlir:[[# @LINE + 16]]:{{[0-9]+}}: error: 'llm.ffn' does not belong to the neuron level
// SKIPPED: note: this is not the IR after phase quantise
// RUN: not pi-opt %s --pi-phase-plan 2>&1 | FileCheck %s --check-prefix=FFN
// FFN: error: 'llm.ffn' op has no form in the plan dialect
// FFN: note: run the phases before `plan` first

!cache = !llm.kv_cache<heads = 1, dim = 4, type = f32, capacity = 8>
module attributes {pi.model = #pi.model<family = "opt", positions = 8, capacity = 8, bos = -1, eos = [], tokenizer = "t", exact = true>} {
  pi.weight @table : tensor<12x8xf16> from <file = "a", offset = 0, bytes = 192, type = tensor<12x8xf16>, encoding = raw>
  pi.weight @k : tensor<4x8xf16> from <file = "a", offset = 0, bytes = 64, type = tensor<4x8xf16>, encoding = raw>
  func.func @decode(%token: index, %position: index, %c: !cache) -> (tensor<1x12xf32>, !cache) {
    %x = llm.embed %token at %position table @table : tensor<1x8xf32>
    %k = llm.linear %x weight @k : tensor<1x8xf32> -> tensor<1x4xf32>
    %r = llm.rope %k at %position heads 1 frequencies [1.0, 0.5623413324356079] : tensor<1x4xf32>
    %d = llm.kv_append %c, %r, %k at %position : !cache, tensor<1x4xf32>
    %a = llm.attention %x, %d at %position heads 2 scale 0.5 : tensor<1x8xf32>, !cache
    %f = llm.ffn <relu> %a up @table down @table : tensor<1x8xf32>
    %l = llm.logits %f head @table : tensor<1x8xf32> -> tensor<1x12xf32>
    return %l, %d : tensor<1x12xf32>, !cache
  }
}
