// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @fp8_current_pow2

// fp8_current with scales rounded down to powers of two (Transformer Engine, NVTE_FP8_CURRENT_SCALING_POWER_2_SCALES).
#forward = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv_pow2>]>
#gradient = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv_pow2>]>
qt.recipe @fp8_current_pow2 "One power-of-two scale per tensor from its own amax; E4M3, gradients E5M2" {
  qt.rule <activation> -> #forward
  qt.rule <weight> -> #forward
  qt.rule <gradient> -> #gradient
  qt.promote in <dgrad>
  qt.promote in <wgrad>
  qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>, #qt.site<router>,
                 #qt.site<dispatch>, #qt.site<other>]
}
