// RUN: pi-opt %s --verify-roundtrip | FileCheck %s
// RUN: pi-opt %s --mlir-print-op-generic | pi-opt | FileCheck %s

pi.weight @w : tensor<2xf16> from <file = "a", offset = 0, bytes = 4, type = tensor<2xf16>, encoding = raw>

// Elementwise operators and contractions that share a form.
// CHECK-LABEL: func @unary
func.func @unary(%x: tensor<*xf16>) {
  // CHECK: onnx.Not %{{.*}} : (tensor<*xf16>) -> tensor<*xf16>
  %Not = onnx.Not %x : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Neg %{{.*}} : (tensor<*xf16>) -> tensor<*xf16>
  %Neg = onnx.Neg %x : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Abs %{{.*}} : (tensor<*xf16>) -> tensor<*xf16>
  %Abs = onnx.Abs %x : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Sqrt %{{.*}} : (tensor<*xf16>) -> tensor<*xf16>
  %Sqrt = onnx.Sqrt %x : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Reciprocal %{{.*}} : (tensor<*xf16>) -> tensor<*xf16>
  %Reciprocal = onnx.Reciprocal %x : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Sin %{{.*}} : (tensor<*xf16>) -> tensor<*xf16>
  %Sin = onnx.Sin %x : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Cos %{{.*}} : (tensor<*xf16>) -> tensor<*xf16>
  %Cos = onnx.Cos %x : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Relu %{{.*}} : (tensor<*xf16>) -> tensor<*xf16>
  %Relu = onnx.Relu %x : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Sigmoid %{{.*}} : (tensor<*xf16>) -> tensor<*xf16>
  %Sigmoid = onnx.Sigmoid %x : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Tanh %{{.*}} : (tensor<*xf16>) -> tensor<*xf16>
  %Tanh = onnx.Tanh %x : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Erf %{{.*}} : (tensor<*xf16>) -> tensor<*xf16>
  %Erf = onnx.Erf %x : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.IsNaN %{{.*}} : (tensor<*xf16>) -> tensor<*xf16>
  %IsNaN = onnx.IsNaN %x : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Identity %{{.*}} : (tensor<*xf16>) -> tensor<*xf16>
  %Identity = onnx.Identity %x : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Size %{{.*}} : (tensor<*xf16>) -> tensor<*xf16>
  %Size = onnx.Size %x : (tensor<*xf16>) -> tensor<*xf16>
  return
}

// CHECK-LABEL: func @binary
func.func @binary(%a: tensor<?x2xf32>, %b: tensor<2xf32>) {
  // CHECK: onnx.Add %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %Add = onnx.Add %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  // CHECK: onnx.Sub %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %Sub = onnx.Sub %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  // CHECK: onnx.Mul %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %Mul = onnx.Mul %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  // CHECK: onnx.Div %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %Div = onnx.Div %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  // CHECK: onnx.Mod %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %Mod = onnx.Mod %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  // CHECK: onnx.Pow %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %Pow = onnx.Pow %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  // CHECK: onnx.Max %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %Max = onnx.Max %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  // CHECK: onnx.Min %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %Min = onnx.Min %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  // CHECK: onnx.And %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %And = onnx.And %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  // CHECK: onnx.Or %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %Or = onnx.Or %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  // CHECK: onnx.Equal %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %Equal = onnx.Equal %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  // CHECK: onnx.Less %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %Less = onnx.Less %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  // CHECK: onnx.LessOrEqual %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %LessOrEqual = onnx.LessOrEqual %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  // CHECK: onnx.Greater %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %Greater = onnx.Greater %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  // CHECK: onnx.GreaterOrEqual %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %GreaterOrEqual = onnx.GreaterOrEqual %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  // CHECK: onnx.MatMul %{{.*}}, %{{.*}} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %MatMul = onnx.MatMul %a, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  return
}

