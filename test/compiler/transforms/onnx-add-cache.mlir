// RUN: pi-opt --pi-onnx-add-cache --split-input-file --verify-diagnostics %s | FileCheck %s

// Keys and values of an attention are joined to new inputs; a range over the sequence is
// the position; one over something else stays.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[PK:arg[0-9]+]]: tensor<1x1x?x4xf16> {onnx.name = "past_0_k"}
// CHECK-SAME: %[[PV:arg[0-9]+]]: tensor<1x1x?x4xf16> {onnx.name = "past_0_v"}
// CHECK: onnx.Affine base [0] slope [1] : tensor<1xi64>
// CHECK: onnx.Range
// CHECK: %[[V:[0-9]+]] = onnx.Concat %[[PV]], %{{.*}} {axis = 2 : i64}
// CHECK: %[[K:[0-9]+]] = onnx.Transpose %{{.*}} -> tensor<1x1x1x4xf16>
// CHECK: %[[C:[0-9]+]] = onnx.Concat %[[PK]], %[[K]] {axis = 2 : i64}
// CHECK: %[[T:[0-9]+]] = onnx.Transpose %[[C]]
// CHECK: onnx.MatMul %{{.*}}, %[[T]]
// CHECK: onnx.MatMul %{{.*}}, %[[V]]
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"}) -> (tensor<*xf16>, tensor<*xi64>, tensor<*xi64>) {
  %shape = onnx.Shape %ids : (tensor<?x?xi64>) -> tensor<*xi64>
  %zero = onnx.Constant dense<0> : tensor<i64> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64> : tensor<i64>
  %s = onnx.Gather %shape, %one : (tensor<*xi64>, tensor<i64>) -> tensor<*xi64>
  %positions = onnx.Range %zero, %s, %one : (tensor<i64>, tensor<*xi64>, tensor<i64>) -> tensor<*xi64>
  %three = onnx.Constant dense<3> : tensor<i64> : tensor<i64>
  %other = onnx.Range %zero, %three, %one : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<*xi64>
  %e = onnx.Constant dense<1.0> : tensor<6x4xf16> : tensor<6x4xf16>
  %axis = onnx.Constant dense<1> : tensor<1xi64> : tensor<1xi64>
  %x3 = onnx.Gather %e, %ids : (tensor<6x4xf16>, tensor<?x?xi64>) -> tensor<*xf16>
  %x = onnx.Unsqueeze %x3, %axis : (tensor<*xf16>, tensor<1xi64>) -> tensor<*xf16>
  %k = onnx.Transpose %x {perm = array<i64: 0, 1, 3, 2>} : (tensor<*xf16>) -> tensor<*xf16>
  %scores = onnx.MatMul %x, %k : (tensor<*xf16>, tensor<*xf16>) -> tensor<*xf16>
  %p = onnx.Softmax %scores : (tensor<*xf16>) -> tensor<*xf16>
  %o = onnx.MatMul %p, %x : (tensor<*xf16>, tensor<*xf16>) -> tensor<*xf16>
  return %o, %positions, %other : tensor<*xf16>, tensor<*xi64>, tensor<*xi64>
}

// -----

// With past inputs nothing changes.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: return
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"},
                %past: tensor<?x2x?x4xf16> {onnx.name = "past_0_k"}) -> tensor<?x?xi64> {
  return %ids : tensor<?x?xi64>
}

// -----

// A sliding window hides a part of the past.
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"}) -> tensor<*xi1> {
  %shape = onnx.Shape %ids : (tensor<?x?xi64>) -> tensor<*xi64>
  %zero = onnx.Constant dense<0> : tensor<i64> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64> : tensor<i64>
  %axis = onnx.Constant dense<1> : tensor<1xi64> : tensor<1xi64>
  %window = onnx.Constant dense<16> : tensor<i64> : tensor<i64>
  %s = onnx.Gather %shape, %one : (tensor<*xi64>, tensor<i64>) -> tensor<*xi64>
  %columns = onnx.Range %zero, %s, %one : (tensor<i64>, tensor<*xi64>, tensor<i64>) -> tensor<*xi64>
  %rows = onnx.Unsqueeze %columns, %axis : (tensor<*xi64>, tensor<1xi64>) -> tensor<*xi64>
  %first = onnx.Sub %rows, %window : (tensor<*xi64>, tensor<i64>) -> tensor<*xi64>
  %causal = onnx.LessOrEqual %columns, %rows : (tensor<*xi64>, tensor<*xi64>) -> tensor<*xi1>
  // expected-error @+2 {{compares positions such that the last token does not see the whole past}}
  // expected-note @+1 {{sliding windows}}
  %near = onnx.Greater %columns, %first : (tensor<*xi64>, tensor<*xi64>) -> tensor<*xi1>
  %both = onnx.And %causal, %near : (tensor<*xi1>, tensor<*xi1>) -> tensor<*xi1>
  return %both : tensor<*xi1>
}

// -----

// expected-error @+2 {{the graph has no past inputs (no KV cache), and no attention}}
// expected-note @+1 {{export it with past keys and values}}
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"}) -> tensor<?x?xi64> {
  return %ids : tensor<?x?xi64>
}
