// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @fp8_rowwise

// One power-of-two scale per row along what each product sums, E4M3 throughout (torchao float8, rowwise). torchao divides
// in f64, which gives the same bits; no amax is below 1e-12 there.
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv_pow2, floor = 1.0e-12>]>
qt.recipe @fp8_rowwise "E4M3 under power-of-two scales per row" {
  qt.rule <activation> -> #row
  qt.rule <weight> -> #row
  qt.rule <gradient> -> #row
  qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>, #qt.site<router>,
                 #qt.site<dispatch>, #qt.site<other>]
}
