#id = affine_map<(m, n) -> (m, n)>
#sum = affine_map<(m, n) -> ()>
func.func @main(%x: tensor<128x256xbf16>, %wq: tensor<128x256xbf16>, %wk: tensor<64x256xbf16>, %wv: tensor<64x256xbf16>) -> (tensor<f32>, tensor<128x256xbf16>, tensor<64x256xbf16>, tensor<64x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %w = tensor.concat dim(0) %wq, %wk, %wv : (tensor<128x256xbf16>, tensor<64x256xbf16>, tensor<64x256xbf16>) -> tensor<256x256xbf16>
  %e = tensor.empty() : tensor<128x256xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %te = tensor.empty() : tensor<256x256xbf16>
  %wt = linalg.transpose ins(%w : tensor<256x256xbf16>) outs(%te : tensor<256x256xbf16>) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %wt : tensor<128x256xbf16>, tensor<256x256xbf16>) outs(%z : tensor<128x256xf32>) -> tensor<128x256xf32>
  %le = tensor.empty() : tensor<f32>
  %lz = linalg.fill ins(%zero : f32) outs(%le : tensor<f32>) -> tensor<f32>
  %loss = linalg.generic {indexing_maps = [#id, #sum], iterator_types = ["reduction", "reduction"]} ins(%y : tensor<128x256xf32>) outs(%lz : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %de = tensor.empty() : tensor<128x256xbf16>
  %dy = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<128x256xf32>) outs(%de : tensor<128x256xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %q = arith.mulf %a, %two : f32
    %s = arith.truncf %q : f32 to bf16
    linalg.yield %s : bf16
  } -> tensor<128x256xbf16>
  %dte = tensor.empty() : tensor<256x128xbf16>
  %dyt = linalg.transpose ins(%dy : tensor<128x256xbf16>) outs(%dte : tensor<256x128xbf16>) permutation = [1, 0]
  %dwz = arith.constant dense<0.0> : tensor<256x256xf32>
  %dw32 = linalg.matmul ins(%dyt, %x : tensor<256x128xbf16>, tensor<128x256xbf16>) outs(%dwz : tensor<256x256xf32>) -> tensor<256x256xf32>
  %dw = arith.truncf %dw32 : tensor<256x256xf32> to tensor<256x256xbf16>
  %dq = tensor.extract_slice %dw[0, 0] [128, 256] [1, 1] : tensor<256x256xbf16> to tensor<128x256xbf16>
  %dk = tensor.extract_slice %dw[128, 0] [64, 256] [1, 1] : tensor<256x256xbf16> to tensor<64x256xbf16>
  %dv = tensor.extract_slice %dw[192, 0] [64, 256] [1, 1] : tensor<256x256xbf16> to tensor<64x256xbf16>
  return %loss, %dq, %dk, %dv : tensor<f32>, tensor<128x256xbf16>, tensor<64x256xbf16>, tensor<64x256xbf16>
}
