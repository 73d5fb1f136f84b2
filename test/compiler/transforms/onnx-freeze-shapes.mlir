// RUN: pi-opt --pi-onnx-freeze-shapes --split-input-file %s | FileCheck %s

// Shape arithmetic folds; a Reshape to the same shape vanishes; casts between floats go.
// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<1x2x?x4xf32>
// CHECK-NEXT: %[[R:.*]] = onnx.Relu %arg1 : (tensor<1x2x?x4xf32>) -> tensor<1x2x?x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"},
                %past: tensor<?x2x?x4xf16> {onnx.name = "past_0_k"}) -> tensor<*xf16> {
  %s = onnx.Shape %past : (tensor<?x2x?x4xf16>) -> tensor<*xi64>
  %c = onnx.Cast %past : (tensor<?x2x?x4xf16>) -> tensor<*xf32>
  %r = onnx.Reshape %c, %s : (tensor<*xf32>, tensor<*xi64>) -> tensor<*xf32>
  %y = onnx.Relu %r : (tensor<*xf32>) -> tensor<*xf16>
  return %y : tensor<*xf16>
}

// -----

// A causal mask over the past is all true for the last token, whatever P: Where, the
// added mask and all that made it vanish.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[S:.*]] = onnx.Softmax %arg1
// CHECK-NEXT: return %[[S]]
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"},
                %past: tensor<?x2x?x4xf16> {onnx.name = "past_0_k"},
                %mask: tensor<?x?xi64> {onnx.name = "attention_mask"}) -> tensor<*xf16> {
  %shape = onnx.Shape %past : (tensor<?x2x?x4xf16>) -> tensor<*xi64>
  %two = onnx.Constant dense<2> : tensor<i64> : tensor<i64>
  %zero = onnx.Constant dense<0> : tensor<i64> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64> : tensor<i64>
  %p = onnx.Gather %shape, %two {axis = 0 : i64} : (tensor<*xi64>, tensor<i64>) -> tensor<*xi64>
  // Columns 0 .. P - 1 against row P.
  %columns = onnx.Range %zero, %p, %one : (tensor<i64>, tensor<*xi64>, tensor<i64>) -> tensor<*xi64>
  %axes = onnx.Constant dense<1> : tensor<1xi64> : tensor<1xi64>
  %row = onnx.Unsqueeze %columns, %axes : (tensor<*xi64>, tensor<1xi64>) -> tensor<*xi64>
  %seen = onnx.LessOrEqual %row, %p : (tensor<*xi64>, tensor<*xi64>) -> tensor<*xi1>
  %no = onnx.Constant dense<0.0> : tensor<f16> : tensor<f16>
  %far = onnx.Constant dense<-65504.0> : tensor<f16> : tensor<f16>
  %bias = onnx.Where %seen, %no, %far : (tensor<*xi1>, tensor<f16>, tensor<f16>) -> tensor<*xf16>
  %sum = onnx.Add %past, %bias : (tensor<?x2x?x4xf16>, tensor<*xf16>) -> tensor<*xf16>
  %y = onnx.Softmax %sum {axis = -1 : i64} : (tensor<*xf16>) -> tensor<*xf16>
  return %y : tensor<*xf16>
}

// -----

// Positions from the mask (cumsum - 1), as OPT exports have them, are affine in P.
// CHECK-LABEL: func.func @main
// CHECK: %[[P:.*]] = onnx.Affine base [2] slope [1] : tensor<1x1xi64>
// CHECK-NEXT: return %[[P]]
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"},
                %past: tensor<?x2x?x4xf16> {onnx.name = "past_0_k"},
                %mask: tensor<?x?xi64> {onnx.name = "attention_mask"}) -> tensor<*xi64> {
  %axis = onnx.Constant dense<1> : tensor<i64> : tensor<i64>
  %sum = onnx.CumSum %mask, %axis : (tensor<?x?xi64>, tensor<i64>) -> tensor<*xi64>
  %one = onnx.Constant dense<1> : tensor<i64> : tensor<i64>
  %pos = onnx.Sub %sum, %one : (tensor<*xi64>, tensor<i64>) -> tensor<*xi64>
  %start = onnx.Constant dense<-1> : tensor<1xi64> : tensor<1xi64>
  %end = onnx.Constant dense<9223372036854775807> : tensor<1xi64> : tensor<1xi64>
  %axes = onnx.Constant dense<1> : tensor<1xi64> : tensor<1xi64>
  %last = onnx.Slice %pos, %start, %end, %axes
      {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}
      : (tensor<*xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xi64>
  %two = onnx.Constant dense<2> : tensor<i64> : tensor<i64>
  %row = onnx.Add %last, %two : (tensor<*xi64>, tensor<i64>) -> tensor<*xi64>
  return %row : tensor<*xi64>
}

// -----

// Where(IsNaN(x), 0, x) is x; x * 1 is x.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[S:.*]] = onnx.Softmax
// CHECK-NEXT: return %[[S]]
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"},
                %past: tensor<?x2x?x4xf16> {onnx.name = "past_0_k"}) -> tensor<*xf16> {
  %s = onnx.Softmax %past {axis = -1 : i64} : (tensor<?x2x?x4xf16>) -> tensor<*xf16>
  %n = onnx.IsNaN %s : (tensor<*xf16>) -> tensor<*xi1>
  %zero = onnx.Constant dense<0.0> : tensor<f16> : tensor<f16>
  %one = onnx.Constant dense<1.0> : tensor<f16> : tensor<f16>
  %w = onnx.Where %n, %zero, %s : (tensor<*xi1>, tensor<f16>, tensor<*xf16>) -> tensor<*xf16>
  %y = onnx.Mul %one, %w : (tensor<f16>, tensor<*xf16>) -> tensor<*xf16>
  return %y : tensor<*xf16>
}

