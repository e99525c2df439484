// RUN: fp8-opt %s --qt-match-operand-axes --split-input-file | FileCheck %s

// In one half a second orientation is quantized in the pass that reads the first: that writes codes once more, a transpose
// of the codes would read them too.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 0 of 0, read = 120 of 240, written = 38 of 38, [<<one_pass, kept = 0, read = 120, written = 38> over [<transposed, kept = 0, read = 139, written = 38>]
// CHECK: qt.quantize %{{.*}} : tensor<3x5xf32>
// CHECK: qt.quantize %{{.*}} : tensor<5x3xf32>
// CHECK-NOT: qt.transpose
func.func @main(%x: tensor<3x5xf32>) -> (!qt.tensor<3x5xf32, #s>, !qt.tensor<5x3xf32, #s>) {
  %0 = qt.quantize %x : tensor<3x5xf32> to !qt.tensor<3x5xf32, #s>
  %e = tensor.empty() : tensor<5x3xf32>
  %t = linalg.transpose ins(%x : tensor<3x5xf32>) outs(%e : tensor<5x3xf32>) permutation = [1, 0]
  %1 = qt.quantize %t : tensor<5x3xf32> to !qt.tensor<5x3xf32, #s>
  return %0, %1 : !qt.tensor<3x5xf32, #s>, !qt.tensor<5x3xf32, #s>
}

// -----

// Kept codes serve both orientations of the backward half where their bits are equal: one scale for the tensor, also for
// each slice of a batch if the batch stays in place.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK: %[[Q:.*]] = qt.quantize %{{.*}} in <forward>
// CHECK-NOT: qt.quantize
// CHECK: %[[T:.*]] = qt.transpose %[[Q]] permutation = [0, 2, 1]
// CHECK: qt.matmul %[[T]], %[[Q]]
func.func @main(%h: tensor<4x4x4xf32>) -> (tensor<4x4x4xf32>, tensor<4x4x4xf32>) {
  %x = math.exp %h : tensor<4x4x4xf32>
  %0 = qt.quantize %x in <forward> : tensor<4x4x4xf32> to !qt.tensor<4x4x4xf32, #s>
  %y = qt.matmul %0, %0 : !qt.tensor<4x4x4xf32, #s>, !qt.tensor<4x4x4xf32, #s> -> tensor<4x4x4xf32>
  %e = tensor.empty() : tensor<4x4x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x4x4xf32>) outs(%e : tensor<4x4x4xf32>) permutation = [0, 2, 1]
  %1 = qt.quantize %t in <backward> : tensor<4x4x4xf32> to !qt.tensor<4x4x4xf32, #s>
  %2 = qt.quantize %x in <backward> : tensor<4x4x4xf32> to !qt.tensor<4x4x4xf32, #s>
  %d = qt.matmul %1, %2 : !qt.tensor<4x4x4xf32, #s>, !qt.tensor<4x4x4xf32, #s> -> tensor<4x4x4xf32>
  return %y, %d : tensor<4x4x4xf32>, tensor<4x4x4xf32>
}

// -----

