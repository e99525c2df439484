// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @gaudi

// fp8_current in the formats of Intel Gaudi 2: an E4M3 with infinities, which ends at 240.
#forward = #qt.scheme<f8E4M3, [#qt.scale<f32 per tensor by fdiv>]>
#gradient = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @gaudi "One scale per tensor from its own amax; IEEE-like E4M3, gradients E5M2" {
  qt.rule <activation> -> #forward
  qt.rule <weight> -> #forward
  qt.rule <gradient> -> #gradient
  qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>, #qt.site<router>,
                 #qt.site<dispatch>, #qt.site<other>]
}
