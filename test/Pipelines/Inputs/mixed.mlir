#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 4] by fdiv>]>
#tile = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [8, 8] by fdiv>]>
#wide = #qt.scheme<f8E5M2, [#qt.scale<f8E8M0FNU per block [1, *] by floor>]>
qt.recipe @mixed {
  qt.rule <activation> -> #row
  qt.rule <weight> -> #tile
  qt.rule <gradient> -> #wide
}
