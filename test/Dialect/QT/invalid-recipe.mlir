// RUN: fp8-opt %s -verify-diagnostics -split-input-file
//
// Every constraint of recipes has a recipe that breaks it alone.

// expected-error @+1 {{'qt.recipe' op expected only qt.rule, qt.keep and qt.promote in a recipe, got arith.constant}}
qt.recipe @recipe_c1_lines_only {
  arith.constant 0 : i32
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @recipe_c2_one_rule_for_a_role {
  // expected-note @+1 {{this one is hidden}}
  qt.rule <weight> -> #fp8
  // expected-error @+1 {{expected a rule that leaves something to earlier ones for weight, got one that hides another; the last that selects an operand counts}}
  qt.rule <weight> -> #fp8
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @recipe_c2_narrow_before_wide {
  qt.rule <activation> -> #fp8
  // expected-note @+1 {{this one is hidden}}
  qt.rule <weight> lhs in <fprop> sites [#qt.site<head>] labels ["lm_head"] except ["bias_head"] first 1 sizes [?, 4, 2] -> #fp8
  // expected-error @+1 {{got one that hides another}}
  qt.rule <weight> sites [#qt.site<linear>, #qt.site<head>] labels ["up", "head"] except ["bias_head_0"] first 2 sizes [?, ?, 2] -> #fp8
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @recipe_c2_all_kept {
  // expected-error @+1 {{expected a rule for contractions that are quantized, got one of which all are kept in high precision}}
  qt.rule <weight> in <dgrad> sites [#qt.site<head>] -> #fp8
  qt.keep first 1
  // expected-note @+1 {{this one keeps them}}
  qt.keep sites [#qt.site<head>, #qt.site<score>]
}

// -----

#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [*, 1] by fdiv>]>
qt.recipe @rule_c3_blocked_along_k {
  // expected-error @+1 {{expected a scheme blocked along the last dimension, which operands contract, got a block of 1}}
  qt.rule <activation> -> #column
}

// -----

#b32 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 32] by fdiv>]>
#b48 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 48] by fdiv>]>
qt.recipe @recipe_c3_blocks_pair {
  qt.rule <activation> -> #b32
  // expected-error @+1 {{expected blocks of which the larger is a multiple of the smaller in dgrad, got 32 for the weight and 48 for the gradient}}
  qt.rule <weight> -> #b32
  // expected-note @+1 {{the rule for the gradient}}
  qt.rule <gradient> in <dgrad> -> #b48
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @rule_c1_one_operand {
  // expected-error @+1 {{expected one of 'lhs' and 'rhs', got both; a rule without them is for both operands}}
  qt.rule <activation> lhs rhs -> #fp8
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @rule_c4_dual_where {
  // expected-error @+1 {{expected 'dual' on a rule for activations in wgrad, got one for weight in wgrad}}
  qt.rule <weight> in <wgrad> dual -> #fp8
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @rule_c5_no_weight_in_wgrad {
  // expected-error @+1 {{expected a role that an operand of wgrad has, got weight}}
  qt.rule <weight> in <wgrad> -> #fp8
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @rule_c5_no_gradient_in_fprop {
  // In attention's dgrad one operand is an activation.
  qt.rule <activation> in <dgrad> -> #fp8
  // expected-error @+1 {{expected a role that an operand of fprop has, got gradient}}
  qt.rule <gradient> in <fprop> -> #fp8
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @rule_c2_except_leaves_names {
  // expected-error @+1 {{expected texts in 'labels' that 'except' leaves names of, got "up_proj" beside except "proj"}}
  qt.rule <weight> labels ["gate", "up_proj"] except ["bias", "proj"] -> #fp8
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @rule_c2_some_label {
  // expected-error @+1 {{expected at least one text in 'labels', got []}}
  qt.rule <weight> labels [] -> #fp8
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @rule_c2_three_sizes {
  // expected-error @+1 {{expected three sizes, of m, n and k, got 2}}
  qt.rule <weight> sizes [?, 4] -> #fp8
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @rule_c2_size {
  // expected-error @+1 {{expected sizes of at least 0, or '?', got -2}}
  qt.rule <weight> sizes [?, 4, -2] -> #fp8
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// expected-error @+1 {{'qt.rule' op expects parent op 'qt.recipe'}}
qt.rule <weight> -> #fp8

// -----

qt.recipe @keep_c2_first_or_last {
  // expected-error @+1 {{expected one of 'first' and 'last', got both; write a line for each}}
  qt.keep first 1 last 2
}

// -----

qt.recipe @keep_c1_not_none {
  // expected-error @+1 {{expected at least one of in, sites, labels, except, first, last and sizes, got none}}
  "qt.keep"() : () -> ()
}

// -----

qt.recipe @keep_c2_some_site {
  // expected-error @+1 {{expected at least one site, got []}}
  qt.keep sites []
}

// -----

// Every name contains the empty one.
qt.recipe @keep_c2_no_empty_label {
  // expected-error @+1 {{expected texts in 'labels' that not every name contains, got an empty one}}
  qt.keep labels ["head", ""]
}

// -----

qt.recipe @keep_c2_at_least_1 {
  // expected-error @+1 {{expected 'last' to be at least 1, got -1}}
  qt.keep last -1
}

// -----

qt.recipe @promote_c1_first_or_last {
  // expected-error @+1 {{expected one of 'first' and 'last', got both}}
  qt.promote first 1 last 2
}
