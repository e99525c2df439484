// RUN: fp8-opt %s | fp8-opt | FileCheck %s
// RUN: fp8-opt %s --mlir-print-op-generic | fp8-opt | FileCheck %s
//
// Recipes read what they print.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#fp8 = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK-DAG: #[[$MX:.*]] = #qt.scheme<f8E4M3FN
// CHECK-DAG: #[[$FP8:.*]] = #qt.scheme<f8E5M2

// A rule that names a product follows one that does not: the last that selects an operand counts.
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
  // CHECK: qt.keep in <wgrad> except ["down"] sizes [?, 64, 32]
  qt.keep in <wgrad> except ["down"] sizes [?, 64, 32]
}

// What is promoted has the same conditions, or none.
// CHECK-LABEL: qt.recipe @promotes
qt.recipe @promotes {
  // CHECK: {{^ *}}qt.promote{{$}}
  qt.promote
  // CHECK: qt.promote in <wgrad> labels ["down"] last 2
  qt.promote last 2 in <wgrad> labels ["down"]
}

// Rules have the same conditions.
// CHECK-LABEL: qt.recipe @conditions
qt.recipe @conditions {
  // CHECK: qt.rule <activation> rhs sites [#qt.site<score>] -> #[[$MX]]
  qt.rule <activation> rhs sites [#qt.site<score>] -> #mx
  // CHECK: qt.rule <activation> lhs in <fprop> labels ["up", "gate"] first 2 -> #[[$MX]]
  qt.rule <activation> lhs in <fprop> labels ["up", "gate"] first 2 -> #mx
  // CHECK: qt.rule <activation> in <wgrad> last 1 dual -> #[[$MX]]
  qt.rule <activation> in <wgrad> last 1 dual -> #mx
  // CHECK: qt.rule <weight> except ["up"] last 1 sizes [?, 64, ?] -> #[[$MX]]
  qt.rule <weight> except ["up"] last 1 sizes [?, 64, ?] -> #mx
}

// Conditions are read in any order, and printed in one.
// CHECK-LABEL: qt.recipe @order
qt.recipe @order {
  // CHECK: qt.rule <activation> in <fprop> labels ["up"] first 2 sizes [?, 64, ?] -> #[[$MX]]
  qt.rule <activation> sizes [?, 64, ?] first 2 labels ["up"] in <fprop> -> #mx
  // CHECK: qt.rule <activation> in <wgrad> last 1 dual -> #[[$MX]]
  qt.rule <activation> last 1 in <wgrad> dual -> #mx
  // CHECK: qt.keep sites [#qt.site<head>] except ["down"] last 2
  qt.keep last 2 except ["down"] sites [#qt.site<head>]
}

// A recipe without rules keeps everything.
// CHECK-LABEL: qt.recipe @nothing
qt.recipe @nothing {}
