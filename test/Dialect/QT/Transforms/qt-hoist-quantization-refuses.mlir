// RUN: fp8-opt %s --split-input-file --qt-hoist-quantization -verify-diagnostics | FileCheck %s
// RUN: sed '/expected-remark/d' %s | fp8-opt --split-input-file --qt-hoist-quantization 2>&1 >/dev/null | FileCheck %s --check-prefix=TOLD
// RUN: sed '/expected-remark/d' %s | fp8-opt --split-input-file --qt-hoist-quantization=remarks=false 2>&1 >/dev/null | not grep .
//
// Where blocks would break, or more bytes would move, the quantizer stays, and a remark says why.
//
// TOLD-COUNT-18: remark: quantizer stays below

// A block of 32 is not a number of rows of 24 (O19: no scale of one axis describes the other side).
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<2x4x24xbf16>) -> !qt.tensor<2x96xbf16, #mx> {
  // CHECK-NEXT: tensor.collapse_shape
  // CHECK-NEXT: qt.quantize
  // CHECK-NEXT: return
  %c = tensor.collapse_shape %x [[0], [1, 2]] : tensor<2x4x24xbf16> into tensor<2x96xbf16>
  // expected-remark @+1 {{quantizer stays below 'tensor.collapse_shape': expected blocks of 32 of a dimension of 96 to be blocks of dimensions of [4, 24] at scale level 0, got [1, 32]}}
  %q = qt.quantize %c : tensor<2x96xbf16> to !qt.tensor<2x96xbf16, #mx>
  return %q : !qt.tensor<2x96xbf16, #mx>
}

// -----

// Scales of columns that a collapse joins with rows.
#column = #qt.scheme<f8E5M2, [#qt.scale<f32 per block [*, 1] by fdiv>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<4xf32>) -> !qt.tensor<2x2xf32, #column> {
  // CHECK-NEXT: tensor.expand_shape
  // CHECK-NEXT: qt.quantize
  %c = tensor.expand_shape %x [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  // expected-remark @+1 {{quantizer stays below 'tensor.expand_shape': expected blocks of [*, 1] of dimensions of [2, 2] to be elements in a row at scale level 0, got parts of several rows}}
  %q = qt.quantize %c : tensor<2x2xf32> to !qt.tensor<2x2xf32, #column>
  return %q : !qt.tensor<2x2xf32, #column>
}

// -----

// A quantizer writes the transpose of its codes only where it stands next to it.
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [*, *, *] by fdiv>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<4x6xf32>) -> !qt.tensor<2x6x2xf32, #fp8> {
  // CHECK-NEXT: %[[E:.*]] = tensor.expand_shape
  // CHECK-NEXT: qt.quantize %[[E]]
  %e = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 2, 6] : tensor<4x6xf32> into tensor<2x2x6xf32>
  // expected-remark @+1 {{expected codes that are read as they are, got a transpose of them}}
  %q = qt.quantize %e : tensor<2x2x6xf32> to !qt.tensor<2x2x6xf32, #fp8>
  %t = qt.transpose %q permutation = [0, 2, 1] : !qt.tensor<2x2x6xf32, #fp8> -> !qt.tensor<2x6x2xf32, #fp8>
  return %t : !qt.tensor<2x6x2xf32, #fp8>
}

// -----

// All quantizers of a value move, or none: together they are one pass over it.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [32, 1] by rceil_mul>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<4x24x64xbf16>) -> (!qt.tensor<96x64xbf16, #mx>, !qt.tensor<96x64xbf16, #column>) {
  // CHECK-NEXT: %[[C:.*]] = tensor.collapse_shape
  // CHECK-NEXT: qt.quantize %[[C]]
  // CHECK-NEXT: qt.quantize %[[C]]
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x24x64xbf16> into tensor<96x64xbf16>
  // expected-remark @+1 {{expected all quantizers of its result to move, got one that stays}}
  %q = qt.quantize %c : tensor<96x64xbf16> to !qt.tensor<96x64xbf16, #mx>
  // expected-remark @+1 {{expected blocks of 32 of a dimension of 96 to be blocks of dimensions of [4, 24] at scale level 0, got [1, 32]}}
  %r = qt.quantize %c : tensor<96x64xbf16> to !qt.tensor<96x64xbf16, #column>
  return %q, %r : !qt.tensor<96x64xbf16, #mx>, !qt.tensor<96x64xbf16, #column>
}

// -----

