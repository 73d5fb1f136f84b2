// RUN: pi-opt --pi-onnx-freeze-shapes --split-input-file --verify-diagnostics %s

// expected-error @+2 {{the graph has no past inputs (no KV cache)}}
// expected-note @+1 {{export it with past keys and values}}
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"}) -> tensor<?x?xi64> {
  return %ids : tensor<?x?xi64>
}

// -----

// expected-error @+2 {{the sequence length is fixed at 16 in this file (input 'input_ids', dimension 1)}}
// expected-note @+1 {{export with dynamic axes}}
func.func @main(%ids: tensor<?x16xi64> {onnx.name = "input_ids"},
                %past: tensor<?x2x?x4xf16> {onnx.name = "past_0_k"}) -> tensor<?x16xi64> {
  return %ids : tensor<?x16xi64>
}

// -----

// expected-error @+2 {{input 'banana' has no known role}}
// expected-note @+1 {{known are input_ids}}
func.func @main(%x: tensor<?x?xi64> {onnx.name = "banana"},
                %past: tensor<?x2x?x4xf16> {onnx.name = "past_0_k"}) -> tensor<?x?xi64> {
  return %x : tensor<?x?xi64>
}

// -----

// All nodes whose shape cannot be found are reported in one run.
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"},
                %past: tensor<?x2x?x4xf16> {onnx.name = "past_0_k"}) -> (tensor<*xf16>, tensor<*xf16>) {
  %s = onnx.Constant dense<[5, 7]> : tensor<2xi64> : tensor<2xi64>
  // expected-error @+1 {{shape cannot be determined for one token at a time: the target shape has another number of elements}}
  %a = onnx.Reshape %past, %s : (tensor<?x2x?x4xf16>, tensor<2xi64>) -> tensor<*xf16>
  // expected-error @+1 {{shape cannot be determined for one token at a time: inner dimensions differ}}
  %b = onnx.MatMul %past, %past : (tensor<?x2x?x4xf16>, tensor<?x2x?x4xf16>) -> tensor<*xf16>
  return %a, %b : tensor<*xf16>, tensor<*xf16>
}

// -----

// A mask that hides something depends on P and cannot be folded away.
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"},
                %past: tensor<?x2x?x4xf16> {onnx.name = "past_0_k"}) -> tensor<*xf16> {
  %shape = onnx.Shape %past : (tensor<?x2x?x4xf16>) -> tensor<*xi64>
  // expected-error @+1 {{grows with the past, and is still used}}
  %zeros = onnx.ConstantOfShape %shape {value = dense<1.0> : tensor<1xf16>} : (tensor<*xi64>) -> tensor<*xf16>
  // expected-note @+1 {{used here}}
  %y = onnx.Add %past, %zeros : (tensor<?x2x?x4xf16>, tensor<*xf16>) -> tensor<*xf16>
  return %y : tensor<*xf16>
}

// -----

// expected-error @+1 {{has no function @main to freeze}}
module {}

// -----

// expected-error @+2 {{heads and head_dim of past input 'past_0_k' must be fixed numbers of at least 1}}
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"},
                %past: tensor<?x0x?x4xf16> {onnx.name = "past_0_k"}) -> tensor<?x?xi64> {
  return %ids : tensor<?x?xi64>
}
