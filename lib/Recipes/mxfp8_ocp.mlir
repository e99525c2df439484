// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @mxfp8_ocp

// OCP microscaling formats 1.0, section 6.3: the exponent of amax less that of the largest code, so that up to an eighth of
// a block's largest numbers saturates.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
qt.recipe @mxfp8_ocp "E4M3 under E8M0 scales per 1x32, rounded down as OCP MX 1.0 has it" {
  qt.rule <activation> -> #mx
  qt.rule <weight> -> #mx
  qt.rule <gradient> -> #mx
  qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>, #qt.site<router>,
                 #qt.site<dispatch>, #qt.site<other>]
}
