// RUN: pi-opt --pi-raise-transformer-blocks --split-input-file --verify-diagnostics %s | FileCheck %s

// Decomposed RMS norm with a reciprocal, the weight on the right; gated block with the
// active half on the right.
// CHECK-LABEL: func.func @decode
// CHECK: %[[X:.*]] = llm.embed %arg0 at %arg1 table @embed : tensor<1x4xf32>
// CHECK: %[[N:.*]] = llm.norm <rms> %[[X]] weight @layers.0.ffn_norm eps
// CHECK: %[[F:.*]] = llm.ffn <relu> %[[N]] gate @layers.0.gate up @layers.0.up down @layers.0.down
// CHECK: %[[H:.*]] = llm.add %[[F]], %[[X]]
// CHECK: %[[L:.*]] = llm.norm <layer> %[[H]] weight @final_norm bias @final_norm_bias eps
// CHECK: llm.logits %[[L]] head @head
module attributes {pi.model = #pi.model<family = "", positions = 8, capacity = 8, bos = 1, eos = [2], tokenizer = "t", exact = true>} {
  pi.weight @e : tensor<6x4xf16> from <file = "m", offset = 0, bytes = 48, type = tensor<6x4xf16>, encoding = raw>
  pi.weight @n : tensor<4xf32> from <file = "m", offset = 48, bytes = 8, type = tensor<4xf16>, encoding = raw>
  pi.weight @g : tensor<4x8xf16> from <file = "m", offset = 56, bytes = 64, type = tensor<4x8xf16>, encoding = raw>
  pi.weight @d : tensor<8x4xf16> from <file = "m", offset = 120, bytes = 64, type = tensor<8x4xf16>, encoding = raw>
  pi.weight @h : tensor<4x6xf16> from <file = "m", offset = 184, bytes = 48, type = tensor<4x6xf16>, encoding = raw>
  func.func @main(%ids: tensor<1x1xi64> {onnx.name = "input_ids"}, %past: tensor<1x1x?x4xf32> {onnx.name = "past_0_k"}) -> tensor<1x1x6xf32> {
    %e = onnx.Weight @e : tensor<6x4xf16>
    %n = onnx.Weight @n : tensor<4xf32>
    %g = onnx.Weight @g : tensor<4x8xf16>
    %d = onnx.Weight @d : tensor<8x4xf16>
    %h = onnx.Weight @h : tensor<4x6xf16>
    %two = onnx.Constant dense<2.0> : tensor<f32> : tensor<f32>
    %eps = onnx.Constant dense<1.0e-5> : tensor<f32> : tensor<f32>
    %last = onnx.Constant dense<-1> : tensor<1xi64> : tensor<1xi64>
    %x = onnx.Gather %e, %ids : (tensor<6x4xf16>, tensor<1x1xi64>) -> tensor<1x1x4xf32>
    %sq = onnx.Mul %x, %x : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
    %m = onnx.ReduceMean %sq, %last : (tensor<1x1x4xf32>, tensor<1xi64>) -> tensor<1x1x1xf32>
    %me = onnx.Add %eps, %m : (tensor<f32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %rt = onnx.Sqrt %me : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %inv = onnx.Reciprocal %rt : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %xn = onnx.Mul %inv, %x : (tensor<1x1x1xf32>, tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
    %xw = onnx.Mul %xn, %n : (tensor<1x1x4xf32>, tensor<4xf32>) -> tensor<1x1x4xf32>
    %gate = onnx.MatMul %xw, %g : (tensor<1x1x4xf32>, tensor<4x8xf16>) -> tensor<1x1x8xf32>
    %act = onnx.Relu %gate : (tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
    %up = onnx.MatMul %xw, %g : (tensor<1x1x4xf32>, tensor<4x8xf16>) -> tensor<1x1x8xf32>
    %a = onnx.Mul %up, %act : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
    %f = onnx.MatMul %a, %d : (tensor<1x1x8xf32>, tensor<8x4xf16>) -> tensor<1x1x4xf32>
    %r = onnx.Add %f, %x : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
    // Layer norm, written out.
    %mean = onnx.ReduceMean %r, %last : (tensor<1x1x4xf32>, tensor<1xi64>) -> tensor<1x1x1xf32>
    %c = onnx.Sub %r, %mean : (tensor<1x1x4xf32>, tensor<1x1x1xf32>) -> tensor<1x1x4xf32>
    %c2 = onnx.Pow %c, %two : (tensor<1x1x4xf32>, tensor<f32>) -> tensor<1x1x4xf32>
    %v = onnx.ReduceMean %c2, %last : (tensor<1x1x4xf32>, tensor<1xi64>) -> tensor<1x1x1xf32>
    %ve = onnx.Add %v, %eps : (tensor<1x1x1xf32>, tensor<f32>) -> tensor<1x1x1xf32>
    %sd = onnx.Sqrt %ve : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %z = onnx.Div %c, %sd : (tensor<1x1x4xf32>, tensor<1x1x1xf32>) -> tensor<1x1x4xf32>
    %zw = onnx.Mul %n, %z : (tensor<4xf32>, tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
    %zb = onnx.Add %zw, %n : (tensor<1x1x4xf32>, tensor<4xf32>) -> tensor<1x1x4xf32>
    %l = onnx.MatMul %zb, %h : (tensor<1x1x4xf32>, tensor<4x6xf16>) -> tensor<1x1x6xf32>
    return %l : tensor<1x1x6xf32>
  }
}

// -----

// What is no block is an error at its node.
module attributes {pi.model = #pi.model<family = "", positions = 8, capacity = 8, bos = 1, eos = [2], tokenizer = "t", exact = true>} {
  pi.weight @e : tensor<6x4xf16> from <file = "m", offset = 0, bytes = 48, type = tensor<6x4xf16>, encoding = raw>
  pi.weight @h : tensor<4x6xf16> from <file = "m", offset = 184, bytes = 48, type = tensor<4x6xf16>, encoding = raw>
  func.func @main(%ids: tensor<1x1xi64> {onnx.name = "input_ids"}, %past: tensor<1x1x?x4xf32> {onnx.name = "past_0_k"}) -> tensor<1x1x6xf32> {
    %e = onnx.Weight @e : tensor<6x4xf16>
    %h = onnx.Weight @h : tensor<4x6xf16>
    %x = onnx.Gather %e, %ids : (tensor<6x4xf16>, tensor<1x1xi64>) -> tensor<1x1x4xf32>
    // expected-error @+2 {{not part of a block that is known here: Tanh}}
    // expected-note @+1 {{known are embeddings, norms}}
    %t = onnx.Tanh %x : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
    %l = onnx.MatMul %t, %h : (tensor<1x1x4xf32>, tensor<4x6xf16>) -> tensor<1x1x6xf32>
    return %l : tensor<1x1x6xf32>
  }
}

// -----

// expected-error @+1 {{needs a function @main and the attribute pi.model}}
module {}
