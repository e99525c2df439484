// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @fnuz

// fp8_current in the formats of AMD CDNA3, of which E4M3 ends at 240 (Transformer Engine for ROCm on gfx942).
#forward = #qt.scheme<f8E4M3FNUZ, [#qt.scale<f32 per tensor by fdiv>]>
#gradient = #qt.scheme<f8E5M2FNUZ, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @fnuz "One scale per tensor from its own amax; E4M3FNUZ, gradients E5M2FNUZ" {
  qt.rule <activation> -> #forward
  qt.rule <weight> -> #forward
  qt.rule <gradient> -> #gradient
  qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>, #qt.site<router>,
                 #qt.site<dispatch>, #qt.site<other>]
}
