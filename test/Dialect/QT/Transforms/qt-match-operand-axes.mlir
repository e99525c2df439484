// RUN: fp8-opt %s --qt-match-operand-axes --split-input-file | FileCheck %s

// Equal quantizations of one value are one; another scheme of the same value is another quantization.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#t = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK: %[[Q:.*]] = qt.quantize
// CHECK-NEXT: %[[T:.*]] = qt.quantize
// CHECK-NEXT: return %[[Q]], %[[Q]], %[[T]]
func.func @main(%x: tensor<3x5xf32>) -> (!qt.tensor<3x5xf32, #s>, !qt.tensor<3x5xf32, #s>, !qt.tensor<3x5xf32, #t>) {
  %0 = qt.quantize %x in <forward> : tensor<3x5xf32> to !qt.tensor<3x5xf32, #s>
  %1 = qt.quantize %x in <forward> : tensor<3x5xf32> to !qt.tensor<3x5xf32, #s>
  %2 = qt.quantize %x in <forward> : tensor<3x5xf32> to !qt.tensor<3x5xf32, #t>
  return %0, %1, %2 : !qt.tensor<3x5xf32, #s>, !qt.tensor<3x5xf32, #s>, !qt.tensor<3x5xf32, #t>
}

// -----

// Views of one value are one value: also when each reader has made them for itself.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 3] by fdiv>]>
// CHECK-LABEL: func @main
// CHECK: tensor.extract_slice
// CHECK-NOT: tensor.extract_slice
// CHECK: %[[Q:.*]] = qt.quantize
// CHECK-NEXT: return %[[Q]], %[[Q]]
func.func @main(%x: tensor<2x3x4x5xf32>, %i: index) -> (!qt.tensor<12x5xf32, #s>, !qt.tensor<12x5xf32, #s>) {
  %s0 = tensor.extract_slice %x[%i, 0, 0, 0] [1, 3, 4, 5] [1, 1, 1, 1] : tensor<2x3x4x5xf32> to tensor<3x4x5xf32>
  %c0 = tensor.collapse_shape %s0 [[0, 1], [2]] : tensor<3x4x5xf32> into tensor<12x5xf32>
  %0 = qt.quantize %c0 : tensor<12x5xf32> to !qt.tensor<12x5xf32, #s>
  %s1 = tensor.extract_slice %x[%i, 0, 0, 0] [1, 3, 4, 5] [1, 1, 1, 1] : tensor<2x3x4x5xf32> to tensor<3x4x5xf32>
  %c1 = tensor.collapse_shape %s1 [[0, 1], [2]] : tensor<3x4x5xf32> into tensor<12x5xf32>
  %1 = qt.quantize %c1 : tensor<12x5xf32> to !qt.tensor<12x5xf32, #s>
  return %0, %1 : !qt.tensor<12x5xf32, #s>, !qt.tensor<12x5xf32, #s>
}

// -----

