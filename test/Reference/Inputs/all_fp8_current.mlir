#a = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#w = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @all_fp8_current {
  qt.rule <activation> -> #a
  qt.rule <weight> -> #w
  qt.rule <gradient> -> #a
}