// -----

// The mask of older OPT exports: zeros for the past joined with zeros for the token, added,
// and lifted from -inf to the lowest number of f16. All of it vanishes.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[S:.*]] = onnx.Softmax %arg1
// CHECK-NEXT: return %[[S]]
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"},
                %past: tensor<?x2x?x4xf16> {onnx.name = "past_0_k"}) -> tensor<*xf16> {
  %shape = onnx.Shape %past : (tensor<?x2x?x4xf16>) -> tensor<*xi64>
  %two = onnx.Constant dense<2> : tensor<1xi64> : tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64> : tensor<1xi64>
  %p = onnx.Gather %shape, %two {axis = 0 : i64} : (tensor<*xi64>, tensor<1xi64>) -> tensor<*xi64>
  %cached = onnx.ConstantOfShape %p {value = dense<0.0> : tensor<1xf16>} : (tensor<*xi64>) -> tensor<*xf16>
  %no = onnx.Constant dense<0.0> : tensor<1xf16> : tensor<1xf16>
  %all = onnx.Concat %cached, %no {axis = 0 : i64} : (tensor<*xf16>, tensor<1xf16>) -> tensor<*xf16>
  %end = onnx.Constant dense<9223372036854775807> : tensor<1xi64> : tensor<1xi64>
  %row = onnx.Slice %all, %one, %end {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}
      : (tensor<*xf16>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf16>
  %rows = onnx.Unsqueeze %row, %one : (tensor<*xf16>, tensor<1xi64>) -> tensor<*xf16>
  %sum = onnx.Add %past, %rows : (tensor<?x2x?x4xf16>, tensor<*xf16>) -> tensor<*xf16>
  %far = onnx.Constant dense<-65504.0> : tensor<f16> : tensor<f16>
  %lifted = onnx.Max %sum, %far : (tensor<*xf16>, tensor<f16>) -> tensor<*xf16>
  %y = onnx.Softmax %lifted {axis = -1 : i64} : (tensor<*xf16>) -> tensor<*xf16>
  return %y : tensor<*xf16>
}

// -----

// A Max with another bound stays: it changes numbers.
// CHECK-LABEL: func.func @main
// CHECK: onnx.Max
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"},
                %past: tensor<?x2x?x4xf16> {onnx.name = "past_0_k"}) -> tensor<*xf16> {
  %low = onnx.Constant dense<-100.0> : tensor<f16> : tensor<f16>
  %y = onnx.Max %past, %low : (tensor<?x2x?x4xf16>, tensor<f16>) -> tensor<*xf16>
  return %y : tensor<*xf16>
}

// -----

// The mask of older LLaMA exports: a triangle of the lowest number, times whether a column
// lies behind the position. Nothing does.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[S:.*]] = onnx.Softmax %arg1
// CHECK-NEXT: return %[[S]]
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"},
                %past: tensor<?x2x?x4xf16> {onnx.name = "past_0_k"},
                %pos: tensor<?xi64> {onnx.name = "cache_position"}) -> tensor<*xf16> {
  %shape = onnx.Shape %past : (tensor<?x2x?x4xf16>) -> tensor<*xi64>
  %two = onnx.Constant dense<2> : tensor<1xi64> : tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64> : tensor<1xi64>
  %p = onnx.Gather %shape, %two {axis = 0 : i64} : (tensor<*xi64>, tensor<1xi64>) -> tensor<*xi64>
  %dims = onnx.Concat %p, %one {axis = 0 : i64} : (tensor<*xi64>, tensor<1xi64>) -> tensor<*xi64>
  %full = onnx.ConstantOfShape %dims {value = dense<-65504.0> : tensor<1xf16>} : (tensor<*xi64>) -> tensor<*xf16>
  %diagonal = onnx.Constant dense<1> : tensor<i64> : tensor<i64>
  %upper = onnx.Trilu %full, %diagonal : (tensor<*xf16>, tensor<i64>) -> tensor<*xf16>
  %zero = onnx.Constant dense<0> : tensor<i64> : tensor<i64>
  %scalar = onnx.Squeeze %p : (tensor<*xi64>) -> tensor<*xi64>
  %columns = onnx.Range %zero, %scalar, %diagonal : (tensor<i64>, tensor<*xi64>, tensor<i64>) -> tensor<*xi64>
  %column = onnx.Unsqueeze %columns, %one : (tensor<*xi64>, tensor<1xi64>) -> tensor<*xi64>
  %behind = onnx.Greater %column, %pos : (tensor<*xi64>, tensor<?xi64>) -> tensor<*xi1>
  %number = onnx.Cast %behind : (tensor<*xi1>) -> tensor<*xf16>
  %bias = onnx.Mul %upper, %number : (tensor<*xf16>, tensor<*xf16>) -> tensor<*xf16>
  %sum = onnx.Add %past, %bias : (tensor<?x2x?x4xf16>, tensor<*xf16>) -> tensor<*xf16>
  %y = onnx.Softmax %sum {axis = -1 : i64} : (tensor<*xf16>) -> tensor<*xf16>
  return %y : tensor<*xf16>
}

// -----

// In f32 there are numbers below f16's lowest: this Max changes them and stays.
// CHECK-LABEL: func.func @main
// CHECK: onnx.Max
func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids"},
                %past: tensor<?x2x?x4xf32> {onnx.name = "past_0_k"}) -> tensor<*xf32> {
  %low = onnx.Constant dense<-65504.0> : tensor<f32> : tensor<f32>
  %r = onnx.Max %past, %low : (tensor<?x2x?x4xf32>, tensor<f32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}
