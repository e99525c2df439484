// RUN: fp8-opt %s --qt-match-operand-axes --split-input-file | FileCheck %s
//
// Bytes where sizes are known at run time only: a dynamic size of an argument counts as 1, others as what comes of those. The
// source is of bf16 and read once: two bytes an element.

#m = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 16] by fdiv>]>

// A value of batch by heads is as large as the codes of a view that has the heads apart: 64 elements.
// CHECK-LABEL: module attributes
// CHECK-SAME: <<early, kept = 80, read = 0, written = 80> over [<again, kept = 128, read = 128, written = 80>]
func.func @main(%h: tensor<?x4x16xbf16>) -> (tensor<?x?xf32>, tensor<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %d = tensor.dim %h, %c0 : tensor<?x4x16xbf16>
  %g = tensor.collapse_shape %h [[0, 1], [2]] : tensor<?x4x16xbf16> into tensor<?x16xbf16>
  %x = math.exp %g : tensor<?x16xbf16>
  %a = tensor.expand_shape %x [[0, 1], [2]] output_shape [%d, 4, 16] : tensor<?x16xbf16> into tensor<?x4x16xbf16>
  %v = tensor.collapse_shape %a [[0], [1, 2]] : tensor<?x4x16xbf16> into tensor<?x64xbf16>
  %q = qt.quantize %v in <forward> : tensor<?x64xbf16> to !qt.tensor<?x64xbf16, #m>
  %y = qt.matmul %q, %q : !qt.tensor<?x64xbf16, #m>, !qt.tensor<?x64xbf16, #m> -> tensor<?x?xf32>
  %e = tensor.empty(%d) : tensor<64x?xbf16>
  %vt = linalg.transpose ins(%v : tensor<?x64xbf16>) outs(%e : tensor<64x?xbf16>) permutation = [1, 0]
  %qt = qt.quantize %vt in <backward> : tensor<64x?xbf16> to !qt.tensor<64x?xbf16, #m>
  %p = qt.matmul %qt, %qt : !qt.tensor<64x?xbf16, #m>, !qt.tensor<64x?xbf16, #m> -> tensor<64x64xf32>
  return %y, %p : tensor<?x?xf32>, tensor<64x64xf32>
}

// -----

// Products, quotients and sums of sizes, in what tensor.empty makes: 6 by 16, and 2 by 16 of a third of it.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 16] by fdiv>]>
#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<single, kept = 0, read = 192, written = 120>
// CHECK-SAME: <<single, kept = 0, read = 64, written = 40>
func.func @main(%h: tensor<?x16xbf16>, %f: bf16) -> (!qt.tensor<?x16xbf16, #s>, !qt.tensor<?x16xbf16, #s>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %d = tensor.dim %h, %c0 : tensor<?x16xbf16>
  %six = arith.muli %d, %c6 : index
  %more = arith.addi %six, %c1 : index
  %e = tensor.empty(%more) : tensor<?x16xbf16>
  %x = linalg.fill ins(%f : bf16) outs(%e : tensor<?x16xbf16>) -> tensor<?x16xbf16>
  %q = qt.quantize %x : tensor<?x16xbf16> to !qt.tensor<?x16xbf16, #s>
  %third = arith.divui %more, %c3 : index
  %t = tensor.extract_slice %x[0, 0] [%third, 16] [1, 1] : tensor<?x16xbf16> to tensor<?x16xbf16>
  %r = qt.quantize %t : tensor<?x16xbf16> to !qt.tensor<?x16xbf16, #s>
  return %q, %r : !qt.tensor<?x16xbf16, #s>, !qt.tensor<?x16xbf16, #s>
}

// -----

// A concatenation has the elements of its parts, and a loop carries what goes into it: 3 by 16.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 16] by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<single, kept = 0, read = 96, written = 60>{{.*}} nested
func.func @main(%h: tensor<?x16xbf16>, %n: index) -> tensor<?x16xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.concat dim(0) %h, %h, %h : (tensor<?x16xbf16>, tensor<?x16xbf16>, tensor<?x16xbf16>) -> tensor<?x16xbf16>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<?x16xbf16> {
    %q = qt.quantize %v : tensor<?x16xbf16> to !qt.tensor<?x16xbf16, #s>
    %w = qt.dequantize %q : !qt.tensor<?x16xbf16, #s> to tensor<?x16xbf16>
    scf.yield %w : tensor<?x16xbf16>
  }
  return %y : tensor<?x16xbf16>
}

// -----

// The same in scf.while; a reshape to loaded sizes has the elements of its operand: 4 by 16, then 8 by 8.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 8] by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<single, kept = 0, read = 128, written = 96>
func.func @main(%h: tensor<?x4x16xbf16>, %n: index, %shape: tensor<2xindex>) -> !qt.tensor<?x8xbf16, #s> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = tensor.collapse_shape %h [[0, 1], [2]] : tensor<?x4x16xbf16> into tensor<?x16xbf16>
  %y:2 = scf.while (%i = %c0, %v = %g) : (index, tensor<?x16xbf16>) -> (index, tensor<?x16xbf16>) {
    %go = arith.cmpi ult, %i, %n : index
    scf.condition(%go) %i, %v : index, tensor<?x16xbf16>
  } do {
  ^bb0(%i: index, %v: tensor<?x16xbf16>):
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %v : index, tensor<?x16xbf16>
  }
  %r = tensor.reshape %y#1(%shape) : (tensor<?x16xbf16>, tensor<2xindex>) -> tensor<?x8xbf16>
  %q = qt.quantize %r : tensor<?x8xbf16> to !qt.tensor<?x8xbf16, #s>
  return %q : !qt.tensor<?x8xbf16, #s>
}
