func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %g = tensor.generate {
  ^bb0(%i: index, %j: index):
    %e = tensor.extract %x[%i, %j] : tensor<4x8xf32>
    %m = math.erf %e : f32
    tensor.yield %m : f32
  } : tensor<4x8xf32>
  %z = arith.constant dense<0.0> : tensor<4x8xf32>
  %y = linalg.matmul ins(%g, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
