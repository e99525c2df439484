// One activation and three weights whose gradients arrive as views: transposed, expanded (every row is one row: a stride
// of 0), and strided. CONTIGUOUS is replaced by a copy of each, or by nothing.
func.func @main(%x: tensor<96x48xbf16>, %w1: tensor<64x48xbf16>, %w2: tensor<64x48xbf16>, %w3: tensor<64x48xbf16>,
                %g1: tensor<64x96xbf16> {qt.role = #qt.role<gradient>}, %g2: tensor<64xbf16> {qt.role = #qt.role<gradient>},
                %g3: tensor<192x80xbf16> {qt.role = #qt.role<gradient>})
    -> (tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x48xbf16>, tensor<96x48xbf16>,
        tensor<96x48xbf16>, tensor<64x48xbf16>, tensor<64x48xbf16>, tensor<64x48xbf16>) {
  %y1 = func.call @forward(%x, %w1) : (tensor<96x48xbf16>, tensor<64x48xbf16>) -> tensor<96x64xbf16>
  %y2 = func.call @forward(%x, %w2) : (tensor<96x48xbf16>, tensor<64x48xbf16>) -> tensor<96x64xbf16>
  %y3 = func.call @forward(%x, %w3) : (tensor<96x48xbf16>, tensor<64x48xbf16>) -> tensor<96x64xbf16>
  %e = tensor.empty() : tensor<96x64xbf16>
  %transposed = linalg.transpose ins(%g1 : tensor<64x96xbf16>) outs(%e : tensor<96x64xbf16>) permutation = [1, 0]
  %expanded = linalg.broadcast ins(%g2 : tensor<64xbf16>) outs(%e : tensor<96x64xbf16>) dimensions = [0]
  %strided = tensor.extract_slice %g3[1, 8] [96, 64] [2, 1] : tensor<192x80xbf16> to tensor<96x64xbf16>
  %d1 = func.call @CONTIGUOUS(%transposed) : (tensor<96x64xbf16>) -> tensor<96x64xbf16>
  %d2 = func.call @CONTIGUOUS(%expanded) : (tensor<96x64xbf16>) -> tensor<96x64xbf16>
  %d3 = func.call @CONTIGUOUS(%strided) : (tensor<96x64xbf16>) -> tensor<96x64xbf16>
  %dx1, %dw1 = func.call @backward(%x, %w1, %d1) : (tensor<96x48xbf16>, tensor<64x48xbf16>, tensor<96x64xbf16>) -> (tensor<96x48xbf16>, tensor<64x48xbf16>)
  %dx2, %dw2 = func.call @backward(%x, %w2, %d2) : (tensor<96x48xbf16>, tensor<64x48xbf16>, tensor<96x64xbf16>) -> (tensor<96x48xbf16>, tensor<64x48xbf16>)
  %dx3, %dw3 = func.call @backward(%x, %w3, %d3) : (tensor<96x48xbf16>, tensor<64x48xbf16>, tensor<96x64xbf16>) -> (tensor<96x48xbf16>, tensor<64x48xbf16>)
  return %y1, %y2, %y3, %dx1, %dx2, %dx3, %dw1, %dw2, %dw3
    : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x48xbf16>, tensor<96x48xbf16>,
      tensor<96x48xbf16>, tensor<64x48xbf16>, tensor<64x48xbf16>, tensor<64x48xbf16>
}

func.func private @forward(%x: tensor<96x48xbf16>, %w: tensor<64x48xbf16>) -> tensor<96x64xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<96x64xbf16>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<96x64xbf16>) -> tensor<96x64xbf16>
  %t = tensor.empty() : tensor<48x64xbf16>
  %wt = linalg.transpose ins(%w : tensor<64x48xbf16>) outs(%t : tensor<48x64xbf16>) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %wt : tensor<96x48xbf16>, tensor<48x64xbf16>) outs(%z : tensor<96x64xbf16>) -> tensor<96x64xbf16>
  return %y : tensor<96x64xbf16>
}

func.func private @backward(%x: tensor<96x48xbf16>, %w: tensor<64x48xbf16>, %dy: tensor<96x64xbf16>)
    -> (tensor<96x48xbf16>, tensor<64x48xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<96x48xbf16>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<96x48xbf16>) -> tensor<96x48xbf16>
  %dx = linalg.matmul ins(%dy, %w : tensor<96x64xbf16>, tensor<64x48xbf16>) outs(%z : tensor<96x48xbf16>) -> tensor<96x48xbf16>
  %t = tensor.empty() : tensor<64x96xbf16>
  %dyt = linalg.transpose ins(%dy : tensor<96x64xbf16>) outs(%t : tensor<64x96xbf16>) permutation = [1, 0]
  %f = tensor.empty() : tensor<64x48xbf16>
  %zw = linalg.fill ins(%zero : bf16) outs(%f : tensor<64x48xbf16>) -> tensor<64x48xbf16>
  %dw = linalg.matmul ins(%dyt, %x : tensor<64x96xbf16>, tensor<96x48xbf16>) outs(%zw : tensor<64x48xbf16>) -> tensor<64x48xbf16>
  return %dx, %dw : tensor<96x48xbf16>, tensor<64x48xbf16>
}

func.func private @itself(%x: tensor<96x64xbf16>) -> tensor<96x64xbf16> {
  return %x : tensor<96x64xbf16>
}

// A copy of its own: an op that computes, as far as anyone can see.
func.func private @copy(%x: tensor<96x64xbf16>) -> tensor<96x64xbf16> {
  %e = tensor.empty() : tensor<96x64xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<96x64xbf16>) outs(%e : tensor<96x64xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %bits = arith.bitcast %in : bf16 to i16
    %same = arith.bitcast %bits : i16 to bf16
    linalg.yield %same : bf16
  } -> tensor<96x64xbf16>
  return %r : tensor<96x64xbf16>
}
