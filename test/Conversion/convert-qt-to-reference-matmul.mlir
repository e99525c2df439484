// RUN: fp8-opt %s --convert-qt-to-reference --split-input-file | FileCheck %s

// K blocks in order, one after the other: an f32 sum of products in order of k, times the product of the two scales,
// added to what the blocks before gave.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
// CHECK-LABEL: func @main
// CHECK-DAG: %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<3x4xf32>
// CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %c0{{.*}} to %c3{{.*}} step %c1{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (tensor<3x4xf32>)
// CHECK-DAG: %[[A:.*]] = tensor.extract_slice %{{.*}}[0, %[[I]], 0] [3, 1, 32] [1, 1, 1] : tensor<3x3x32xf32> to tensor<3x32xf32>
// CHECK-DAG: %[[B:.*]] = tensor.extract_slice %{{.*}}[%[[I]], 0, 0] [1, 32, 4] [1, 1, 1] : tensor<3x32x4xf32> to tensor<32x4xf32>
// CHECK: %[[P:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]} ins(%[[A]], %[[B]]
// CHECK: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK: %[[XY:.*]] = arith.mulf %[[X]], %[[Y]] : f32
// CHECK: arith.addf %[[ACC]], %[[XY]] : f32
// CHECK: %[[NEXT:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[P]], {{.*}} outs(%[[SUM]]
// CHECK: ^bb0(%[[PE:.*]]: f32, %[[SA:.*]]: f32, %[[SB:.*]]: f32, %[[BEFORE:.*]]: f32):
// CHECK: %[[SS:.*]] = arith.mulf %[[SA]], %[[SB]]
// CHECK: %[[PS:.*]] = arith.mulf %[[PE]], %[[SS]]
// CHECK: arith.addf %[[BEFORE]], %[[PS]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: return %[[R]]
func.func @main(%a: !qt.tensor<3x70xf32, #s>, %b: !qt.tensor<4x70xf32, #s>) -> tensor<3x4xf32> {
  %y = qt.matmul %a, %b : !qt.tensor<3x70xf32, #s>, !qt.tensor<4x70xf32, #s> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// The K block is the smaller of the two.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#t = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
// CHECK-LABEL: func @main
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c7{{.*}} step %c1
func.func @main(%a: !qt.tensor<3x200xf32, #s>, %b: !qt.tensor<4x200xf32, #t>) -> tensor<3x4xf32> {
  %y = qt.matmul %a, %b : !qt.tensor<3x200xf32, #s>, !qt.tensor<4x200xf32, #t> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// No loop where K is one block: a scale per tensor, and a block larger than K.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#t = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-NOT: scf.for
// CHECK: return
func.func @main(%a: !qt.tensor<2x3x70xf32, #s>, %b: !qt.tensor<2x4x70xf32, #t>) -> tensor<2x3x4xf32> {
  %y = qt.matmul %a, %b : !qt.tensor<2x3x70xf32, #s>, !qt.tensor<2x4x70xf32, #t> -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// -----

// The addend comes after the tensor-level factors, and one rounding at the end.

#s = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
// CHECK-LABEL: func @main
// CHECK-SAME: %[[ADDEND:[a-z0-9]*]]: tensor<3x4xf32>)
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}}, %[[ADDEND]] : tensor<3x4xf32>, tensor<f32>, tensor<f32>, tensor<3x4xf32>)
// CHECK-COUNT-4: arith.mulf
// CHECK: arith.addf
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK-NOT: arith.truncf
// CHECK: return %[[R]]
func.func @main(%a: !qt.tensor<3x16xf32, #s>, %b: !qt.tensor<4x16xf32, #s>, %p: tensor<3x4xf32>) -> tensor<3x4xbf16> {
  %y = qt.matmul %a, %b plus %p : tensor<3x4xf32> : !qt.tensor<3x16xf32, #s>, !qt.tensor<4x16xf32, #s> -> tensor<3x4xbf16>
  return %y : tensor<3x4xbf16>
}

// -----

// An empty sum is zero, an empty result is empty: nothing is decoded.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
// CHECK-LABEL: func @main
// CHECK-NOT: tensor.pad
// CHECK-NOT: linalg.generic
// CHECK: %[[Z:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<3x4xf32>)
// CHECK: %[[E:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<0x4xf32>)
// CHECK: return %[[Z]], %[[E]]
func.func @main(%a: !qt.tensor<3x0xf32, #s>, %b: !qt.tensor<4x0xf32, #s>, %c: !qt.tensor<0x5xf32, #s>,
                %d: !qt.tensor<4x5xf32, #s>) -> (tensor<3x4xf32>, tensor<0x4xf32>) {
  %y = qt.matmul %a, %b : !qt.tensor<3x0xf32, #s>, !qt.tensor<4x0xf32, #s> -> tensor<3x4xf32>
  %z = qt.matmul %c, %d : !qt.tensor<0x5xf32, #s>, !qt.tensor<4x5xf32, #s> -> tensor<0x4xf32>
  return %y, %z : tensor<3x4xf32>, tensor<0x4xf32>
}
