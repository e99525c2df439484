func.func @main(%x: tensor<32x64xbf16>) -> tensor<32x64xbf16> {
  %y = "some.op"(%x) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return %y : tensor<32x64xbf16>
}
