// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @mxint8

// OCP MXINT8 (OCP microscaling formats 1.0): two's complement 1.6 under scales by its rule, section 6.3.
#mx = #qt.scheme<int8, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
qt.recipe @mxint8 "Int8 under E8M0 scales per 1x32, rounded down as OCP MX 1.0 has it" {
  qt.rule <activation> -> #mx
  qt.rule <weight> -> #mx
  qt.rule <gradient> -> #mx
  qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>, #qt.site<router>,
                 #qt.site<dispatch>, #qt.site<other>]
}
