#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @keeps_fc2 {
  qt.rule <activation> -> #s
  qt.rule <weight> -> #s
  qt.rule <gradient> -> #s
  qt.keep labels ["fc2"]
}
