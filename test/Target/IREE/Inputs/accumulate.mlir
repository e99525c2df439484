func.func @main(%x: tensor<256x128xbf16>, %w: tensor<384x128xbf16>, %c: tensor<256x384xf32>) -> tensor<256x384xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %w : tensor<256x128xbf16>, tensor<384x128xbf16>) outs(%c : tensor<256x384xf32>) -> tensor<256x384xf32>
  return %r : tensor<256x384xf32>
}
