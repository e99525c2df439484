// RUN: fp8-opt %s -verify-diagnostics -split-input-file
//
// Every constraint of attributes and types has a program that breaks it alone.

func.func @scale_c1_block_at_least_1() attributes {
  // expected-error @+1 {{expected a block size of at least 1 or '*', got 0}}
  a = #qt.scale<f32 per block [1, 0] by fdiv>
} { return }

// -----

// -1 would be '*'.
func.func @scale_c1_no_negative_block() attributes {
  // expected-error @+1 {{expected a block size of at least 1 or '*', got -1}}
  a = #qt.scale<f32 per block [1, -1] by fdiv>
} { return }

// -----

// No size would be 'per tensor'.
func.func @scale_c1_no_empty_block() attributes {
  // expected-error @+1 {{expected a block of at least one size, got []}}
  a = #qt.scale<f32 per block [] by fdiv>
} { return }

// -----

func.func @scale_c2_floor_not_negative() attributes {
  // expected-error @+1 {{expected a finite floor of at least 0, got -1.0}}
  a = #qt.scale<f32 per tensor by fdiv, floor = -1.0>
} { return }

// -----

// More than f32 holds.
func.func @scale_c2_floor_finite() attributes {
  // expected-error @+1 {{expected a finite floor of at least 0, got}}
  a = #qt.scale<f32 per tensor by fdiv, floor = 1.0e300>
} { return }

// -----

func.func @scale_names_a_format() attributes {
  // expected-error @+1 {{expected the name of a scale format, got 'f9E4M3FN'; scale formats are f8E4M3FN, f8E8M0FNU, f32}}
  a = #qt.scale<f9E4M3FN per tensor by fdiv>
} { return }

// -----

func.func @scale_names_a_rule() attributes {
  // expected-error @+1 {{expected the name of a scale rule, got 'fdvi'; scale rules are fdiv, fdiv_dec, fdiv_f64, fdiv_pow2, floor, ceil, even, rceil_mul, rceil_div, nvfp4, fdiv_te, fdiv_pow2_te, rceil_mul_te, nvfp4_te}}
  a = #qt.scale<f32 per tensor by fdvi>
} { return }

// -----

func.func @scale_says_per_what() attributes {
  // expected-error @+1 {{expected 'block' or 'tensor'}}
  a = #qt.scale<f32 per row by fdiv>
} { return }

// -----

func.func @scale_knows_its_options() attributes {
  // expected-error @+1 {{expected floor, zero, inf, nan, overflow, stored or apply, got 'seed'}}
  a = #qt.scale<f32 per tensor by fdiv, seed = 1>
} { return }

// -----

func.func @scheme_c1_has_levels() attributes {
  // expected-error @+1 {{expected one or two scale levels, got 0}}
  a = #qt.scheme<f8E4M3FN, []>
} { return }

// -----

func.func @scheme_names_a_format() attributes {
  // expected-error @+1 {{expected the name of a code format, got 'f8Exyz'; code formats are f8E4M3FN, f8E5M2, f8E4M3, f8E4M3FNUZ, f8E5M2FNUZ, f6E2M3FN, f6E3M2FN, f4E2M1FN, f12E5M6, int8, ternary, f16}}
  a = #qt.scheme<f8Exyz, [#qt.scale<f32 per tensor by fdiv>]>
} { return }

// -----

func.func @scheme_c1_code_format() attributes {
  // expected-error @+1 {{expected a code format of at most 16 bits with a sign, got f32}}
  a = #qt.scheme<f32, [#qt.scale<f32 per tensor by fdiv>]>
} { return }

// -----

// A scale of a byte is a power of two by its type: an f32 scale under a rule that gives bytes is refused, not rounded.
func.func @scheme_c1_scale_type_of_rule() attributes {
  // expected-error @+1 {{expected scales of type f8E8M0FNU in scale level 0, as rule rceil_mul gives, got f32}}
  a = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 32] by rceil_mul>]>
} { return }

// -----

func.func @scheme_knows_its_options() attributes {
  // expected-error @+1 {{expected rounding, overflow or nan, got 'round'}}
  a = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>], round = nearest_even>
} { return }

// -----

func.func @linear_c1_id() attributes {
  // expected-error @+1 {{expected the id of a linear layer to be at least 0, got -2}}
  a = #qt.linear<-2>
} { return }

// -----

func.func @linear_c1_argument() attributes {
  // expected-error @+1 {{expected the number of an argument to be at least 0, got -3}}
  a = #qt.linear<2, argument = -3>
} { return }

