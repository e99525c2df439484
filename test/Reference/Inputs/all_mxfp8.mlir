#a = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#w = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
qt.recipe @all_mxfp8 {
  qt.rule <activation> -> #a
  qt.rule <weight> -> #w
  qt.rule <gradient> -> #a
}
