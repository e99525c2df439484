#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @identity(%x: !qt.tensor<4x32xbf16, #mx>) -> !qt.tensor<4x32xbf16, #mx> {
  return %x : !qt.tensor<4x32xbf16, #mx>
}
