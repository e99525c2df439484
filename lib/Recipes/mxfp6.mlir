// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @mxfp6

// OCP MXFP6 (OCP microscaling formats 1.0), of its two formats the one with more mantissa; scales rounded up as in mxfp8.
#mx = #qt.scheme<f6E2M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
qt.recipe @mxfp6 "E2M3 under E8M0 scales per 1x32, rounded up" {
  qt.rule <activation> -> #mx
  qt.rule <weight> -> #mx
  qt.rule <gradient> -> #mx
  qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>, #qt.site<router>,
                 #qt.site<dispatch>, #qt.site<other>]
}
