// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @mxfp8

// OCP MXFP8 with E4M3 for gradients too and scales rounded up (arXiv 2506.08027, Transformer Engine).
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
qt.recipe @mxfp8 "E4M3 under E8M0 scales per 1x32, rounded up" {
  qt.rule <activation> -> #mx
  qt.rule <weight> -> #mx
  qt.rule <gradient> -> #mx
  qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>, #qt.site<router>,
                 #qt.site<dispatch>, #qt.site<other>]
}