// -----

func.func @linear_c1_axis_once() attributes {
  // expected-error @+1 {{expected each axis of sums once, got 1 twice}}
  a = #qt.linear<2, argument = 3, sums = [1, 0, 1]>
} { return }

// -----

func.func @linear_unknown_field() attributes {
  // expected-error @+1 {{expected argument, sums or parts, each once, got 'part'}}
  a = #qt.linear<2, part = [1]>
} { return }

// -----

func.func @linear_c2_parts_beside_an_argument() attributes {
  // expected-error @+1 {{expected parts only without an argument, got 2}}
  a = #qt.linear<2, argument = 3, parts = [0, 1]>
} { return }

// -----

func.func @linear_c2_part_once() attributes {
  // expected-error @+1 {{expected each part once, got 4 twice}}
  a = #qt.linear<2, parts = [4, 1, 4]>
} { return }

// -----

func.func @linear_c2_part() attributes {
  // expected-error @+1 {{expected the parts to be at least 0, got -1}}
  a = #qt.linear<2, parts = [-1]>
} { return }

// -----

func.func @linear_c1_sums_of_an_argument() attributes {
  // expected-error @+1 {{expected sums only beside an argument, got 1}}
  a = #qt.linear<2, sums = [1]>
} { return }

// -----

func.func @entry_c1_four_sizes() attributes {
  // expected-error @+1 {{expected four sizes, of batch, m, n and k, got 3}}
  a = #qt.entry<location = loc(unknown), sizes = [5, 7, 3], kept = <site, "head">>
} { return }

// -----

func.func @entry_c2_schemes_or_kept() attributes {
  // expected-error @+1 {{expected exactly one of schemes and kept, got none}}
  a = #qt.entry<location = loc(unknown), sizes = [1, 5, 7, 3]>
} { return }

// -----

func.func @dense_c1_codes_are_a_tensor() attributes {
  // expected-error @+1 {{expected codes that are a ranked tensor, got 'vector<2xi8>'}}
  a = #qt.dense<dense<0> : vector<2xi8>, [dense<1.0> : tensor<f32>]>
} { return }

// -----

func.func @dense_c1_scales_are_tensors() attributes {
  // expected-error @+1 {{expected scales of level 0 that are a ranked tensor, got 'vector<1xf32>'}}
  a = #qt.dense<dense<0> : tensor<2xi8>, [dense<1.0> : vector<1xf32>]>
} { return }

// -----

func.func @cost_c1_no_negative_bytes() attributes {
  // expected-error @+1 {{expected numbers of bytes that are at least 0, got -1}}
  a = #qt.cost<early, kept = 0, read = -1, written = 0>
} { return }

// -----

func.func @plan_c1_no_negative_bytes() attributes {
  // expected-error @+1 {{expected numbers of bytes that are at least 0, got -2}}
  a = #qt.plan<kept = 0 of 0, read = 0 of 0, written = 0 of -2>
} { return }

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// expected-error @+1 {{expected an expressed type of bf16, f16 or f32, got 'f64'}}
func.func private @tensor_c1_expressed(!qt.tensor<2x3xf64, #fp8>)

// -----

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [2, 32] by fdiv>]>
// expected-error @+1 {{expected the block of scale level 0 to have at most 1 size, the tensor's rank, after leading ones, got #qt.scale<f32 per block [2, 32] by fdiv>}}
func.func private @tensor_c2_rank_of_block(!qt.tensor<3xf32, #block>)

// -----

#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [2, 1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
// expected-error @+1 {{expected blocks of scale level 0 within one batch slice, as scale level 1 has a scale for each, got a block of 2 along a batch dimension}}
func.func private @tensor_c3_blocks_within_a_slice(!qt.tensor<4x3x32xf32, #nv>)

// -----

// What is misspelt in an enum is told with what there is.
func.func @role_word(
  // expected-error @+1 {{expected <activation>, <weight> or <gradient>, got 'wieght'}}
  %x: tensor<2xf32> {qt.role = #qt.role<wieght>}) { return }

// -----

func.func @roles_word() attributes {
  // expected-error @+1 {{expected activation, weight or gradient, got 'wieght'}}
  a = #qt.roles<activation, wieght>
} { return }

// -----

func.func @no_word() attributes {
  // expected-error @+1 {{expected <fprop>, <dgrad> or <wgrad>}}
  a = #qt.gemm<1>
} { return }
