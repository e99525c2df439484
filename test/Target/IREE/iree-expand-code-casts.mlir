// Casts of floats of eight bits are integer arithmetic, to and from f32, through which the others go; those of wider floats stay, and
// one from f64.
//
// RUN: fp8-opt %s --iree-expand-code-casts | FileCheck %s

// CHECK-LABEL: func @casts
// CHECK: arith.bitcast %{{.*}} : f8E4M3FN to i8
// CHECK: arith.bitcast %{{.*}} : i32 to f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: %[[W:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK: arith.bitcast %[[W]] : f32 to i32
// CHECK: arith.bitcast %{{.*}} : i8 to f8E5M2
// CHECK: arith.truncf %{{.*}} : f64 to f8E5M2
// CHECK: arith.extf %{{.*}} : bf16 to f32
func.func @casts(%a: f8E4M3FN, %h: f16, %d: f64, %b: bf16) -> (bf16, f8E5M2, f8E5M2, f32) {
  %0 = arith.extf %a : f8E4M3FN to bf16
  %1 = arith.truncf %h : f16 to f8E5M2
  %2 = arith.truncf %d : f64 to f8E5M2
  %3 = arith.extf %b : bf16 to f32
  return %0, %1, %2, %3 : bf16, f8E5M2, f8E5M2, f32
}
