// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @fp8_current

// One scale per tensor from its own amax; E4M3 forward, E5M2 gradients (Transformer Engine, Float8CurrentScaling,
// which leaves sums of the forward half alone to the matrix unit's accumulators).
#forward = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#gradient = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @fp8_current "One scale per tensor from its own amax; E4M3, gradients E5M2" {
  qt.rule <activation> -> #forward
  qt.rule <weight> -> #forward
  qt.rule <gradient> -> #gradient
  qt.promote in <dgrad>
  qt.promote in <wgrad>
  qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>, #qt.site<router>,
                 #qt.site<dispatch>, #qt.site<other>]
}
