// RUN: fp8-opt %s --split-input-file --qt-hoist-quantization 2>&1 | FileCheck %s
// RUN: fp8-opt %s --split-input-file --qt-hoist-quantization --canonicalize | FileCheck %s --check-prefix=FOLDED
//
// A quantizer moves above what only moves elements, and codes and scales move instead.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// Blocks along rows of the transpose are blocks along columns of its operand.
// CHECK: #[[MX:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK: #[[COLUMN:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [32, 1] by rceil_mul>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<64x40xbf16>
func.func @main(%x: tensor<64x40xbf16>) -> !qt.tensor<40x64xbf16, #mx> {
  // CHECK-NOT: linalg.transpose
  // CHECK-NOT: tensor.empty
  // CHECK: %[[Q:.*]] = qt.quantize %[[X]] in <backward> : tensor<64x40xbf16> to !qt.tensor<64x40xbf16, #[[COLUMN]]>
  // CHECK: %[[T:.*]] = qt.transpose %[[Q]] permutation = [1, 0] : !qt.tensor<64x40xbf16, #[[COLUMN]]> -> !qt.tensor<40x64xbf16, #[[MX]]>
  // CHECK: return %[[T]]
  %e = tensor.empty() : tensor<40x64xbf16>
  %t = linalg.transpose ins(%x : tensor<64x40xbf16>) outs(%e : tensor<40x64xbf16>) permutation = [1, 0]
  %q = qt.quantize %t in <backward> : tensor<40x64xbf16> to !qt.tensor<40x64xbf16, #mx>
  return %q : !qt.tensor<40x64xbf16, #mx>
}

// -----

// One scale for a matrix is one for all of what was collapsed to it.
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK: #[[ALL:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [*, *, *] by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x40xbf16>
func.func @main(%x: tensor<2x3x40xbf16>) -> !qt.tensor<6x40xbf16, #fp8> {
  // CHECK-NEXT: %[[Q:.*]] = qt.quantize %[[X]] : tensor<2x3x40xbf16> to !qt.tensor<2x3x40xbf16, #[[ALL]]>
  // CHECK-NEXT: qt.reshape %[[Q]] {{\[\[}}0, 1], [2]]
  // CHECK-NEXT: return
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x40xbf16> into tensor<6x40xbf16>
  %q = qt.quantize %c : tensor<6x40xbf16> to !qt.tensor<6x40xbf16, #fp8>
  return %q : !qt.tensor<6x40xbf16, #fp8>
}

// -----

// The second orientation of a collapsed value: transposed where the quantizer stands, then collapsed.
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<2x256x64xbf16>
func.func @main(%x: tensor<2x256x64xbf16>) -> (!qt.tensor<512x64xbf16, #row>, !qt.tensor<64x512xbf16, #row>) {
  // CHECK-NOT: linalg.transpose
  // CHECK: %[[Q:.*]] = qt.quantize %[[X]]
  // CHECK: %[[R:.*]] = qt.reshape %[[Q]] {{\[\[}}0, 1], [2]]
  // CHECK: %[[P:.*]] = qt.quantize %[[X]]
  // CHECK: %[[T:.*]] = qt.transpose %[[P]] permutation = [2, 0, 1]
  // CHECK: %[[U:.*]] = qt.reshape %[[T]] {{\[\[}}0], [1, 2]]
  // CHECK: return %[[R]], %[[U]]
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x256x64xbf16> into tensor<512x64xbf16>
  %e = tensor.empty() : tensor<64x512xbf16>
  %t = linalg.transpose ins(%c : tensor<512x64xbf16>) outs(%e : tensor<64x512xbf16>) permutation = [1, 0]
  %q = qt.quantize %c : tensor<512x64xbf16> to !qt.tensor<512x64xbf16, #row>
  %r = qt.quantize %t : tensor<64x512xbf16> to !qt.tensor<64x512xbf16, #row>
  return %q, %r : !qt.tensor<512x64xbf16, #row>, !qt.tensor<64x512xbf16, #row>
}

// -----

// Sizes that are known at run time only go along.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<?x40xbf16>, %[[N:.*]]: index, %[[M:.*]]: index
func.func @main(%x: tensor<?x40xbf16>, %n: index, %m: index) -> !qt.tensor<?x?x40xbf16, #mx> {
  // CHECK-NEXT: %[[Q:.*]] = qt.quantize %[[X]]
  // CHECK-NEXT: qt.reshape %[[Q]] {{\[\[}}0, 1], [2]] sizes(%[[N]], %[[M]])
  %c = tensor.expand_shape %x [[0, 1], [2]] output_shape [%n, %m, 40] : tensor<?x40xbf16> into tensor<?x?x40xbf16>
  %q = qt.quantize %c : tensor<?x?x40xbf16> to !qt.tensor<?x?x40xbf16, #mx>
  return %q : !qt.tensor<?x?x40xbf16, #mx>
}

