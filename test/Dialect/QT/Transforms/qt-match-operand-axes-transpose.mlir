// RUN: fp8-opt %s --qt-match-operand-axes --split-input-file | FileCheck %s

// A second orientation is a transpose of codes where the bits are those of a quantization: one scale for the tensor.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-NOT: linalg.transpose
// CHECK: %[[Q:.*]] = qt.quantize %{{.*}} : tensor<3x5xf32>
// CHECK: %[[T:.*]] = qt.transpose %[[Q]] permutation = [1, 0] : !qt.tensor<3x5xf32, #[[S:.*]]> -> !qt.tensor<5x3xf32, #[[S]]>
// CHECK: return %[[Q]], %[[T]]
func.func @main(%x: tensor<3x5xf32>) -> (!qt.tensor<3x5xf32, #s>, !qt.tensor<5x3xf32, #s>) {
  %0 = qt.quantize %x : tensor<3x5xf32> to !qt.tensor<3x5xf32, #s>
  %e = tensor.empty() : tensor<5x3xf32>
  %t = linalg.transpose ins(%x : tensor<3x5xf32>) outs(%e : tensor<5x3xf32>) permutation = [1, 0]
  %1 = qt.quantize %t : tensor<5x3xf32> to !qt.tensor<5x3xf32, #s>
  return %0, %1 : !qt.tensor<3x5xf32, #s>, !qt.tensor<5x3xf32, #s>
}

// -----

// Square blocks, also of two levels, and also where it is the transposed one that comes first.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv_pow2>]>
#t = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [16, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
// CHECK-LABEL: func @main
// CHECK: %[[T:.*]] = linalg.transpose
// CHECK: %[[Q:.*]] = qt.quantize %[[T]]
// CHECK: qt.transpose %[[Q]]
// CHECK: %[[P:.*]] = qt.quantize %[[T]]
// CHECK: qt.transpose %[[P]]
func.func @main(%x: tensor<130x5xf32>) -> (!qt.tensor<5x130xf32, #s>, !qt.tensor<130x5xf32, #s>, !qt.tensor<5x130xf32, #t>, !qt.tensor<130x5xf32, #t>) {
  %e = tensor.empty() : tensor<5x130xf32>
  %t = linalg.transpose ins(%x : tensor<130x5xf32>) outs(%e : tensor<5x130xf32>) permutation = [1, 0]
  %0 = qt.quantize %t : tensor<5x130xf32> to !qt.tensor<5x130xf32, #s>
  %1 = qt.quantize %x : tensor<130x5xf32> to !qt.tensor<130x5xf32, #s>
  %2 = qt.quantize %t : tensor<5x130xf32> to !qt.tensor<5x130xf32, #t>
  %3 = qt.quantize %x : tensor<130x5xf32> to !qt.tensor<130x5xf32, #t>
  return %0, %1, %2, %3 : !qt.tensor<5x130xf32, #s>, !qt.tensor<130x5xf32, #s>, !qt.tensor<5x130xf32, #t>, !qt.tensor<130x5xf32, #t>
}

// -----

// With batch dimensions one scale belongs to each slice: the last two dimensions may change places, the batch may not.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK: %[[Q:.*]] = qt.quantize
// CHECK: qt.transpose %[[Q]] permutation = [0, 2, 1]
// CHECK: %[[M:.*]] = linalg.transpose {{.*}} permutation = [1, 0, 2]
// CHECK: qt.quantize %[[M]]
func.func @main(%x: tensor<4x4x4xf32>) -> (!qt.tensor<4x4x4xf32, #s>, !qt.tensor<4x4x4xf32, #s>, !qt.tensor<4x4x4xf32, #s>) {
  %0 = qt.quantize %x : tensor<4x4x4xf32> to !qt.tensor<4x4x4xf32, #s>
  %e = tensor.empty() : tensor<4x4x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x4x4xf32>) outs(%e : tensor<4x4x4xf32>) permutation = [0, 2, 1]
  %1 = qt.quantize %t : tensor<4x4x4xf32> to !qt.tensor<4x4x4xf32, #s>
  %m = linalg.transpose ins(%x : tensor<4x4x4xf32>) outs(%e : tensor<4x4x4xf32>) permutation = [1, 0, 2]
  %2 = qt.quantize %m : tensor<4x4x4xf32> to !qt.tensor<4x4x4xf32, #s>
  return %0, %1, %2 : !qt.tensor<4x4x4xf32, #s>, !qt.tensor<4x4x4xf32, #s>, !qt.tensor<4x4x4xf32, #s>
}

// -----

// Must not fire: blocks along one dimension are others after a transpose, also where there is only one of them.

#b = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
#m = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
#n = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
// CHECK-LABEL: func @main
// CHECK: linalg.transpose
// CHECK-NOT: qt.transpose
// CHECK-COUNT-6: qt.quantize
// CHECK-NOT: qt.transpose
func.func @main(%x: tensor<3x3xf32>) -> (!qt.tensor<3x3xf32, #b>, !qt.tensor<3x3xf32, #b>, !qt.tensor<3x3xf32, #m>,
                                         !qt.tensor<3x3xf32, #m>, !qt.tensor<3x3xf32, #n>, !qt.tensor<3x3xf32, #n>) {
  %e = tensor.empty() : tensor<3x3xf32>
  %t = linalg.transpose ins(%x : tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) permutation = [1, 0]
  %0 = qt.quantize %x : tensor<3x3xf32> to !qt.tensor<3x3xf32, #b>
  %1 = qt.quantize %t : tensor<3x3xf32> to !qt.tensor<3x3xf32, #b>
  %2 = qt.quantize %x : tensor<3x3xf32> to !qt.tensor<3x3xf32, #m>
  %3 = qt.quantize %t : tensor<3x3xf32> to !qt.tensor<3x3xf32, #m>
  %4 = qt.quantize %x : tensor<3x3xf32> to !qt.tensor<3x3xf32, #n>
  %5 = qt.quantize %t : tensor<3x3xf32> to !qt.tensor<3x3xf32, #n>
  return %0, %1, %2, %3, %4, %5 : !qt.tensor<3x3xf32, #b>, !qt.tensor<3x3xf32, #b>, !qt.tensor<3x3xf32, #m>,
                                  !qt.tensor<3x3xf32, #m>, !qt.tensor<3x3xf32, #n>, !qt.tensor<3x3xf32, #n>
}

// -----

// Views that go away take the sizes with them that only they read, each once.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-NOT: tensor.dim
// CHECK-NOT: linalg.transpose
// CHECK: qt.transpose
// CHECK-NOT: tensor.dim
func.func @main(%x: tensor<?x?xf32>) -> (!qt.tensor<?x?xf32, #s>, !qt.tensor<?x?xf32, #s>) {
  %c0 = arith.constant 0 : index
  %0 = qt.quantize %x : tensor<?x?xf32> to !qt.tensor<?x?xf32, #s>
  %d = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%d, %d) : tensor<?x?xf32>
  %t = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %1 = qt.quantize %t : tensor<?x?xf32> to !qt.tensor<?x?xf32, #s>
  return %0, %1 : !qt.tensor<?x?xf32, #s>, !qt.tensor<?x?xf32, #s>
}
