// RUN: fp8-opt %s --canonicalize | FileCheck %s
//
// What is known at compile time is computed at compile time, with the numbers of run time.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#fp4 = #qt.scheme<f4E2M1FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [*, 1] by fdiv>]>
#e = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 1] by fdiv>]>
#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>

// Codes 1D AA 7E 00 80 00 of a given scale of 1: minus zero keeps its sign.
// CHECK-LABEL: func @quantize_by_given_scale
func.func @quantize_by_given_scale() -> !qt.tensor<6xf32, #fp8> {
  // CHECK: qt.constant <dense<[29, -86, 126, 0, -128, 0]> : tensor<6xi8>, [dense<1.000000e+00> : tensor<f32>]>
  %w = arith.constant dense<[0.1, -0.3, 448.0, 0.0, -0.0, 1.0e-4]> : tensor<6xf32>
  %s = arith.constant dense<1.0> : tensor<f32>
  %q = qt.quantize %w scales(%s : tensor<f32>) : tensor<6xf32> to !qt.tensor<6xf32, #fp8>
  return %q : !qt.tensor<6xf32, #fp8>
}

// A splat stays a splat: amax 2 over 448, every code 448.
// CHECK-LABEL: func @quantize_splat
func.func @quantize_splat() -> !qt.tensor<100000x100000xbf16, #fp8> {
  // CHECK: qt.constant <dense<126> : tensor<100000x100000xi8>, [dense<0.00446428591> : tensor<f32>]>
  %w = arith.constant dense<2.0> : tensor<100000x100000xbf16>
  %q = qt.quantize %w : tensor<100000x100000xbf16> to !qt.tensor<100000x100000xbf16, #fp8>
  return %q : !qt.tensor<100000x100000xbf16, #fp8>
}

// Two levels: the tensor's amax is stored, the block's scale is amax / 6 over the tensor's factor, every code is 6.
// CHECK-LABEL: func @quantize_splat_two_levels
func.func @quantize_splat_two_levels() -> !qt.tensor<3x33xbf16, #nv> {
  // CHECK: qt.constant <dense<7> : tensor<3x33xi8>, [dense<126> : tensor<3x3xi8>, dense<3.000000e+00> : tensor<f32>]>
  %w = arith.constant dense<3.0> : tensor<3x33xbf16>
  %q = qt.quantize %w : tensor<3x33xbf16> to !qt.tensor<3x33xbf16, #nv>
  return %q : !qt.tensor<3x33xbf16, #nv>
}

// The second block has one element, and a scale by that element: 2^-2 makes 1 the code of 4, 2^2 makes 16 that of 4.
// CHECK-LABEL: func @quantize_partial_block
func.func @quantize_partial_block() -> !qt.tensor<1x33xf16, #fp4> {
  // CHECK: qt.constant <dense<{{\[}}[6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6]]> : tensor<1x33xi8>, [dense<{{\[}}[125, -127]]> : tensor<1x2xi8>]>
  %w = arith.constant dense<[[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 16.0]]> : tensor<1x33xf16>
  %q = qt.quantize %w : tensor<1x33xf16> to !qt.tensor<1x33xf16, #fp4>
  return %q : !qt.tensor<1x33xf16, #fp4>
}

// A tensor with fewer dimensions than the block has sizes.
// CHECK-LABEL: func @quantize_rank_1
func.func @quantize_rank_1() -> !qt.tensor<2xf32, #fp4> {
  // CHECK: qt.constant <dense<[6, 14]> : tensor<2xi8>, [dense<127> : tensor<1xi8>]>
  %w = arith.constant dense<[4.0, -4.0]> : tensor<2xf32>
  %q = qt.quantize %w : tensor<2xf32> to !qt.tensor<2xf32, #fp4>
  return %q : !qt.tensor<2xf32, #fp4>
}

// CHECK-LABEL: func @quantize_rank_0
func.func @quantize_rank_0() -> !qt.tensor<f32, #fp8> {
  // CHECK: qt.constant <dense<-2> : tensor<i8>, [dense<1.000000e+00> : tensor<f32>]>
  %w = arith.constant dense<-448.0> : tensor<f32>
  %q = qt.quantize %w : tensor<f32> to !qt.tensor<f32, #fp8>
  return %q : !qt.tensor<f32, #fp8>
}

// Nothing has amax 0: a level per tensor has a scale all the same, a block of nothing none.
// CHECK-LABEL: func @quantize_empty
func.func @quantize_empty() -> (!qt.tensor<4x0xf32, #fp8>, !qt.tensor<4x0xf32, #mx>) {
  // CHECK-DAG: qt.constant <dense<> : tensor<4x0xi8>, [dense<1.000000e+00> : tensor<f32>]>
  // CHECK-DAG: qt.constant <dense<> : tensor<4x0xi8>, [dense<> : tensor<4x0xi8>]>
  %w = arith.constant dense<> : tensor<4x0xf32>
  %q = qt.quantize %w : tensor<4x0xf32> to !qt.tensor<4x0xf32, #fp8>
  %r = qt.quantize %w : tensor<4x0xf32> to !qt.tensor<4x0xf32, #mx>
  return %q, %r : !qt.tensor<4x0xf32, #fp8>, !qt.tensor<4x0xf32, #mx>
}

