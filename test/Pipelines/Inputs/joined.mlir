// y = x [w1 w2]^T, z = y [m1 m2]^T with masters in f32, and the gradients of x, by dz.
#nk = affine_map<(m, n, k) -> (n, k)>
#mk = affine_map<(m, n, k) -> (m, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<32x64xbf16>, %w1: tensor<32x64xbf16>, %w2: tensor<32x64xbf16>, %m1: tensor<32x64xf32>,
                %m2: tensor<64x64xf32>, %dz: tensor<32x96xbf16>)
    -> (tensor<32x96xbf16>, tensor<32x64xbf16>, tensor<64x64xf32>, tensor<96x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %w = tensor.concat dim(0) %w1, %w2 : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<64x64xbf16>
  %m = tensor.concat dim(0) %m1, %m2 : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<96x64xf32>
  %v = arith.truncf %m : tensor<96x64xf32> to tensor<96x64xbf16>
  %e64 = tensor.empty() : tensor<32x64xf32>
  %f64 = linalg.fill ins(%zero : f32) outs(%e64 : tensor<32x64xf32>) -> tensor<32x64xf32>
  %e96 = tensor.empty() : tensor<32x96xf32>
  %f96 = linalg.fill ins(%zero : f32) outs(%e96 : tensor<32x96xf32>) -> tensor<32x96xf32>
  %y0 = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%x, %w : tensor<32x64xbf16>, tensor<64x64xbf16>)
      outs(%f64 : tensor<32x64xf32>) -> tensor<32x64xf32>
  %y1 = math.tanh %y0 : tensor<32x64xf32>
  %y = arith.truncf %y1 : tensor<32x64xf32> to tensor<32x64xbf16>
  %z0 = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%y, %v : tensor<32x64xbf16>, tensor<96x64xbf16>)
      outs(%f96 : tensor<32x96xf32>) -> tensor<32x96xf32>
  %z = arith.truncf %z0 : tensor<32x96xf32> to tensor<32x96xbf16>
  %dy0 = linalg.matmul ins(%dz, %v : tensor<32x96xbf16>, tensor<96x64xbf16>) outs(%f64 : tensor<32x64xf32>) -> tensor<32x64xf32>
  %e9664 = tensor.empty() : tensor<96x64xf32>
  %f9664 = linalg.fill ins(%zero : f32) outs(%e9664 : tensor<96x64xf32>) -> tensor<96x64xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, #mn]
      ins(%dz, %y : tensor<32x96xbf16>, tensor<32x64xbf16>) outs(%f9664 : tensor<96x64xf32>) -> tensor<96x64xf32>
  %one = arith.constant dense<1.0> : tensor<32x64xf32>
  %yy = arith.mulf %y1, %y1 : tensor<32x64xf32>
  %slope = arith.subf %one, %yy : tensor<32x64xf32>
  %du0 = arith.mulf %dy0, %slope : tensor<32x64xf32>
  %du = arith.truncf %du0 : tensor<32x64xf32> to tensor<32x64xbf16>
  %dx0 = linalg.matmul ins(%du, %w : tensor<32x64xbf16>, tensor<64x64xbf16>) outs(%f64 : tensor<32x64xf32>) -> tensor<32x64xf32>
  %dx = arith.truncf %dx0 : tensor<32x64xf32> to tensor<32x64xbf16>
  %e6464 = tensor.empty() : tensor<64x64xf32>
  %f6464 = linalg.fill ins(%zero : f32) outs(%e6464 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %dw = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, #mn]
      ins(%du, %x : tensor<32x64xbf16>, tensor<32x64xbf16>) outs(%f6464 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %z, %dx, %dw, %dv : tensor<32x96xbf16>, tensor<32x64xbf16>, tensor<64x64xf32>, tensor<96x64xf32>
}
