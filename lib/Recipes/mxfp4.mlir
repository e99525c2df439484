// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @mxfp4

// OCP MXFP4 (OCP microscaling formats 1.0) with scales rounded up as in mxfp8, to nearest even, without Hadamard transform.
#mx = #qt.scheme<f4E2M1FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
qt.recipe @mxfp4 "E2M1 under E8M0 scales per 1x32, rounded up" {
  qt.rule <activation> -> #mx
  qt.rule <weight> -> #mx
  qt.rule <gradient> -> #mx
  qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>, #qt.site<router>,
                 #qt.site<dispatch>, #qt.site<other>]
}
