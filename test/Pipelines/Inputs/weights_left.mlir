// W x, of 200 tokens.
func.func @main(%w: tensor<256x512xbf16> {qt.role = #qt.role<weight>}, %x: tensor<512x200xbf16> {qt.role = #qt.role<activation>})
    -> tensor<256x200xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<256x200xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<256x200xbf16>) -> tensor<256x200xbf16>
  %y = linalg.matmul ins(%w, %x : tensor<256x512xbf16>, tensor<512x200xbf16>) outs(%init : tensor<256x200xbf16>) -> tensor<256x200xbf16>
  return %y : tensor<256x200xbf16>
}