// The others, each with its optional attributes.
// CHECK-LABEL: func @others
func.func @others(%x: tensor<*xf16>, %i: tensor<*xi64>, %c: tensor<*xi1>) {
  // CHECK: onnx.Constant dense<[1, -1]> : tensor<2xi64> : tensor<2xi64>
  %Constant = onnx.Constant dense<[1, -1]> : tensor<2xi64> : tensor<2xi64>
  // CHECK: onnx.Affine base [0, 3] slope [1, 0] : tensor<1x2xi64>
  %Affine = onnx.Affine base [0, 3] slope [1, 0] : tensor<1x2xi64>
  // CHECK: onnx.Weight @w : tensor<2xf16>
  %Weight = onnx.Weight @w : tensor<2xf16>
  // CHECK: onnx.Gelu %{{.*}} {approximate = "tanh"} : (tensor<*xf16>) -> tensor<*xf16>
  %Gelu = onnx.Gelu %x {approximate = "tanh"} : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Cast %{{.*}} : (tensor<*xf16>) -> tensor<*xf32>
  %Cast = onnx.Cast %x : (tensor<*xf16>) -> tensor<*xf32>
  // CHECK: onnx.Where %{{.*}}, %{{.*}}, %{{.*}} : (tensor<*xi1>, tensor<*xf16>, tensor<*xf16>) -> tensor<*xf16>
  %Where = onnx.Where %c, %x, %x : (tensor<*xi1>, tensor<*xf16>, tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Shape %{{.*}} {end = -1 : i64, start = 1 : i64} : (tensor<*xf16>) -> tensor<*xi64>
  %Shape = onnx.Shape %x {end = -1 : i64, start = 1 : i64} : (tensor<*xf16>) -> tensor<*xi64>
  // CHECK: onnx.Reshape %{{.*}}, %{{.*}} {allowzero = 1 : i64} : (tensor<*xf16>, tensor<*xi64>) -> tensor<*xf16>
  %Reshape = onnx.Reshape %x, %i {allowzero = 1 : i64} : (tensor<*xf16>, tensor<*xi64>) -> tensor<*xf16>
  // CHECK: onnx.Flatten %{{.*}} {axis = 2 : i64} : (tensor<*xf16>) -> tensor<*xf16>
  %Flatten = onnx.Flatten %x {axis = 2 : i64} : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Transpose %{{.*}} {perm = array<i64: 0, 2, 1>} : (tensor<*xf16>) -> tensor<*xf16>
  %Transpose = onnx.Transpose %x {perm = array<i64: 0, 2, 1>} : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Unsqueeze %{{.*}}, %{{.*}} : (tensor<*xf16>, tensor<*xi64>) -> tensor<*xf16>
  %Unsqueeze = onnx.Unsqueeze %x, %i : (tensor<*xf16>, tensor<*xi64>) -> tensor<*xf16>
  // CHECK: onnx.Squeeze %{{.*}} : (tensor<*xf16>) -> tensor<*xf16>
  %Squeeze = onnx.Squeeze %x : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Expand %{{.*}}, %{{.*}} : (tensor<*xf16>, tensor<*xi64>) -> tensor<*xf16>
  %Expand = onnx.Expand %x, %i : (tensor<*xf16>, tensor<*xi64>) -> tensor<*xf16>
  // CHECK: onnx.Concat %{{.*}}, %{{.*}} {axis = -1 : i64} : (tensor<*xf16>, tensor<*xf16>) -> tensor<*xf16>
  %Concat = onnx.Concat %x, %x {axis = -1 : i64} : (tensor<*xf16>, tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Split %{{.*}} {axis = 1 : i64} : (tensor<*xf16>) -> (tensor<*xf16>, tensor<*xf16>)
  %s:2 = onnx.Split %x {axis = 1 : i64} : (tensor<*xf16>) -> (tensor<*xf16>, tensor<*xf16>)
  // CHECK: onnx.Slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<*xf16>, tensor<*xi64>, tensor<*xi64>, tensor<*xi64>) -> tensor<*xf16>
  %Slice = onnx.Slice %x, %i, %i, %i {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<*xf16>, tensor<*xi64>, tensor<*xi64>, tensor<*xi64>) -> tensor<*xf16>
  // CHECK: onnx.Gather %{{.*}}, %{{.*}} {axis = 1 : i64} : (tensor<*xf16>, tensor<*xi64>) -> tensor<*xf16>
  %Gather = onnx.Gather %x, %i {axis = 1 : i64} : (tensor<*xf16>, tensor<*xi64>) -> tensor<*xf16>
  // CHECK: onnx.GatherND %{{.*}}, %{{.*}} {batch_dims = 1 : i64} : (tensor<*xf16>, tensor<*xi64>) -> tensor<*xf16>
  %GatherND = onnx.GatherND %x, %i {batch_dims = 1 : i64} : (tensor<*xf16>, tensor<*xi64>) -> tensor<*xf16>
  // CHECK: onnx.Range %{{.*}}, %{{.*}}, %{{.*}} : (tensor<*xi64>, tensor<*xi64>, tensor<*xi64>) -> tensor<*xi64>
  %Range = onnx.Range %i, %i, %i : (tensor<*xi64>, tensor<*xi64>, tensor<*xi64>) -> tensor<*xi64>
  // CHECK: onnx.ConstantOfShape %{{.*}} {value = dense<1.000000e+00> : tensor<1xf32>} : (tensor<*xi64>) -> tensor<*xf32>
  %ConstantOfShape = onnx.ConstantOfShape %i {value = dense<1.000000e+00> : tensor<1xf32>} : (tensor<*xi64>) -> tensor<*xf32>
  // CHECK: onnx.CumSum %{{.*}}, %{{.*}} {exclusive = 1 : i64} : (tensor<*xi64>, tensor<*xi64>) -> tensor<*xi64>
  %CumSum = onnx.CumSum %i, %i {exclusive = 1 : i64} : (tensor<*xi64>, tensor<*xi64>) -> tensor<*xi64>
  // CHECK: onnx.Trilu %{{.*}}, %{{.*}} {upper = 0 : i64} : (tensor<*xf16>, tensor<*xi64>) -> tensor<*xf16>
  %Trilu = onnx.Trilu %x, %i {upper = 0 : i64} : (tensor<*xf16>, tensor<*xi64>) -> tensor<*xf16>
  // CHECK: onnx.Gemm %{{.*}}, %{{.*}}, %{{.*}} {transB = 1 : i64} : (tensor<*xf16>, tensor<*xf16>, tensor<*xf16>) -> tensor<*xf16>
  %Gemm = onnx.Gemm %x, %x, %x {transB = 1 : i64} : (tensor<*xf16>, tensor<*xf16>, tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.Softmax %{{.*}} {axis = 1 : i64} : (tensor<*xf16>) -> tensor<*xf16>
  %Softmax = onnx.Softmax %x {axis = 1 : i64} : (tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.ReduceMean %{{.*}}, %{{.*}} {keepdims = 0 : i64} : (tensor<*xf16>, tensor<*xi64>) -> tensor<*xf16>
  %ReduceMean = onnx.ReduceMean %x, %i {keepdims = 0 : i64} : (tensor<*xf16>, tensor<*xi64>) -> tensor<*xf16>
  // CHECK: onnx.LayerNormalization %{{.*}}, %{{.*}}, %{{.*}} {epsilon = 5.000000e-01 : f32} : (tensor<*xf16>, tensor<*xf16>, tensor<*xf16>) -> tensor<*xf16>
  %LayerNormalization = onnx.LayerNormalization %x, %x, %x {epsilon = 5.000000e-01 : f32} : (tensor<*xf16>, tensor<*xf16>, tensor<*xf16>) -> tensor<*xf16>
  // CHECK: onnx.RMSNormalization %{{.*}}, %{{.*}} {axis = 2 : i64} : (tensor<*xf16>, tensor<*xf16>) -> tensor<*xf16>
  %RMSNormalization = onnx.RMSNormalization %x, %x {axis = 2 : i64} : (tensor<*xf16>, tensor<*xf16>) -> tensor<*xf16>
  return
}