// Two levels: one amax for a matrix cannot be one for each of its slices.
#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<2x3x40xbf16>) -> !qt.tensor<6x40xbf16, #nv> {
  // CHECK-NEXT: tensor.collapse_shape
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x40xbf16> into tensor<6x40xbf16>
  // expected-remark @+1 {{expected scale level 1 to be one scale for each batch slice, got blocks of [*, *, *]}}
  %q = qt.quantize %c : tensor<6x40xbf16> to !qt.tensor<6x40xbf16, #nv>
  return %q : !qt.tensor<6x40xbf16, #nv>
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<2x3x40xbf16>) -> !qt.tensor<3x2x40xbf16, #fp8> {
  // CHECK: linalg.transpose
  %e = tensor.empty() : tensor<3x2x40xbf16>
  %t = linalg.transpose ins(%x : tensor<2x3x40xbf16>) outs(%e : tensor<3x2x40xbf16>) permutation = [1, 0, 2]
  // expected-remark @+1 {{expected batch dimension 0 to stay in place under a scale level per tensor, got dimension 1}}
  %q = qt.quantize %t : tensor<3x2x40xbf16> to !qt.tensor<3x2x40xbf16, #fp8>
  return %q : !qt.tensor<3x2x40xbf16, #fp8>
}

// -----

// One scale for both parts.
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
func.func @main(%a: tensor<8x64xbf16>, %b: tensor<8x32xbf16>) -> !qt.tensor<8x96xbf16, #fp8> {
  // CHECK-NEXT: tensor.concat
  %c = tensor.concat dim(1) %a, %b : (tensor<8x64xbf16>, tensor<8x32xbf16>) -> tensor<8x96xbf16>
  // expected-remark @+1 {{expected whole blocks of * along dimension 1 at scale level 0 in every operand but the last, got 64 in operand 0}}
  %q = qt.quantize %c : tensor<8x96xbf16> to !qt.tensor<8x96xbf16, #fp8>
  return %q : !qt.tensor<8x96xbf16, #fp8>
}

// -----

// Nothing may be repeated: then the one scale is that of nothing.
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<64xbf16>, %n: index) -> !qt.tensor<?x64xbf16, #fp8> {
  // CHECK: linalg.broadcast
  %e = tensor.empty(%n) : tensor<?x64xbf16>
  %b = linalg.broadcast ins(%x : tensor<64xbf16>) outs(%e : tensor<?x64xbf16>) dimensions = [0]
  // expected-remark @+1 {{expected a known size that is not 0 of new dimension 0 at scale level 0, where a block is all of it, got ?}}
  %q = qt.quantize %b : tensor<?x64xbf16> to !qt.tensor<?x64xbf16, #fp8>
  return %q : !qt.tensor<?x64xbf16, #fp8>
}

// -----

// A zero in a block with a NaN is a NaN.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<5x40xbf16>) -> !qt.tensor<5x64xbf16, #mx> {
  // CHECK: tensor.pad
  %zero = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 0] high[0, 24] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : bf16
  } : tensor<5x40xbf16> to tensor<5x64xbf16>
  // expected-remark @+1 {{expected added zeros to share no block of 32 along dimension 1 at scale level 0 with other elements, got 24 behind 40}}
  %q = qt.quantize %p : tensor<5x64xbf16> to !qt.tensor<5x64xbf16, #mx>
  return %q : !qt.tensor<5x64xbf16, #mx>
}

// -----

// Minus zero has another code in some formats, and one has a magnitude.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<5x64xbf16>, %v: bf16) -> (!qt.tensor<6x64xbf16, #mx>, !qt.tensor<6x64xbf16, #mx>) {
  // CHECK: tensor.pad
  // CHECK: tensor.pad
  %minus = arith.constant -0.0 : bf16
  %p = tensor.pad %x low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %minus : bf16
  } : tensor<5x64xbf16> to tensor<6x64xbf16>
  // expected-remark @+1 {{expected zeros to be added, got other numbers}}
  %q = qt.quantize %p : tensor<6x64xbf16> to !qt.tensor<6x64xbf16, #mx>
  %r = tensor.pad %x low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : bf16
  } : tensor<5x64xbf16> to tensor<6x64xbf16>
  // expected-remark @+1 {{expected zeros to be added, got other numbers}}
  %s = qt.quantize %r : tensor<6x64xbf16> to !qt.tensor<6x64xbf16, #mx>
  return %q, %s : !qt.tensor<6x64xbf16, #mx>, !qt.tensor<6x64xbf16, #mx>
}

// -----

// Others read the transpose, so codes would be moved as well.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<64x64xbf16>) -> (!qt.tensor<64x64xbf16, #mx>, tensor<64x64xbf16>) {
  // CHECK: %[[T:.*]] = linalg.transpose
  // CHECK: qt.quantize %[[T]]
  %e = tensor.empty() : tensor<64x64xbf16>
  %t = linalg.transpose ins(%x : tensor<64x64xbf16>) outs(%e : tensor<64x64xbf16>) permutation = [1, 0]
  // expected-remark @+1 {{quantizer stays below 'linalg.transpose': expected no more bytes to be moved than below it, 12416, got 20864, as others read its result too}}
  %q = qt.quantize %t : tensor<64x64xbf16> to !qt.tensor<64x64xbf16, #mx>
  return %q, %t : !qt.tensor<64x64xbf16, #mx>, tensor<64x64xbf16>
}

// -----

