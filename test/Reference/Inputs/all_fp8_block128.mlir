#a = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
#w = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv_pow2>]>
qt.recipe @all_fp8_block128 {
  qt.rule <activation> -> #a
  qt.rule <weight> -> #w
  qt.rule <gradient> -> #a
}
