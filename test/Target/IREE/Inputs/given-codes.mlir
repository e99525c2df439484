// A weight that comes as FP8 codes and a scale, one as codes alone, a product of f16 by bf16, and codes as a result.
#m = affine_map<(m, n, k) -> (m, k)>
#n = affine_map<(m, n, k) -> (n, k)>
#r = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> ()>
func.func @main(%x: tensor<64x256xbf16>, %w: tensor<128x256xf8E4M3FN>, %s: tensor<f32>, %v: tensor<128x256xf8E5M2>, %h: tensor<64x256xf16>, %u: tensor<128x256xbf16>)
    -> (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x256xf8E4M3FN>) {
  %zero = arith.constant 0.0 : f32
  %ze = tensor.empty() : tensor<64x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%ze : tensor<64x128xf32>) -> tensor<64x128xf32>
  %e = tensor.empty() : tensor<128x256xbf16>
  %ws = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel"]} ins(%w, %s : tensor<128x256xf8E4M3FN>, tensor<f32>) outs(%e : tensor<128x256xbf16>) {
  ^bb0(%a: f8E4M3FN, %c: f32, %o: bf16):
    %0 = arith.extf %a : f8E4M3FN to f32
    %1 = arith.mulf %0, %c : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<128x256xbf16>
  %wide = arith.extf %v : tensor<128x256xf8E5M2> to tensor<128x256xbf16>
  %y0 = linalg.contract indexing_maps = [#m, #n, #r] ins(%x, %ws : tensor<64x256xbf16>, tensor<128x256xbf16>) outs(%z : tensor<64x128xf32>) -> tensor<64x128xf32>
  %y1 = linalg.contract indexing_maps = [#m, #n, #r] ins(%x, %wide : tensor<64x256xbf16>, tensor<128x256xbf16>) outs(%z : tensor<64x128xf32>) -> tensor<64x128xf32>
  %y2 = linalg.contract indexing_maps = [#m, #n, #r] ins(%h, %u : tensor<64x256xf16>, tensor<128x256xbf16>) outs(%z : tensor<64x128xf32>) -> tensor<64x128xf32>
  %codes = arith.truncf %x : tensor<64x256xbf16> to tensor<64x256xf8E4M3FN>
  return %y0, %y1, %y2, %codes : tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x256xf8E4M3FN>
}