// What a loop does often is not done to codes instead of once before it.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<64x64xbf16>, %n: index) -> tensor<64x64xbf16> {
  // CHECK: linalg.transpose
  // CHECK: scf.for
  // CHECK: qt.quantize
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %e = tensor.empty() : tensor<64x64xbf16>
  %t = linalg.transpose ins(%x : tensor<64x64xbf16>) outs(%e : tensor<64x64xbf16>) permutation = [1, 0]
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %x) -> tensor<64x64xbf16> {
    // expected-remark @+1 {{expected both in one block of the control flow, got the quantizer in another}}
    %q = qt.quantize %t : tensor<64x64xbf16> to !qt.tensor<64x64xbf16, #mx>
    %d = qt.dequantize %q : !qt.tensor<64x64xbf16, #mx> to tensor<64x64xbf16>
    scf.yield %d : tensor<64x64xbf16>
  }
  return %r : tensor<64x64xbf16>
}

// -----

// Scales that are given for other blocks would have to be moved as well.
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<2x3x40xbf16>, %s: tensor<6x1xf32>) -> !qt.tensor<6x40xbf16, #row> {
  // CHECK-NEXT: tensor.collapse_shape
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x40xbf16> into tensor<6x40xbf16>
  %q = qt.quantize %c scales(%s : tensor<6x1xf32>) : tensor<6x40xbf16> to !qt.tensor<6x40xbf16, #row>
  return %q : !qt.tensor<6x40xbf16, #row>
}

// -----

// An op that computes moves nothing, and there is nothing to say (O19: an average does not commute).
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<6x40xbf16>) -> !qt.tensor<6x40xbf16, #row> {
  // CHECK: linalg.generic
  // CHECK: qt.quantize
  %e = tensor.empty() : tensor<6x40xbf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<6x40xbf16>) outs(%e : tensor<6x40xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %d = arith.addf %in, %in : bf16
    linalg.yield %d : bf16
  } -> tensor<6x40xbf16>
  %q = qt.quantize %g : tensor<6x40xbf16> to !qt.tensor<6x40xbf16, #row>
  return %q : !qt.tensor<6x40xbf16, #row>
}

// -----

// Of two orientations of one tensor the second cannot move above its collapse: blocks of 32 of all tokens are no blocks of a
// sequence whose length is not known. The first one could, and stays, as one pass makes both.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
// CHECK: %[[C:.*]] = tensor.collapse_shape
// CHECK: qt.quantize %[[C]] : tensor<?x64xbf16>
func.func @main(%x: tensor<?x?x64xbf16>, %e: tensor<64x?x?xbf16>) -> (!qt.tensor<?x64xbf16, #mx>, !qt.tensor<64x?xbf16, #mx>) {
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x64xbf16> into tensor<?x64xbf16>
  // expected-remark @+1 {{quantizer stays below 'tensor.collapse_shape': expected its other orientations to move too, got one that stays and could be made with it}}
  %q = qt.quantize %c : tensor<?x64xbf16> to !qt.tensor<?x64xbf16, #mx>
  %t = linalg.transpose ins(%x : tensor<?x?x64xbf16>) outs(%e : tensor<64x?x?xbf16>) permutation = [2, 0, 1]
  %d = tensor.collapse_shape %t [[0], [1, 2]] : tensor<64x?x?xbf16> into tensor<64x?xbf16>
  // expected-remark @+1 {{quantizer stays below 'tensor.collapse_shape': expected blocks of 32}}
  %r = qt.quantize %d : tensor<64x?xbf16> to !qt.tensor<64x?xbf16, #mx>
  return %q, %r : !qt.tensor<?x64xbf16, #mx>, !qt.tensor<64x?xbf16, #mx>
}

// -----

// Another half makes it in another pass: the first one moves.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
// CHECK-NEXT: qt.quantize %{{.*}} in <forward> : tensor<?x?x64xbf16>
func.func @main(%x: tensor<?x?x64xbf16>, %e: tensor<64x?xbf16>) -> (!qt.tensor<?x64xbf16, #mx>, !qt.tensor<?x64xbf16, #mx>, !qt.tensor<64x?xbf16, #mx>) {
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x64xbf16> into tensor<?x64xbf16>
  %q = qt.quantize %c in <forward> : tensor<?x64xbf16> to !qt.tensor<?x64xbf16, #mx>
  %b = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x64xbf16> into tensor<?x64xbf16>
  // expected-remark @+1 {{expected all quantizers of its result to move, got one that stays}}
  %p = qt.quantize %b in <backward> : tensor<?x64xbf16> to !qt.tensor<?x64xbf16, #mx>
  %t = linalg.transpose ins(%b : tensor<?x64xbf16>) outs(%e : tensor<64x?xbf16>) permutation = [1, 0]
  // expected-remark @+1 {{quantizer stays below 'tensor.collapse_shape': expected blocks of 32 of a dimension of ?}}
  %r = qt.quantize %t in <backward> : tensor<64x?xbf16> to !qt.tensor<64x?xbf16, #mx>
  return %q, %p, %r : !qt.tensor<?x64xbf16, #mx>, !qt.tensor<?x64xbf16, #mx>, !qt.tensor<64x?xbf16, #mx>
}
