// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @fp8_block128

// 128 elements of a row share a scale, in weights 128x128; powers of two (Transformer Engine, Float8BlockScaling).
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
#tile = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv_pow2>]>
qt.recipe @fp8_block128 "E4M3 under power-of-two scales per 1x128, weights per 128x128" {
  qt.rule <activation> -> #row
  qt.rule <weight> -> #tile
  qt.rule <gradient> -> #row
  qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>, #qt.site<router>,
                 #qt.site<dispatch>, #qt.site<other>]
}
