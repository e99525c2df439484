// RUN: fp8-opt %s --convert-qt-to-reference --split-input-file | FileCheck %s

// A dimension that its block does not divide is padded with zeros for the amax, and sliced off again: scales are
// ceil(dimension / block) and codes have the tensor's own shape.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
// CHECK-LABEL: func @main
// CHECK-SAME: -> (tensor<3x70xi8>, tensor<3x3xi8>)
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[PAD:.*]] = tensor.pad %{{.*}} low[0, 0] high[0, 26]
// CHECK: tensor.yield %[[ZERO]]
// CHECK: : tensor<3x70xf32> to tensor<3x96xf32>
// CHECK: tensor.expand_shape %[[PAD]] {{.*}} : tensor<3x96xf32> into tensor<3x3x32xf32>
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [3, 70] [1, 1] : tensor<3x96xi8> to tensor<3x70xi8>
func.func @main(%x: tensor<3x70xf32>) -> !qt.tensor<3x70xf32, #s> {
  %q = qt.quantize %x : tensor<3x70xf32> to !qt.tensor<3x70xf32, #s>
  return %q : !qt.tensor<3x70xf32, #s>
}

// -----

// Must not pad: a block that divides the dimension, covers it, or is larger than it.

#d = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
#w = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
#l = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: -> (tensor<3x64xi8>, tensor<3x2xi8>, tensor<3x64xi8>, tensor<3x1xf32>, tensor<3x64xi8>, tensor<1x1xf32>)
// CHECK-NOT: tensor.pad
// CHECK-NOT: tensor.extract_slice
// CHECK: return
func.func @main(%x: tensor<3x64xf32>) -> (!qt.tensor<3x64xf32, #d>, !qt.tensor<3x64xf32, #w>, !qt.tensor<3x64xf32, #l>) {
  %0 = qt.quantize %x : tensor<3x64xf32> to !qt.tensor<3x64xf32, #d>
  %1 = qt.quantize %x : tensor<3x64xf32> to !qt.tensor<3x64xf32, #w>
  %2 = qt.quantize %x : tensor<3x64xf32> to !qt.tensor<3x64xf32, #l>
  return %0, %1, %2 : !qt.tensor<3x64xf32, #d>, !qt.tensor<3x64xf32, #w>, !qt.tensor<3x64xf32, #l>
}

// -----

// A dynamic size is rounded up to blocks when the program runs.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>) -> (tensor<?x?xi8>, tensor<?x?xi8>)
// CHECK: %[[K:.*]] = tensor.dim %[[X]], %c1
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %[[K]], %c32
// CHECK: %[[WHOLE:.*]] = arith.muli %[[BLOCKS]], %c32
// CHECK: %[[HIGH:.*]] = arith.subi %[[WHOLE]], %[[K]]
// CHECK: tensor.pad %[[X]] low[0, 0] high[0, %[[HIGH]]]
func.func @main(%x: tensor<?x?xf32>) -> !qt.tensor<?x?xf32, #s> {
  %q = qt.quantize %x : tensor<?x?xf32> to !qt.tensor<?x?xf32, #s>
  return %q : !qt.tensor<?x?xf32, #s>
}

// -----

// A dynamic type stays dynamic, also where the size could be known: the parts have the types of the quantized type.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
// CHECK-LABEL: func @main
// CHECK-SAME: -> (tensor<3x?xi8>, tensor<3x?xi8>)
func.func @main(%x: tensor<3x70xf32>) -> !qt.tensor<3x?xf32, #s> {
  %d = tensor.cast %x : tensor<3x70xf32> to tensor<3x?xf32>
  %q = qt.quantize %d : tensor<3x?xf32> to !qt.tensor<3x?xf32, #s>
  return %q : !qt.tensor<3x?xf32, #s>
}

// -----

// Given scales are the scales: no amax is taken.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: %[[S:[a-z0-9]*]]: tensor<f32>)
// CHECK-NOT: "reduction"
// CHECK: return %{{.*}}, %[[S]]
func.func @main(%x: tensor<3x5xf32>, %s: tensor<f32>) -> !qt.tensor<3x5xf32, #s> {
  %q = qt.quantize %x scales(%s : tensor<f32>) : tensor<3x5xf32> to !qt.tensor<3x5xf32, #s>
  return %q : !qt.tensor<3x5xf32, #s>
}
