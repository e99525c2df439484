// One token as a vector: forward, dgrad and wgrad of a linear layer.
#m = affine_map<(m, n, k) -> (m, k)>
#n = affine_map<(m, n, k) -> (n, k)>
#r = affine_map<(m, n, k) -> (m, n)>
#v = affine_map<(i) -> (i)>
#all = affine_map<(i) -> ()>
func.func @main(%v: tensor<64xbf16>, %w: tensor<48x64xbf16>) -> (tensor<f32>, tensor<64xbf16>, tensor<48x64xbf16>) {
  %zero = arith.constant 0.0 : f32
  %x = tensor.expand_shape %v [[0, 1]] output_shape [1, 64] : tensor<64xbf16> into tensor<1x64xbf16>
  %ye = tensor.empty() : tensor<1x48xf32>
  %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<1x48xf32>) -> tensor<1x48xf32>
  %y = linalg.contract indexing_maps = [#m, #n, #r] ins(%x, %w : tensor<1x64xbf16>, tensor<48x64xbf16>) outs(%yz : tensor<1x48xf32>) -> tensor<1x48xf32>
  %yv = tensor.collapse_shape %y [[0, 1]] : tensor<1x48xf32> into tensor<48xf32>
  %le = tensor.empty() : tensor<f32>
  %lz = linalg.fill ins(%zero : f32) outs(%le : tensor<f32>) -> tensor<f32>
  %loss = linalg.generic {indexing_maps = [#v, #all], iterator_types = ["reduction"]} ins(%yv : tensor<48xf32>) outs(%lz : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %de = tensor.empty() : tensor<48xbf16>
  %dv = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%yv : tensor<48xf32>) outs(%de : tensor<48xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %q = arith.addf %a, %a : f32
    %s = arith.truncf %q : f32 to bf16
    linalg.yield %s : bf16
  } -> tensor<48xbf16>
  %dy = tensor.expand_shape %dv [[0, 1]] output_shape [1, 48] : tensor<48xbf16> into tensor<1x48xbf16>
  %wte = tensor.empty() : tensor<64x48xbf16>
  %wt = linalg.transpose ins(%w : tensor<48x64xbf16>) outs(%wte : tensor<64x48xbf16>) permutation = [1, 0]
  %xe = tensor.empty() : tensor<1x64xf32>
  %xz = linalg.fill ins(%zero : f32) outs(%xe : tensor<1x64xf32>) -> tensor<1x64xf32>
  %dx = linalg.contract indexing_maps = [#m, #n, #r] ins(%dy, %wt : tensor<1x48xbf16>, tensor<64x48xbf16>) outs(%xz : tensor<1x64xf32>) -> tensor<1x64xf32>
  %dxr = arith.truncf %dx : tensor<1x64xf32> to tensor<1x64xbf16>
  %dxv = tensor.collapse_shape %dxr [[0, 1]] : tensor<1x64xbf16> into tensor<64xbf16>
  %dyc = tensor.expand_shape %dv [[0, 1]] output_shape [48, 1] : tensor<48xbf16> into tensor<48x1xbf16>
  %xc = tensor.expand_shape %v [[0, 1]] output_shape [64, 1] : tensor<64xbf16> into tensor<64x1xbf16>
  %we = tensor.empty() : tensor<48x64xf32>
  %wz = linalg.fill ins(%zero : f32) outs(%we : tensor<48x64xf32>) -> tensor<48x64xf32>
  %dw = linalg.contract indexing_maps = [#m, #n, #r] ins(%dyc, %xc : tensor<48x1xbf16>, tensor<64x1xbf16>) outs(%wz : tensor<48x64xf32>) -> tensor<48x64xf32>
  %dwr = arith.truncf %dw : tensor<48x64xf32> to tensor<48x64xbf16>
  return %loss, %dxv, %dwr : tensor<f32>, tensor<64xbf16>, tensor<48x64xbf16>
}