// Square blocks, also of two levels, also partial ones, and also where it is the transposed one that the forward half has.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv_pow2>]>
#t = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [16, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
// CHECK-LABEL: module attributes
// CHECK: %[[P:.*]] = qt.quantize %{{.*}} in <forward> : tensor<5x130xf32>
// CHECK: %[[Q:.*]] = qt.quantize %{{.*}} in <forward> : tensor<5x130xf32>
// CHECK-NOT: qt.quantize
// CHECK: qt.transpose %[[P]]
// CHECK: qt.transpose %[[Q]]
// CHECK-NOT: qt.quantize
func.func @main(%h: tensor<130x5xf32>) -> (tensor<5x5xf32>, tensor<5x5xf32>, tensor<130x130xf32>, tensor<130x130xf32>, tensor<5x5xf32>, tensor<5x5xf32>) {
  %x = math.exp %h : tensor<130x5xf32>
  %e = tensor.empty() : tensor<5x130xf32>
  %xt = linalg.transpose ins(%x : tensor<130x5xf32>) outs(%e : tensor<5x130xf32>) permutation = [1, 0]
  %0 = qt.quantize %xt in <forward> : tensor<5x130xf32> to !qt.tensor<5x130xf32, #s>
  %y0 = qt.matmul %0, %0 : !qt.tensor<5x130xf32, #s>, !qt.tensor<5x130xf32, #s> -> tensor<5x5xf32>
  %1 = qt.quantize %xt in <forward> : tensor<5x130xf32> to !qt.tensor<5x130xf32, #t>
  %y1 = qt.matmul %1, %1 : !qt.tensor<5x130xf32, #t>, !qt.tensor<5x130xf32, #t> -> tensor<5x5xf32>
  %2 = qt.quantize %x in <backward> : tensor<130x5xf32> to !qt.tensor<130x5xf32, #s>
  %y2 = qt.matmul %2, %2 : !qt.tensor<130x5xf32, #s>, !qt.tensor<130x5xf32, #s> -> tensor<130x130xf32>
  %3 = qt.quantize %x in <backward> : tensor<130x5xf32> to !qt.tensor<130x5xf32, #t>
  %y3 = qt.matmul %3, %3 : !qt.tensor<130x5xf32, #t>, !qt.tensor<130x5xf32, #t> -> tensor<130x130xf32>
  %4 = qt.quantize %xt in <backward> : tensor<5x130xf32> to !qt.tensor<5x130xf32, #s>
  %y4 = qt.matmul %4, %4 : !qt.tensor<5x130xf32, #s>, !qt.tensor<5x130xf32, #s> -> tensor<5x5xf32>
  %5 = qt.quantize %xt in <backward> : tensor<5x130xf32> to !qt.tensor<5x130xf32, #t>
  %y5 = qt.matmul %5, %5 : !qt.tensor<5x130xf32, #t>, !qt.tensor<5x130xf32, #t> -> tensor<5x5xf32>
  return %y0, %y1, %y2, %y3, %y4, %y5 : tensor<5x5xf32>, tensor<5x5xf32>, tensor<130x130xf32>, tensor<130x130xf32>, tensor<5x5xf32>, tensor<5x5xf32>
}

// -----

// Must not fire: the batch moves, so that one scale would belong to parts of several slices.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-NOT: qt.transpose
func.func @main(%h: tensor<4x4x4xf32>) -> (tensor<4x4x4xf32>, tensor<4x4x4xf32>) {
  %x = math.exp %h : tensor<4x4x4xf32>
  %0 = qt.quantize %x in <forward> : tensor<4x4x4xf32> to !qt.tensor<4x4x4xf32, #s>
  %y = qt.matmul %0, %0 : !qt.tensor<4x4x4xf32, #s>, !qt.tensor<4x4x4xf32, #s> -> tensor<4x4x4xf32>
  %e = tensor.empty() : tensor<4x4x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x4x4xf32>) outs(%e : tensor<4x4x4xf32>) permutation = [1, 0, 2]
  %1 = qt.quantize %t in <backward> : tensor<4x4x4xf32> to !qt.tensor<4x4x4xf32, #s>
  %2 = qt.quantize %x in <backward> : tensor<4x4x4xf32> to !qt.tensor<4x4x4xf32, #s>
  %d = qt.matmul %1, %2 : !qt.tensor<4x4x4xf32, #s>, !qt.tensor<4x4x4xf32, #s> -> tensor<4x4x4xf32>
  return %y, %d : tensor<4x4x4xf32>, tensor<4x4x4xf32>
}

// -----

// Must not fire: blocks along one dimension are others after a transpose, also where there is only one of them.

#b = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
#m = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
#n = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
// CHECK-LABEL: module attributes
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

// A collapse of a transpose is a transpose of the collapse where it joins what lies together: one view, read in one pass.

#m = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<one_pass,
func.func @main(%x: tensor<2x3x5xf32>) -> (!qt.tensor<6x5xf32, #m>, !qt.tensor<5x6xf32, #m>) {
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %0 = qt.quantize %c : tensor<6x5xf32> to !qt.tensor<6x5xf32, #m>
  %e = tensor.empty() : tensor<5x2x3xf32>
  %t = linalg.transpose ins(%x : tensor<2x3x5xf32>) outs(%e : tensor<5x2x3xf32>) permutation = [2, 0, 1]
  %ct = tensor.collapse_shape %t [[0], [1, 2]] : tensor<5x2x3xf32> into tensor<5x6xf32>
  %1 = qt.quantize %ct : tensor<5x6xf32> to !qt.tensor<5x6xf32, #m>
  return %0, %1 : !qt.tensor<6x5xf32, #m>, !qt.tensor<5x6xf32, #m>
}

