// RUN: fp8-opt %s | fp8-opt | FileCheck %s
// RUN: fp8-opt %s --mlir-print-op-generic | fp8-opt | FileCheck %s
//
// Recipes read what they print.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#fp8 = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK-DAG: #[[$MX:.*]] = #qt.scheme<f8E4M3FN
// CHECK-DAG: #[[$FP8:.*]] = #qt.scheme<f8E5M2

// A rule that names a product goes before one that does not.
// CHECK-LABEL: qt.recipe @rules
qt.recipe @rules {
  // CHECK: qt.rule <activation> -> #[[$MX]]
  // CHECK: qt.rule <weight> in <dgrad> -> #[[$FP8]]
  qt.rule <activation> -> #mx
  qt.rule <weight> -> #mx
  qt.rule <weight> in <dgrad> -> #fp8
  qt.rule <gradient> -> #fp8
}

// CHECK-LABEL: qt.recipe @keeps
qt.recipe @keeps {
  // CHECK: qt.keep sites [#qt.site<head>, #qt.site<router>]
  qt.keep sites [#qt.site<head>, #qt.site<router>]
  // CHECK: qt.keep labels ["lm_head", "gate"]
  qt.keep labels ["lm_head", "gate"]
  // CHECK: qt.keep first 1
  qt.keep first 1
  // CHECK: qt.keep last 2
  qt.keep last 2
}

// A recipe without rules keeps everything.
// CHECK-LABEL: qt.recipe @nothing
qt.recipe @nothing {}
