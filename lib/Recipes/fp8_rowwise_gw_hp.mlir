// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @fp8_rowwise_gw_hp

// fp8_rowwise with weight gradients in high precision, and weights under one scale where the gradient passes through them
// (torchao float8, rowwise_with_gw_hp).
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv_pow2, floor = 1.0e-12>]>
#whole = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv_pow2, floor = 1.0e-12>]>
qt.recipe @fp8_rowwise_gw_hp "E4M3 under power-of-two scales per row; weight gradients stay in high precision" {
  qt.rule <activation> -> #row
  qt.rule <weight> -> #row
  qt.rule <gradient> -> #row
  qt.rule <weight> in <dgrad> -> #whole
  qt.keep in <wgrad>
  qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>, #qt.site<router>,
                 #qt.site<dispatch>, #qt.site<other>]
}
