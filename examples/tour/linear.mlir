// One linear layer of a training step: y = x w^T, loss = sum y^2, and the gradients of x and w.
#row = affine_map<(m, n) -> (m, n)>
#sum = affine_map<(m, n) -> ()>
func.func @main(%x: tensor<48x96xbf16>, %w: tensor<32x96xbf16>)
    -> (tensor<f32>, tensor<48x96xbf16>, tensor<32x96xbf16>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32

  %wt_init = tensor.empty() : tensor<96x32xbf16>
  %wt = linalg.transpose ins(%w : tensor<32x96xbf16>) outs(%wt_init : tensor<96x32xbf16>) permutation = [1, 0]
  %y_empty = tensor.empty() : tensor<48x32xf32>
  %y_init = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<48x32xf32>) -> tensor<48x32xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<48x96xbf16>, tensor<96x32xbf16>)
                     outs(%y_init : tensor<48x32xf32>) -> tensor<48x32xf32>

  %loss_empty = tensor.empty() : tensor<f32>
  %loss_init = linalg.fill ins(%zero : f32) outs(%loss_empty : tensor<f32>) -> tensor<f32>
  %loss = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["reduction", "reduction"]}
      ins(%y : tensor<48x32xf32>) outs(%loss_init : tensor<f32>) {
  ^bb0(%value: f32, %total: f32):
    %square = arith.mulf %value, %value : f32
    %next = arith.addf %total, %square : f32
    linalg.yield %next : f32
  } -> tensor<f32>

  %dy_init = tensor.empty() : tensor<48x32xbf16>
  %dy = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<48x32xf32>) outs(%dy_init : tensor<48x32xbf16>) {
  ^bb0(%value: f32, %unused: bf16):
    %doubled = arith.mulf %value, %two : f32
    %rounded = arith.truncf %doubled : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<48x32xbf16>

  %dx_zero = arith.constant dense<0.0> : tensor<48x96xbf16>
  %dx = linalg.matmul ins(%dy, %w : tensor<48x32xbf16>, tensor<32x96xbf16>)
                      outs(%dx_zero : tensor<48x96xbf16>) -> tensor<48x96xbf16>

  %dyt_init = tensor.empty() : tensor<32x48xbf16>
  %dyt = linalg.transpose ins(%dy : tensor<48x32xbf16>) outs(%dyt_init : tensor<32x48xbf16>) permutation = [1, 0]
  %dw_zero = arith.constant dense<0.0> : tensor<32x96xbf16>
  %dw = linalg.matmul ins(%dyt, %x : tensor<32x48xbf16>, tensor<48x96xbf16>)
                      outs(%dw_zero : tensor<32x96xbf16>) -> tensor<32x96xbf16>
  return %loss, %dx, %dw : tensor<f32>, tensor<48x96xbf16>, tensor<32x96xbf16>
}
