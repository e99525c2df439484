// One token against a cache of 20: products of one row, in batches and not.
#h = affine_map<(b, m, n, k) -> (b, m, k)>
#c = affine_map<(b, m, n, k) -> (b, n, k)>
#s = affine_map<(b, m, n, k) -> (b, m, n)>
#id = affine_map<(b, m, n) -> (b, m, n)>
func.func @main(%q: tensor<8x1x64xbf16>, %keys: tensor<8x20x64xbf16>, %values: tensor<8x64x20xbf16>, %w: tensor<17x512xbf16>) -> (tensor<8x1x20xf32>, tensor<1x17xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x1x20xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x1x20xf32>) -> tensor<8x1x20xf32>
  %score = linalg.contract indexing_maps = [#h, #c, #s] ins(%q, %keys : tensor<8x1x64xbf16>, tensor<8x20x64xbf16>) outs(%z : tensor<8x1x20xf32>) -> tensor<8x1x20xf32>
  %p = linalg.softmax dimension(2) ins(%score : tensor<8x1x20xf32>) outs(%e : tensor<8x1x20xf32>) -> tensor<8x1x20xf32>
  %pe = tensor.empty() : tensor<8x1x20xbf16>
  %pb = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<8x1x20xf32>) outs(%pe : tensor<8x1x20xbf16>) {
  ^bb0(%a: f32, %b: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x1x20xbf16>
  %ve = tensor.empty() : tensor<8x1x64xf32>
  %vz = linalg.fill ins(%zero : f32) outs(%ve : tensor<8x1x64xf32>) -> tensor<8x1x64xf32>
  %v = linalg.contract indexing_maps = [#h, #c, #s] ins(%pb, %values : tensor<8x1x20xbf16>, tensor<8x64x20xbf16>) outs(%vz : tensor<8x1x64xf32>) -> tensor<8x1x64xf32>
  %ae = tensor.empty() : tensor<8x1x64xbf16>
  %ab = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v : tensor<8x1x64xf32>) outs(%ae : tensor<8x1x64xbf16>) {
  ^bb0(%a: f32, %b: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x1x64xbf16>
  %row = tensor.collapse_shape %ab [[0, 1, 2]] : tensor<8x1x64xbf16> into tensor<512xbf16>
  %x = tensor.expand_shape %row [[0, 1]] output_shape [1, 512] : tensor<512xbf16> into tensor<1x512xbf16>
  %te = tensor.empty() : tensor<512x17xbf16>
  %wt = linalg.transpose ins(%w : tensor<17x512xbf16>) outs(%te : tensor<512x17xbf16>) permutation = [1, 0]
  %oe = tensor.empty() : tensor<1x17xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x17xf32>) -> tensor<1x17xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<1x512xbf16>, tensor<512x17xbf16>) outs(%oz : tensor<1x17xf32>) -> tensor<1x17xf32>
  return %score, %y : tensor<8x1x20xf32>, tensor<1x17xf32>
}
