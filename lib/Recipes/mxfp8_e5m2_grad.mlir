// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @mxfp8_e5m2_grad

// mxfp8 with gradients of more range (Transformer Engine, MXFP8BlockScaling with fp8_format HYBRID).
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#gradient = #qt.scheme<f8E5M2, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
qt.recipe @mxfp8_e5m2_grad "E4M3, gradients E5M2, under E8M0 scales per 1x32, rounded up" {
  qt.rule <activation> -> #mx
  qt.rule <weight> -> #mx
  qt.rule <gradient> -> #gradient
  qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>, #qt.site<router>,
                 #qt.site<dispatch>, #qt.site<other>]
}
