// RUN: fp8-opt %s -verify-diagnostics -split-input-file
//
// Every constraint of qt.matmul, and what quantized tensors are not for, has a program that breaks it alone.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @matmul_c1_rank(%a: !qt.tensor<5xf32, #fp8>, %b: !qt.tensor<5xf32, #fp8>) {
  // expected-error @+1 {{'qt.matmul' op expected operands of one rank of at least 2, got 1 for 'lhs' and 1 for 'rhs'}}
  qt.matmul %a, %b : !qt.tensor<5xf32, #fp8>, !qt.tensor<5xf32, #fp8> -> tensor<f32>
  return
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @matmul_c1_equal_k(%a: !qt.tensor<2x5xf32, #fp8>, %b: !qt.tensor<5x3xf32, #fp8>) {
  // expected-error @+1 {{'qt.matmul' op expected dimension 1 of 'rhs' (K) to be 5, got 3}}
  qt.matmul %a, %b : !qt.tensor<2x5xf32, #fp8>, !qt.tensor<5x3xf32, #fp8> -> tensor<2x5xf32>
  return
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @matmul_c1_equal_batch(%a: !qt.tensor<4x2x5xf32, #fp8>, %b: !qt.tensor<7x3x5xf32, #fp8>) {
  // expected-error @+1 {{'qt.matmul' op expected dimension 0 of 'rhs' (batch) to be 4, got 7}}
  qt.matmul %a, %b : !qt.tensor<4x2x5xf32, #fp8>, !qt.tensor<7x3x5xf32, #fp8> -> tensor<4x2x3xf32>
  return
}

// -----

#k = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#n = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [32, 1] by rceil_mul>]>
func.func @matmul_c2_blocked_along_k(%a: !qt.tensor<2x65xf32, #k>, %b: !qt.tensor<3x65xf32, #n>) {
  // expected-error @+1 {{'qt.matmul' op expected operand 'rhs' to be blocked along dimension 1, got a block of [32, 1]}}
  qt.matmul %a, %b : !qt.tensor<2x65xf32, #k>, !qt.tensor<3x65xf32, #n> -> tensor<2x3xf32>
  return
}

// -----

#b32 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 32] by fdiv>]>
#b48 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 48] by fdiv>]>
func.func @matmul_c3_blocks_nest(%a: !qt.tensor<2x65xf32, #b32>, %b: !qt.tensor<3x65xf32, #b48>) {
  // expected-error @+1 {{'qt.matmul' op expected block sizes along K of which the larger is a multiple of the smaller, got 32 for 'lhs' and 48 for 'rhs'}}
  qt.matmul %a, %b : !qt.tensor<2x65xf32, #b32>, !qt.tensor<3x65xf32, #b48> -> tensor<2x3xf32>
  return
}

// -----

// A block that covers all of K nests with any other.
#b32 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 32] by fdiv>]>
#b48 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 48] by fdiv>]>
func.func @matmul_c3_not_on_short_k(%a: !qt.tensor<2x40xf32, #b32>, %b: !qt.tensor<3x40xf32, #b48>) {
  qt.matmul %a, %b : !qt.tensor<2x40xf32, #b32>, !qt.tensor<3x40xf32, #b48> -> tensor<2x3xf32>
  return
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @matmul_c4_result(%a: !qt.tensor<2x5xf32, #fp8>, %b: !qt.tensor<3x5xf32, #fp8>) {
  // expected-error @+1 {{'qt.matmul' op expected a result of shape 2x3, got 3x2}}
  qt.matmul %a, %b : !qt.tensor<2x5xf32, #fp8>, !qt.tensor<3x5xf32, #fp8> -> tensor<3x2xf32>
  return
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @matmul_c4_addend(%a: !qt.tensor<2x5xf32, #fp8>, %b: !qt.tensor<3x5xf32, #fp8>, %c: tensor<3xf32>) {
  // expected-error @+1 {{'qt.matmul' op expected an addend of shape 2x3, got 3}}
  qt.matmul %a, %b plus %c : tensor<3xf32> : !qt.tensor<2x5xf32, #fp8>, !qt.tensor<3x5xf32, #fp8> -> tensor<2x3xf32>
  return
}

// -----

// Nothing reads codes as numbers.
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @no_arithmetic(%a: !qt.tensor<2x5xf32, #fp8>) {
  // expected-error @+1 {{'arith.addf' op operand #0 must be floating-point-like}}
  "arith.addf"(%a, %a) : (!qt.tensor<2x5xf32, #fp8>, !qt.tensor<2x5xf32, #fp8>) -> !qt.tensor<2x5xf32, #fp8>
  return
}
