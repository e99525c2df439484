// RUN: fp8-opt %s -allow-unregistered-dialect --split-input-file --verify-diagnostics --convert-math-to-reference | FileCheck %s
// RUN: fp8-opt %s -allow-unregistered-dialect --split-input-file --convert-math-to-reference=keep-others | FileCheck %s --check-prefixes=CHECK,OTHERS
//
// Functions become their formulas, in f64; numbers themselves are checked by programs (test/Reference, test/Numerics).

// CHECK-LABEL: func.func @formulas(
// CHECK-NOT: math.exp
// CHECK-NOT: math.rsqrt
// CHECK: arith.extf %{{.*}} : f32 to f64
// CHECK-NOT: math.tanh
// CHECK: arith.truncf %{{.*}} : f64 to f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: return
func.func @formulas(%x: f32, %y: bf16) -> (f32, f32, bf16) {
  %e = math.exp %x : f32
  %r = math.rsqrt %x : f32
  %t = math.tanh %y : bf16
  return %e, %r, %t : f32, f32, bf16
}

// What every machine computes alike.
// CHECK-LABEL: func.func @exact(
// CHECK: math.absf
// CHECK: math.sqrt
// CHECK: math.roundeven
func.func @exact(%x: f32) -> f32 {
  %a = math.absf %x : f32
  %s = math.sqrt %a : f32
  %r = math.roundeven %s : f32
  return %r : f32
}

// Ops that nobody has registered, as IREE's are beside kernels.
// CHECK-LABEL: func.func @unregistered(
// CHECK: "hal.any"()
func.func @unregistered() {
  "hal.any"() : () -> ()
  return
}

// -----

// OTHERS-LABEL: func.func @no_formula(
// OTHERS: math.acos
func.func @no_formula(%x: f32) -> f32 {
  // expected-error @+1 {{expected a function that has a reference formula, got one without}}
  %a = math.acos %x : f32
  return %a : f32
}

// -----

// OTHERS-LABEL: func.func @no_formula_of_type(
// OTHERS: math.exp %{{.*}} : f64
func.func @no_formula_of_type(%x: f64) -> f64 {
  // expected-error @+1 {{expected a scalar of f32, bf16 or f16, for which there are reference formulas, got 'f64'}}
  %a = math.exp %x : f64
  return %a : f64
}
