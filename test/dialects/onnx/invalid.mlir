// RUN: pi-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{result must be a tensor of i64, got 'tensor<1xi32>'}}
%0 = onnx.Affine base [0] slope [1] : tensor<1xi32>

// -----

// expected-error @+1 {{base and slope must have 2 elements each}}
%0 = onnx.Affine base [0, 1] slope [1] : tensor<2xi64>

// -----

func.func @f() -> tensor<2xf32> {
  // expected-error @+1 {{names no pi.weight: @w}}
  %0 = onnx.Weight @w : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

pi.weight @w : tensor<2xf32> from <file = "a", offset = 0, bytes = 8, type = tensor<2xf32>, encoding = raw>
func.func @f() -> tensor<3xf32> {
  // expected-error @+1 {{type 'tensor<3xf32>' differs from the weight's 'tensor<2xf32>'}}
  %0 = onnx.Weight @w : tensor<3xf32>
  return %0 : tensor<3xf32>
}