// -----

// So it is where it joins what a transpose has brought together: rows of tokens of attention, and columns of them.

#m = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<one_pass, kept = 0, read = 960, written = 514>
func.func @main(%x: tensor<2x4x6x5xf32>) -> (!qt.tensor<10x24xf32, #m>, !qt.tensor<24x10xf32, #m>) {
  %e = tensor.empty() : tensor<2x5x4x6xf32>
  %t = linalg.transpose ins(%x : tensor<2x4x6x5xf32>) outs(%e : tensor<2x5x4x6xf32>) permutation = [0, 3, 1, 2]
  %c = tensor.collapse_shape %t [[0], [1], [2, 3]] : tensor<2x5x4x6xf32> into tensor<2x5x24xf32>
  %r = tensor.collapse_shape %c [[0, 1], [2]] : tensor<2x5x24xf32> into tensor<10x24xf32>
  %0 = qt.quantize %r : tensor<10x24xf32> to !qt.tensor<10x24xf32, #m>
  %f = tensor.empty() : tensor<24x2x5xf32>
  %u = linalg.transpose ins(%c : tensor<2x5x24xf32>) outs(%f : tensor<24x2x5xf32>) permutation = [2, 0, 1]
  %l = tensor.collapse_shape %u [[0], [1, 2]] : tensor<24x2x5xf32> into tensor<24x10xf32>
  %1 = qt.quantize %l : tensor<24x10xf32> to !qt.tensor<24x10xf32, #m>
  return %0, %1 : !qt.tensor<10x24xf32, #m>, !qt.tensor<24x10xf32, #m>
}

// -----

// Must not fire: it joins what a transpose has put in another order.

#m = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
// CHECK-LABEL: module attributes
// CHECK-SAME: <<single,
// CHECK-COUNT-2: qt.quantize
func.func @main(%x: tensor<3x3x5xf32>) -> (!qt.tensor<9x5xf32, #m>, !qt.tensor<9x5xf32, #m>) {
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<3x3x5xf32> into tensor<9x5xf32>
  %0 = qt.quantize %c : tensor<9x5xf32> to !qt.tensor<9x5xf32, #m>
  %e = tensor.empty() : tensor<3x3x5xf32>
  %t = linalg.transpose ins(%x : tensor<3x3x5xf32>) outs(%e : tensor<3x3x5xf32>) permutation = [1, 0, 2]
  %ct = tensor.collapse_shape %t [[0, 1], [2]] : tensor<3x3x5xf32> into tensor<9x5xf32>
  %1 = qt.quantize %ct : tensor<9x5xf32> to !qt.tensor<9x5xf32, #m>
  return %0, %1 : !qt.tensor<9x5xf32, #m>, !qt.tensor<9x5xf32, #m>
}

// -----

// Views that go away take the sizes with them that only they read, each once.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: module attributes
// CHECK-NOT: tensor.dim
// CHECK-NOT: linalg.transpose
// CHECK: qt.transpose
// CHECK-NOT: tensor.dim
func.func @main(%h: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %x = math.exp %h : tensor<?x?xf32>
  %0 = qt.quantize %x in <forward> : tensor<?x?xf32> to !qt.tensor<?x?xf32, #s>
  %y = qt.matmul %0, %0 : !qt.tensor<?x?xf32, #s>, !qt.tensor<?x?xf32, #s> -> tensor<?x?xf32>
  %d = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%d, %d) : tensor<?x?xf32>
  %t = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %1 = qt.quantize %t in <backward> : tensor<?x?xf32> to !qt.tensor<?x?xf32, #s>
  %2 = qt.quantize %x in <backward> : tensor<?x?xf32> to !qt.tensor<?x?xf32, #s>
  %p = qt.matmul %1, %2 : !qt.tensor<?x?xf32, #s>, !qt.tensor<?x?xf32, #s> -> tensor<?x?xf32>
  return %y, %p : tensor<?x?xf32>, tensor<?x?xf32>
}
