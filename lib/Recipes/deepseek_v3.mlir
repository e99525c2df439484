// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @deepseek_v3

// DeepSeek-V3 (arXiv 2412.19437, section 3.3; scales as its kernels and DeepGEMM derive them). Activations stay for the
// backward half as codes only, under powers of two, so that requantizing them along M rounds nothing but what becomes
// subnormal. Gradients, which nothing scales up, have no floor.
#cached = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2, floor = 1.0e-04>]>
#tile = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv_dec, floor = 1.0e-04, apply = div_decode>]>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_dec, apply = div_decode>]>
qt.recipe @deepseek_v3 "E4M3 per 1x128, weights per 128x128; wgrad requantizes the activations of fprop" {
  qt.rule <activation> -> #cached
  qt.rule <activation> in <wgrad> dual -> #cached
  qt.rule <weight> -> #tile
  qt.rule <gradient> -> #row
  qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>, #qt.site<router>,
                 #qt.site<dispatch>, #qt.site<other>]
}
