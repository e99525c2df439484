// joint.mlir with a second reader of x in the backward half: its square is returned.

#id = affine_map<(i, j) -> (i, j)>
#ijk = affine_map<(i, j, k) -> (i, j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @main(%x0: tensor<2048x4096x2xbf16>, %w: tensor<16384x4096xbf16>, %dy: tensor<2048x16384xbf16> {qt.role = #qt.role<gradient>})
    -> (tensor<2048x16384xbf16>, tensor<2048x4096xbf16>, tensor<16384x4096xbf16>, tensor<2048x4096xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %ex = tensor.empty() : tensor<2048x4096xbf16>
  %ix = linalg.fill ins(%zero : bf16) outs(%ex : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
  %x = linalg.generic {indexing_maps = [#ijk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x0 : tensor<2048x4096x2xbf16>) outs(%ix : tensor<2048x4096xbf16>) {
  ^bb0(%v: bf16, %o: bf16):
    %r = arith.addf %v, %o : bf16
    linalg.yield %r : bf16
  } -> tensor<2048x4096xbf16>
  %ewt = tensor.empty() : tensor<4096x16384xbf16>
  %wt = linalg.transpose ins(%w : tensor<16384x4096xbf16>) outs(%ewt : tensor<4096x16384xbf16>) permutation = [1, 0]
  %ey = tensor.empty() : tensor<2048x16384xbf16>
  %iy = linalg.fill ins(%zero : bf16) outs(%ey : tensor<2048x16384xbf16>) -> tensor<2048x16384xbf16>
  %y = linalg.matmul ins(%x, %wt : tensor<2048x4096xbf16>, tensor<4096x16384xbf16>) outs(%iy : tensor<2048x16384xbf16>) -> tensor<2048x16384xbf16>
  %dx = linalg.matmul ins(%dy, %w : tensor<2048x16384xbf16>, tensor<16384x4096xbf16>) outs(%ix : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
  %edt = tensor.empty() : tensor<16384x2048xbf16>
  %dyt = linalg.transpose ins(%dy : tensor<2048x16384xbf16>) outs(%edt : tensor<16384x2048xbf16>) permutation = [1, 0]
  %ew = tensor.empty() : tensor<16384x4096xbf16>
  %iw = linalg.fill ins(%zero : bf16) outs(%ew : tensor<16384x4096xbf16>) -> tensor<16384x4096xbf16>
  %dw = linalg.matmul ins(%dyt, %x : tensor<16384x2048xbf16>, tensor<2048x4096xbf16>) outs(%iw : tensor<16384x4096xbf16>) -> tensor<16384x4096xbf16>
  %square = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2048x4096xbf16>) outs(%ex : tensor<2048x4096xbf16>) {
  ^bb0(%v: bf16, %o: bf16):
    %r = arith.mulf %v, %v : bf16
    linalg.yield %r : bf16
  } -> tensor<2048x4096xbf16>
  return %y, %dx, %dw, %square : tensor<2048x16384xbf16>, tensor<2048x4096xbf16>, tensor<16384x4096xbf16>, tensor<2048x4096xbf16>
}
