// Each of linalg's named elementwise ops of floats, of which IREE knows none, and products of what two of them make.
func.func @main(%x: tensor<8x32xf32>, %w: tensor<16x32xf32>, %v: tensor<32x16xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<32x8xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %e = tensor.empty() : tensor<8x32xf32>
  %et = tensor.empty() : tensor<32x8xf32>
  %half = arith.constant dense<0.5> : tensor<8x32xf32>
  %sq = linalg.square ins(%x : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %p = linalg.add ins(%sq, %half : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %exp = linalg.exp ins(%x : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %log = linalg.log ins(%p : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %abs = linalg.abs ins(%x : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %ceil = linalg.ceil ins(%x : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %floor = linalg.floor ins(%x : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %negf = linalg.negf ins(%x : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %reciprocal = linalg.reciprocal ins(%p : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %round = linalg.round ins(%x : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %sqrt = linalg.sqrt ins(%p : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %rsqrt = linalg.rsqrt ins(%p : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %square = linalg.square ins(%x : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %tanh = linalg.tanh ins(%x : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %erf = linalg.erf ins(%x : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %add = linalg.add ins(%x, %p : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %sub = linalg.sub ins(%x, %p : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %mul = linalg.mul ins(%x, %p : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %div = linalg.div ins(%x, %p : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %max = linalg.max ins(%x, %p : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %min = linalg.min ins(%x, %p : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %powf = linalg.powf ins(%p, %half : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %below = linalg.elementwise kind=#linalg.elementwise_kind<sub> ins(%x, %p : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %m = arith.cmpf ogt, %x, %half : tensor<8x32xf32>
  %select = linalg.select ins(%m, %x, %p : tensor<8x32xi1>, tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %turned = linalg.elementwise kind=#linalg.elementwise_kind<exp> indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>] ins(%x : tensor<8x32xf32>) outs(%et : tensor<32x8xf32>) -> tensor<32x8xf32>
  %z = tensor.empty() : tensor<8x16xf32>
  %zero = arith.constant 0.0 : f32
  %from = linalg.fill ins(%zero : f32) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  %wt = tensor.empty() : tensor<32x16xf32>
  %turnedw = linalg.transpose ins(%w : tensor<16x32xf32>) outs(%wt : tensor<32x16xf32>) permutation = [1, 0]
  %y0 = linalg.matmul ins(%add, %turnedw : tensor<8x32xf32>, tensor<32x16xf32>) outs(%from : tensor<8x16xf32>) -> tensor<8x16xf32>
  %y1 = linalg.matmul ins(%tanh, %v : tensor<8x32xf32>, tensor<32x16xf32>) outs(%from : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %exp, %log, %abs, %ceil, %floor, %negf, %reciprocal, %round, %sqrt, %rsqrt, %square, %tanh, %erf, %add, %sub, %mul, %div, %max, %min, %powf, %below, %select, %turned, %y0, %y1 : tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<32x8xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}
