// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @nvfp4

// Two levels of scales (arXiv 2509.25149, Transformer Engine), rounded to nearest, without Hadamard transform.
#row = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
#tile = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [16, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
qt.recipe @nvfp4 "E2M1 under E4M3 scales per 1x16 (weights 16x16) and one amax per tensor" {
  qt.rule <activation> -> #row
  qt.rule <weight> -> #tile
  qt.rule <gradient> -> #row
  qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>, #qt.site<router>,
                 #qt.site<dispatch>, #qt.site<other>]
}