// -----

// Each part of a concatenation is quantized, the last may be partial.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[A:.*]]: tensor<8x64xbf16>, %[[B:.*]]: tensor<8x20xbf16>
func.func @main(%a: tensor<8x64xbf16>, %b: tensor<8x20xbf16>) -> !qt.tensor<8x84xbf16, #mx> {
  // CHECK-NEXT: %[[QA:.*]] = qt.quantize %[[A]]
  // CHECK-NEXT: %[[QB:.*]] = qt.quantize %[[B]]
  // CHECK-NEXT: qt.concat dim(1) %[[QA]], %[[QB]]
  // CHECK-NEXT: return
  %c = tensor.concat dim(1) %a, %b : (tensor<8x64xbf16>, tensor<8x20xbf16>) -> tensor<8x84xbf16>
  %q = qt.quantize %c : tensor<8x84xbf16> to !qt.tensor<8x84xbf16, #mx>
  return %q : !qt.tensor<8x84xbf16, #mx>
}

// -----

// Fewer elements are quantized before they are repeated. A size that is only known at run time goes along.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<64xbf16>, %[[N:.*]]: index
func.func @main(%x: tensor<64xbf16>, %n: index) -> !qt.tensor<?x64xbf16, #mx> {
  // CHECK-NEXT: %[[Q:.*]] = qt.quantize %[[X]]
  // CHECK-NEXT: qt.broadcast %[[Q]] dimensions = [0] sizes(%[[N]])
  // CHECK-NEXT: return
  %e = tensor.empty(%n) : tensor<?x64xbf16>
  %b = linalg.broadcast ins(%x : tensor<64xbf16>) outs(%e : tensor<?x64xbf16>) dimensions = [0]
  %q = qt.quantize %b : tensor<?x64xbf16> to !qt.tensor<?x64xbf16, #mx>
  return %q : !qt.tensor<?x64xbf16, #mx>
}

// -----

// An all-parallel generic that yields what it reads is a transpose and a broadcast.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<64x5xbf16>
func.func @main(%x: tensor<64x5xbf16>) -> !qt.tensor<5x3x64xbf16, #mx> {
  // CHECK-NOT: linalg.generic
  // CHECK: %[[Q:.*]] = qt.quantize %[[X]]
  // CHECK: %[[T:.*]] = qt.transpose %[[Q]] permutation = [1, 0]
  // CHECK: qt.broadcast %[[T]] dimensions = [1]
  %e = tensor.empty() : tensor<5x3x64xbf16>
  %b = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (i, j, k)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<64x5xbf16>) outs(%e : tensor<5x3x64xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<5x3x64xbf16>
  %q = qt.quantize %b : tensor<5x3x64xbf16> to !qt.tensor<5x3x64xbf16, #mx>
  return %q : !qt.tensor<5x3x64xbf16, #mx>
}

// -----

// Rows of zeros are blocks of their own.
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<5x40xbf16>, %[[N:.*]]: index
func.func @main(%x: tensor<5x40xbf16>, %n: index) -> !qt.tensor<?x40xbf16, #row> {
  // CHECK-NOT: tensor.pad
  // CHECK: %[[Q:.*]] = qt.quantize %[[X]]
  // CHECK: qt.pad %[[Q]] low[0, 0] high[%[[N]], 0]
  %zero = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 0] high[%n, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : bf16
  } : tensor<5x40xbf16> to tensor<?x40xbf16>
  %q = qt.quantize %p : tensor<?x40xbf16> to !qt.tensor<?x40xbf16, #row>
  return %q : !qt.tensor<?x40xbf16, #row>
}

// -----

