// A training step of a two-layer perceptron: loss = sum((relu(x w1^T) w2^T - y)^2) / 2 and the gradients of both weights.
// Sizes are odd on purpose: 7 rows, 33 inputs, 19 hidden, 5 outputs.

#id = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
func.func @main(%w1: tensor<19x33xbf16>, %w2: tensor<5x19xbf16>, %x: tensor<7x33xbf16>, %y: tensor<7x5xbf16>)
    -> (tensor<f32>, tensor<19x33xbf16>, tensor<5x19xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %e1 = tensor.empty() : tensor<33x19xbf16>
  %w1t = linalg.transpose ins(%w1 : tensor<19x33xbf16>) outs(%e1 : tensor<33x19xbf16>) permutation = [1, 0]
  %e2 = tensor.empty() : tensor<7x19xbf16>
  %i2 = linalg.fill ins(%zero : bf16) outs(%e2 : tensor<7x19xbf16>) -> tensor<7x19xbf16>
  %h = linalg.matmul ins(%x, %w1t : tensor<7x33xbf16>, tensor<33x19xbf16>) outs(%i2 : tensor<7x19xbf16>) -> tensor<7x19xbf16>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<7x19xbf16>) outs(%e2 : tensor<7x19xbf16>) {
  ^bb0(%v: bf16, %o: bf16):
    %r = arith.maximumf %v, %zero : bf16
    linalg.yield %r : bf16
  } -> tensor<7x19xbf16>
  %e3 = tensor.empty() : tensor<19x5xbf16>
  %w2t = linalg.transpose ins(%w2 : tensor<5x19xbf16>) outs(%e3 : tensor<19x5xbf16>) permutation = [1, 0]
  %e4 = tensor.empty() : tensor<7x5xbf16>
  %i4 = linalg.fill ins(%zero : bf16) outs(%e4 : tensor<7x5xbf16>) -> tensor<7x5xbf16>
  %p = linalg.matmul ins(%a, %w2t : tensor<7x19xbf16>, tensor<19x5xbf16>) outs(%i4 : tensor<7x5xbf16>) -> tensor<7x5xbf16>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : tensor<7x5xbf16>, tensor<7x5xbf16>) outs(%e4 : tensor<7x5xbf16>) {
  ^bb0(%v: bf16, %t: bf16, %o: bf16):
    %r = arith.subf %v, %t : bf16
    linalg.yield %r : bf16
  } -> tensor<7x5xbf16>
  %start = arith.constant dense<0.0> : tensor<f32>
  %loss = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]}
      ins(%d : tensor<7x5xbf16>) outs(%start : tensor<f32>) {
  ^bb0(%v: bf16, %sum: f32):
    %half = arith.constant 0.5 : f32
    %f = arith.extf %v : bf16 to f32
    %s = arith.mulf %f, %f : f32
    %m = arith.mulf %s, %half : f32
    %n = arith.addf %sum, %m : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  %e5 = tensor.empty() : tensor<5x7xbf16>
  %dt = linalg.transpose ins(%d : tensor<7x5xbf16>) outs(%e5 : tensor<5x7xbf16>) permutation = [1, 0]
  %e6 = tensor.empty() : tensor<5x19xbf16>
  %i6 = linalg.fill ins(%zero : bf16) outs(%e6 : tensor<5x19xbf16>) -> tensor<5x19xbf16>
  %g2 = linalg.matmul ins(%dt, %a : tensor<5x7xbf16>, tensor<7x19xbf16>) outs(%i6 : tensor<5x19xbf16>) -> tensor<5x19xbf16>
  %da = linalg.matmul ins(%d, %w2 : tensor<7x5xbf16>, tensor<5x19xbf16>) outs(%i2 : tensor<7x19xbf16>) -> tensor<7x19xbf16>
  %dh = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%da, %h : tensor<7x19xbf16>, tensor<7x19xbf16>) outs(%e2 : tensor<7x19xbf16>) {
  ^bb0(%v: bf16, %t: bf16, %o: bf16):
    %pos = arith.cmpf ogt, %t, %zero : bf16
    %r = arith.select %pos, %v, %zero : bf16
    linalg.yield %r : bf16
  } -> tensor<7x19xbf16>
  %e7 = tensor.empty() : tensor<19x7xbf16>
  %dht = linalg.transpose ins(%dh : tensor<7x19xbf16>) outs(%e7 : tensor<19x7xbf16>) permutation = [1, 0]
  %e8 = tensor.empty() : tensor<19x33xbf16>
  %i8 = linalg.fill ins(%zero : bf16) outs(%e8 : tensor<19x33xbf16>) -> tensor<19x33xbf16>
  %g1 = linalg.matmul ins(%dht, %x : tensor<19x7xbf16>, tensor<7x33xbf16>) outs(%i8 : tensor<19x33xbf16>) -> tensor<19x33xbf16>
  return %loss, %g1, %g2 : tensor<f32>, tensor<19x33xbf16>, tensor<5x19xbf16>
}
