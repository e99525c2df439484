// RUN: fp8-opt %s --fp8-import-elementwise --fp8-import-linalg --fp8-import-quantized --qt-infer-roles --qt-assign-schemes=remarks=false \
// RUN:   --verify-diagnostics
//
// A rule whose one product stays in high precision, for the blocks of the codes that the graph brings, decides nothing.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
qt.recipe @blocks {
  // expected-remark @below {{gives nothing: no operand that is quantized has it as its last rule}}
  qt.rule <activation> sizes [16, 8, 96] -> #mx
  // expected-remark @below {{promotes nothing: no contraction that is quantized matches}}
  qt.promote sizes [16, 8, 96]
}
// Blocks of 48 against blocks of 32.
func.func @main(%x: tensor<16x96xbf16> {qt.role = #qt.role<activation>}, %s: tensor<8x2xf32>,
                %codes: tensor<8x96xf8E4M3FN> {qt.role = #qt.role<weight>}) -> tensor<16x8xf32> {
  %z = arith.constant dense<0.0> : tensor<16x8xf32>
  %e = tensor.empty() : tensor<8x2x48xf32>
  %b = linalg.broadcast ins(%s : tensor<8x2xf32>) outs(%e : tensor<8x2x48xf32>) dimensions = [2]
  %sc = tensor.collapse_shape %b [[0], [1, 2]] : tensor<8x2x48xf32> into tensor<8x96xf32>
  %c32 = arith.extf %codes : tensor<8x96xf8E4M3FN> to tensor<8x96xf32>
  %cs = arith.mulf %c32, %sc : tensor<8x96xf32>
  %et = tensor.empty() : tensor<96x8xf32>
  %ct = linalg.transpose ins(%cs : tensor<8x96xf32>) outs(%et : tensor<96x8xf32>) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %ct : tensor<16x96xbf16>, tensor<96x8xf32>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}
