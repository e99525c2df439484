#a = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
#w = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [16, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
qt.recipe @all_nvfp4 {
  qt.rule <activation> -> #a
  qt.rule <weight> -> #w
  qt.rule <gradient> -> #a
}