// More rows than memory, and nothing in them.
// CHECK-LABEL: func @quantize_empty_rows
func.func @quantize_empty_rows() -> !qt.tensor<1000000000000x0xf32, #row> {
  // CHECK: qt.constant <dense<> : tensor<1000000000000x0xi8>, [dense<1.000000e+00> : tensor<1000000000000x1xf32>]>
  %w = arith.constant dense<> : tensor<1000000000000x0xf32>
  %q = qt.quantize %w : tensor<1000000000000x0xf32> to !qt.tensor<1000000000000x0xf32, #row>
  return %q : !qt.tensor<1000000000000x0xf32, #row>
}

// CHECK-LABEL: func @quantize_splat_by_given_scale
func.func @quantize_splat_by_given_scale() -> !qt.tensor<100000x100000xf32, #row> {
  // CHECK: qt.constant <dense<64> : tensor<100000x100000xi8>, [dense<5.000000e-01> : tensor<100000x1xf32>]>
  %w = arith.constant dense<1.0> : tensor<100000x100000xf32>
  %s = arith.constant dense<0.5> : tensor<100000x1xf32>
  %q = qt.quantize %w scales(%s : tensor<100000x1xf32>)
    : tensor<100000x100000xf32> to !qt.tensor<100000x100000xf32, #row>
  return %q : !qt.tensor<100000x100000xf32, #row>
}

// Codes and scales of a transpose move, scales of rows become scales of columns.
// CHECK-LABEL: func @transpose_constant
func.func @transpose_constant() -> !qt.tensor<3x2xf32, #column> {
  // CHECK: qt.constant <dense<{{\[}}[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi8>, [dense<{{\[}}[5.000000e-01, 2.000000e+00]]> : tensor<1x2xf32>]>
  %q = qt.constant <dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>, [dense<[[0.5], [2.0]]> : tensor<2x1xf32>]>
    : !qt.tensor<2x3xf32, #row>
  %t = qt.transpose %q permutation = [1, 0] : !qt.tensor<2x3xf32, #row> -> !qt.tensor<3x2xf32, #column>
  return %t : !qt.tensor<3x2xf32, #column>
}

// CHECK-LABEL: func @transpose_constant_three_dimensions
func.func @transpose_constant_three_dimensions() -> !qt.tensor<3x1x2xf32, #e> {
  // CHECK: qt.constant <dense<{{\[}}{{\[}}[1, 4]], {{\[}}[2, 5]], {{\[}}[3, 6]]]> : tensor<3x1x2xi8>
  %q = qt.constant <dense<[[[1, 2, 3], [4, 5, 6]]]> : tensor<1x2x3xi8>, [dense<1.0> : tensor<1x2x3xf32>]>
    : !qt.tensor<1x2x3xf32, #e>
  %t = qt.transpose %q permutation = [2, 0, 1] : !qt.tensor<1x2x3xf32, #e> -> !qt.tensor<3x1x2xf32, #e>
  return %t : !qt.tensor<3x1x2xf32, #e>
}

// CHECK-LABEL: func @disassemble_constant
func.func @disassemble_constant() -> (tensor<2xi8>, tensor<f32>) {
  // CHECK-DAG: arith.constant dense<[29, 126]> : tensor<2xi8>
  // CHECK-DAG: arith.constant dense<5.000000e-01> : tensor<f32>
  // CHECK-NOT: qt.
  %q = qt.constant <dense<[29, 126]> : tensor<2xi8>, [dense<0.5> : tensor<f32>]> : !qt.tensor<2xf32, #fp8>
  %c, %s = qt.disassemble %q : !qt.tensor<2xf32, #fp8> -> tensor<2xi8>, tensor<f32>
  return %c, %s : tensor<2xi8>, tensor<f32>
}

// CHECK-LABEL: func @assemble_constants
func.func @assemble_constants() -> !qt.tensor<2xf32, #fp8> {
  // CHECK: qt.constant <dense<[29, 126]> : tensor<2xi8>, [dense<5.000000e-01> : tensor<f32>]>
  %c = arith.constant dense<[29, 126]> : tensor<2xi8>
  %s = arith.constant dense<0.5> : tensor<f32>
  %q = qt.assemble %c, %s : tensor<2xi8>, tensor<f32> -> !qt.tensor<2xf32, #fp8>
  return %q : !qt.tensor<2xf32, #fp8>
}

// Codes are smaller than what they stand for.
// CHECK-LABEL: func @dequantize_constant_stays
func.func @dequantize_constant_stays() -> tensor<2xf32> {
  // CHECK: qt.constant
  // CHECK-NEXT: qt.dequantize
  %q = qt.constant <dense<[29, 126]> : tensor<2xi8>, [dense<0.5> : tensor<f32>]> : !qt.tensor<2xf32, #fp8>
  %x = qt.dequantize %q : !qt.tensor<2xf32, #fp8> to tensor<2xf32>
  return %x : tensor<2xf32>
}
