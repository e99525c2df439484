// Gradients in square blocks: their second layout is a transpose of codes.
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 4] by fdiv>]>
#tile = #qt.scheme<f8E5M2, [#qt.scale<f32 per block [8, 8] by fdiv>]>
qt.recipe @mixed {
  qt.rule <activation> -> #row
  qt.rule <weight> -> #tile
  qt.rule <gradient> -> #tile
}