// What arrives where an equal quantizer is becomes that one; halves stay apart.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x40xbf16>
func.func @main(%x: tensor<2x3x40xbf16>)
    -> (!qt.tensor<6x40xbf16, #mx>, !qt.tensor<2x3x40xbf16, #mx>, !qt.tensor<6x40xbf16, #mx>) {
  // CHECK-NEXT: %[[Q:.*]] = qt.quantize %[[X]] in <forward>
  // CHECK-NEXT: %[[R:.*]] = qt.reshape %[[Q]]
  // CHECK-NEXT: %[[P:.*]] = qt.quantize %[[X]] in <backward>
  // CHECK-NEXT: %[[S:.*]] = qt.reshape %[[P]]
  // CHECK-NEXT: return %[[R]], %[[Q]], %[[S]]
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x40xbf16> into tensor<6x40xbf16>
  %q = qt.quantize %c in <forward> : tensor<6x40xbf16> to !qt.tensor<6x40xbf16, #mx>
  %r = qt.quantize %x in <forward> : tensor<2x3x40xbf16> to !qt.tensor<2x3x40xbf16, #mx>
  %s = qt.quantize %c in <backward> : tensor<6x40xbf16> to !qt.tensor<6x40xbf16, #mx>
  return %q, %r, %s : !qt.tensor<6x40xbf16, #mx>, !qt.tensor<2x3x40xbf16, #mx>, !qt.tensor<6x40xbf16, #mx>
}

// -----

// A whole chain, in a loop: the quantizer stays in the loop, and nothing below its first value stays.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<2x4x32x64xbf16>, %n: index) -> tensor<2x4x32x64xbf16> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: scf.for
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %x) -> tensor<2x4x32x64xbf16> {
    // CHECK: %[[D:.*]] = linalg.add
    // CHECK-NEXT: %[[Q:.*]] = qt.quantize %[[D]]
    // CHECK-NEXT: %[[T:.*]] = qt.transpose %[[Q]] permutation = [0, 2, 1, 3]
    // CHECK-NEXT: %[[R:.*]] = qt.reshape %[[T]] {{\[\[}}0, 1], [2, 3]]
    // CHECK-NEXT: qt.dequantize %[[R]]
    %e = tensor.empty() : tensor<2x4x32x64xbf16>
    %d = linalg.add ins(%y, %y : tensor<2x4x32x64xbf16>, tensor<2x4x32x64xbf16>) outs(%e : tensor<2x4x32x64xbf16>) -> tensor<2x4x32x64xbf16>
    %f = tensor.empty() : tensor<2x32x4x64xbf16>
    %t = linalg.transpose ins(%d : tensor<2x4x32x64xbf16>) outs(%f : tensor<2x32x4x64xbf16>) permutation = [0, 2, 1, 3]
    %c = tensor.collapse_shape %t [[0, 1], [2, 3]] : tensor<2x32x4x64xbf16> into tensor<64x256xbf16>
    %q = qt.quantize %c : tensor<64x256xbf16> to !qt.tensor<64x256xbf16, #mx>
    %v = qt.dequantize %q : !qt.tensor<64x256xbf16, #mx> to tensor<64x256xbf16>
    %w = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [2, 32, 4, 64] : tensor<64x256xbf16> into tensor<2x32x4x64xbf16>
    %g = tensor.empty() : tensor<2x4x32x64xbf16>
    %z = linalg.transpose ins(%w : tensor<2x32x4x64xbf16>) outs(%g : tensor<2x4x32x64xbf16>) permutation = [0, 2, 1, 3]
    scf.yield %z : tensor<2x4x32x64xbf16>
  }
  return %r : tensor<2x4x32x64xbf16>
}

// -----

// O19: a decoded value that is reshaped and quantized again by its own scale is its codes, reshaped.
#fp8 = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[C:.*]]: tensor<2x2xi8>, %[[S:.*]]: tensor<f32>
func.func @main(%codes: tensor<2x2xi8>, %scale: tensor<f32>) -> !qt.tensor<4xf32, #fp8> {
  // CHECK-NEXT: %[[Q:.*]] = qt.assemble %[[C]], %[[S]]
  // CHECK-NEXT: %[[D:.*]] = qt.dequantize %[[Q]]
  // CHECK-NEXT: %[[P:.*]] = qt.quantize %[[D]] scales(%[[S]] : tensor<f32>)
  // CHECK-NEXT: qt.reshape %[[P]] {{\[\[}}0, 1]]
  // CHECK-NEXT: return
  // FOLDED: %[[Q:.*]] = qt.assemble
  // FOLDED-NEXT: qt.reshape %[[Q]] {{\[\[}}0, 1]]
  // FOLDED-NEXT: return
  %q = qt.assemble %codes, %scale : tensor<2x2xi8>, tensor<f32> -> !qt.tensor<2x2xf32, #fp8>
  %d = qt.dequantize %q : !qt.tensor<2x2xf32, #fp8> to tensor<2x2xf32>
  %c = tensor.collapse_shape %d [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %r = qt.quantize %c scales(%scale : tensor<f32>) : tensor<4xf32> to !qt.tensor<4xf32, #fp8>
  return %r : !qt.tensor<4xf32, #fp8>
}
