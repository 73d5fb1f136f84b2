// With `instrument` the input of each feed-forward block and what its neurons did are left in
// buffers; the norm in front of it is computed into one, and other norms stay where they were.
// RUN: pi-opt %s --pi-neuron-to-plan=instrument | FileCheck %s
// RUN: pi-opt %s --pi-neuron-to-plan | FileCheck --check-prefix=PLAIN %s

pi.weight @table : tensor<40x16xf16> from <file = "m", offset = 0, bytes = 1280, type = tensor<40x16xf16>, encoding = raw>
pi.weight @v : tensor<16xf32> from <file = "m", offset = 1280, bytes = 64, type = tensor<16xf32>, encoding = raw>
pi.weight @f : tensor<12x16xf16> from <file = "m", offset = 2048, bytes = 384, type = tensor<12x16xf16>, encoding = raw>
neuron.group @layers.0.all layer 0 rows(0 to 12) on <cpu>

// CHECK-LABEL: plan.kernel @norm on <cpu>
// CHECK: plan.norm
// CHECK: plan.map
// CHECK-LABEL: plan.kernel @ffn_select on <cpu>
// CHECK-NOT: plan.norm
// CHECK: plan.select %{{.*}} trace %{{.*}} rows(0 to 12)
// CHECK-LABEL: plan.kernel @ffn_apply on <cpu>
// CHECK: plan.apply {{.*}} trace %{{.*}} tiles
// CHECK-LABEL: plan.kernel @logits on <cpu>
// CHECK-LABEL: plan.program @decode
// CHECK: plan.dispatch @norm tiles 1(%{{.*}}, %{{.*}}, %[[IN:.*]]) :
// CHECK: plan.dispatch @ffn_select tiles {{.*}}(%[[IN]], {{.*}}, %[[TRACE:[0-9a-z]+]]) :
// CHECK: plan.dispatch @ffn_apply tiles {{.*}}, %[[IN]], {{.*}}, %[[TRACE]]) :
// CHECK: plan.activity
// CHECK: plan.trace %[[TRACE]] input %[[IN]] layer 0 : memref<12xf32>, memref<1x16xf32>

// PLAIN-NOT: plan.kernel @norm on
// PLAIN: plan.kernel @norm_ffn_select on
// PLAIN-NOT: trace
func.func @decode(%token: index, %position: index) -> tensor<1x40xf32> {
  %x = llm.embed %token at %position table @table : tensor<1x16xf32>
  %m = llm.norm <rms> %x weight @v eps 0.5 : tensor<1x16xf32>
  %act = neuron.gate_up <relu> %m of @layers.0.all gate @f up @f : tensor<1x16xf32> -> !neuron.acts<12>
  %p = neuron.down %act of @layers.0.all down @f : !neuron.acts<12> -> tensor<1x16xf32>
  %s = neuron.merge %p : (tensor<1x16xf32>) -> tensor<1x16xf32>
  %y = llm.add %x, %s : tensor<1x16xf32>
  %z = llm.norm <rms> %y weight @v eps 0.5 : tensor<1x16xf32>
  %l = llm.logits %z head @table : tensor<1x16xf32> -> tensor<1x40xf32>
  return %l : tensor<1x40xf32>
}
