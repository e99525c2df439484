// RUN: fp8-opt %s -verify-diagnostics -split-input-file
//
// Every constraint of recipes has a recipe that breaks it alone.

// expected-error @+1 {{'qt.recipe' op expected only qt.rule and qt.keep in a recipe, got arith.constant}}
qt.recipe @recipe_c1_rules_and_keeps_only {
  arith.constant 0 : i32
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @recipe_c2_one_rule_for_a_role {
  // expected-note @+1 {{the first is here}}
  qt.rule <weight> -> #fp8
  // expected-error @+1 {{expected one rule for each role and product, got a second for weight}}
  qt.rule <weight> -> #fp8
}

// -----

#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [*, 1] by fdiv>]>
// expected-error @+1 {{expected schemes blocked along the last dimension, which operands contract, got a block of 1 for the activation of fprop}}
qt.recipe @recipe_c3_blocked_along_k {
  qt.rule <activation> -> #column
  qt.rule <weight> -> #column
}

// -----

#b32 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 32] by fdiv>]>
#b48 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 48] by fdiv>]>
// expected-error @+1 {{expected blocks of which the larger is a multiple of the smaller in dgrad, got 48 for the gradient and 32 for the weight}}
qt.recipe @recipe_c3_blocks_pair {
  qt.rule <activation> -> #b32
  qt.rule <weight> -> #b32
  qt.rule <gradient> in <dgrad> -> #b48
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// expected-error @+1 {{'qt.rule' op expects parent op 'qt.recipe'}}
qt.rule <weight> -> #fp8

// -----

qt.recipe @keep_c1_one_of_four {
  // expected-error @+1 {{expected exactly one of sites, labels, first and last, got 2}}
  qt.keep first 1 last 2
}

// -----

qt.recipe @keep_c1_not_none {
  // expected-error @+1 {{expected exactly one of sites, labels, first and last, got 0}}
  qt.keep
}

// -----

qt.recipe @keep_c2_some_site {
  // expected-error @+1 {{expected at least one site, got []}}
  qt.keep sites []
}

// -----

// Every name contains the empty one.
qt.recipe @keep_c2_no_empty_label {
  // expected-error @+1 {{expected labels that not every name contains, got an empty one}}
  qt.keep labels ["head", ""]
}

// -----

qt.recipe @keep_c2_at_least_1 {
  // expected-error @+1 {{expected 'last' to be at least 1, got -1}}
  qt.keep last -1
}