// Must not fire: slices at other offsets, other groupings, other permutations of equal shape.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 3] by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-COUNT-4: qt.quantize
func.func @main(%x: tensor<4x4x4xf32>, %i: index, %j: index)
    -> (!qt.tensor<4x4xf32, #s>, !qt.tensor<4x4xf32, #s>, !qt.tensor<4x4x4xf32, #s>, !qt.tensor<4x4x4xf32, #s>) {
  %s0 = tensor.extract_slice %x[%i, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<4x4x4xf32> to tensor<4x4xf32>
  %0 = qt.quantize %s0 : tensor<4x4xf32> to !qt.tensor<4x4xf32, #s>
  %s1 = tensor.extract_slice %x[%j, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<4x4x4xf32> to tensor<4x4xf32>
  %1 = qt.quantize %s1 : tensor<4x4xf32> to !qt.tensor<4x4xf32, #s>
  %e = tensor.empty() : tensor<4x4x4xf32>
  %t2 = linalg.transpose ins(%x : tensor<4x4x4xf32>) outs(%e : tensor<4x4x4xf32>) permutation = [1, 0, 2]
  %2 = qt.quantize %t2 : tensor<4x4x4xf32> to !qt.tensor<4x4x4xf32, #s>
  %t3 = linalg.transpose ins(%x : tensor<4x4x4xf32>) outs(%e : tensor<4x4x4xf32>) permutation = [2, 1, 0]
  %3 = qt.quantize %t3 : tensor<4x4x4xf32> to !qt.tensor<4x4x4xf32, #s>
  return %0, %1, %2, %3 : !qt.tensor<4x4xf32, #s>, !qt.tensor<4x4xf32, #s>, !qt.tensor<4x4x4xf32, #s>, !qt.tensor<4x4x4xf32, #s>
}

// -----

// Given scales are the user's: such quantizations are neither shared nor used for others.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK: %[[A:.*]] = qt.quantize %{{.*}} scales
// CHECK: %[[B:.*]] = qt.quantize %{{.*}} scales
// CHECK: %[[C:.*]] = qt.quantize %{{[a-z0-9]*}} :
// CHECK: return %[[A]], %[[B]], %[[C]]
func.func @main(%x: tensor<3x5xf32>, %s: tensor<f32>) -> (!qt.tensor<3x5xf32, #s>, !qt.tensor<3x5xf32, #s>, !qt.tensor<3x5xf32, #s>) {
  %0 = qt.quantize %x scales(%s : tensor<f32>) : tensor<3x5xf32> to !qt.tensor<3x5xf32, #s>
  %1 = qt.quantize %x scales(%s : tensor<f32>) : tensor<3x5xf32> to !qt.tensor<3x5xf32, #s>
  %2 = qt.quantize %x : tensor<3x5xf32> to !qt.tensor<3x5xf32, #s>
  return %0, %1, %2 : !qt.tensor<3x5xf32, #s>, !qt.tensor<3x5xf32, #s>, !qt.tensor<3x5xf32, #s>
}

// -----

// The halves of a step are kept apart: no codes of a weight live from forward to backward.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK: %[[F:.*]] = qt.quantize %{{.*}} in <forward>
// CHECK: %[[B:.*]] = qt.quantize %{{.*}} in <backward>
// CHECK: return %[[F]], %[[B]], %[[B]]
func.func @main(%w: tensor<3x5xf32>) -> (!qt.tensor<3x5xf32, #s>, !qt.tensor<3x5xf32, #s>, !qt.tensor<3x5xf32, #s>) {
  %0 = qt.quantize %w in <forward> : tensor<3x5xf32> to !qt.tensor<3x5xf32, #s>
  %1 = qt.quantize %w in <backward> : tensor<3x5xf32> to !qt.tensor<3x5xf32, #s>
  %2 = qt.quantize %w in <backward> : tensor<3x5xf32> to !qt.tensor<3x5xf32, #s>
  return %0, %1, %2 : !qt.tensor<3x5xf32, #s>, !qt.tensor<3x5xf32, #s>, !qt.tensor<3x5xf32, #s>
}

// -----

// Blocks of the control flow are kept apart: the body of a loop quantizes for itself, once.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK: %[[OUT:.*]] = qt.quantize
// CHECK: scf.for
// CHECK: %[[IN:.*]] = qt.quantize
// CHECK-NOT: qt.quantize
// CHECK: qt.matmul %[[IN]], %[[IN]]
// CHECK: return %{{.*}}, %[[OUT]]
func.func @main(%x: tensor<3x5xf32>, %n: index) -> (tensor<3x3xf32>, !qt.tensor<3x5xf32, #s>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<3x3xf32>
  %0 = qt.quantize %x : tensor<3x5xf32> to !qt.tensor<3x5xf32, #s>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %z) -> tensor<3x3xf32> {
    %1 = qt.quantize %x : tensor<3x5xf32> to !qt.tensor<3x5xf32, #s>
    %2 = qt.quantize %x : tensor<3x5xf32> to !qt.tensor<3x5xf32, #s>
    %y = qt.matmul %1, %2 plus %sum : tensor<3x3xf32> : !qt.tensor<3x5xf32, #s>, !qt.tensor<3x5xf32, #s> -> tensor<3x3xf32>
    scf.yield %y : tensor<3x3xf32>
  }
  return %r, %0 : tensor<3x3xf32>, !qt.tensor<3x5xf32, #s>
}
