// RUN: fp8-run %s | FileCheck %s
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// Another scale needs other codes: codes under a decode scale of 0.75, requantized to the power of two 1.0. Keeping the codes would
// inflate every number by a third.

#s0 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 3] by fdiv>]>
#s1 = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>

// How many elements differ in a bit; a NaN is equal to any NaN.
func.func private @differ_f32(%a: tensor<?xf32>, %b: tensor<?xf32>) -> i64 {
  %zero = arith.constant dense<0> : tensor<i64>
  %n = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                       iterator_types = ["reduction"]} ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%zero : tensor<i64>) {
  ^bb0(%x: f32, %y: f32, %sum: i64):
    %xi = arith.bitcast %x : f32 to i32
    %yi = arith.bitcast %y : f32 to i32
    %bits = arith.cmpi ne, %xi, %yi : i32
    %xn = arith.cmpf uno, %x, %x : f32
    %yn = arith.cmpf uno, %y, %y : f32
    %number = arith.cmpf ord, %x, %y : f32
    %nan = arith.xori %xn, %yn : i1
    %other = arith.andi %bits, %number : i1
    %differs = arith.ori %other, %nan : i1
    %one = arith.extui %differs : i1 to i64
    %next = arith.addi %sum, %one : i64
    linalg.yield %next : i64
  } -> tensor<i64>
  %r = tensor.extract %n[] : tensor<i64>
  return %r : i64
}

// How many elements differ.
func.func private @differ_i8(%a: tensor<?xi8>, %b: tensor<?xi8>) -> i64 {
  %zero = arith.constant dense<0> : tensor<i64>
  %n = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                       iterator_types = ["reduction"]} ins(%a, %b : tensor<?xi8>, tensor<?xi8>) outs(%zero : tensor<i64>) {
  ^bb0(%x: i8, %y: i8, %sum: i64):
    %differs = arith.cmpi ne, %x, %y : i8
    %one = arith.extui %differs : i1 to i64
    %next = arith.addi %sum, %one : i64
    linalg.yield %next : i64
  } -> tensor<i64>
  %r = tensor.extract %n[] : tensor<i64>
  return %r : i64
}

func.func @main() -> i64 {
  %v1 = arith.constant dense<[[0.75]]> : tensor<1x1xf32>
  %v2 = arith.constant dense<[[336.0, -0.75, 3.0]]> : tensor<1x3xf32>
  %v3 = qt.quantize %v2 scales(%v1 : tensor<1x1xf32>) : tensor<1x3xf32> to !qt.tensor<1x3xf32, #s0>
  %v4, %v5 = qt.disassemble %v3 : !qt.tensor<1x3xf32, #s0> -> tensor<1x3xi8>, tensor<1x1xf32>
  %v6 = arith.constant dense<[[126, 184, 72]]> : tensor<1x3xi8>
  %v7 = tensor.collapse_shape %v4 [[0, 1]] : tensor<1x3xi8> into tensor<3xi8>
  %v8 = tensor.cast %v7 : tensor<3xi8> to tensor<?xi8>
  %v9 = tensor.collapse_shape %v6 [[0, 1]] : tensor<1x3xi8> into tensor<3xi8>
  %v10 = tensor.cast %v9 : tensor<3xi8> to tensor<?xi8>
  %v11 = call @differ_i8(%v8, %v10) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v12 = arith.constant dense<[[0.75]]> : tensor<1x1xf32>
  %v13 = tensor.collapse_shape %v5 [[0, 1]] : tensor<1x1xf32> into tensor<1xf32>
  %v14 = tensor.cast %v13 : tensor<1xf32> to tensor<?xf32>
  %v15 = tensor.collapse_shape %v12 [[0, 1]] : tensor<1x1xf32> into tensor<1xf32>
  %v16 = tensor.cast %v15 : tensor<1xf32> to tensor<?xf32>
  %v17 = call @differ_f32(%v14, %v16) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v18 = qt.dequantize %v3 : !qt.tensor<1x3xf32, #s0> to tensor<1x3xf32>
  %v19 = arith.constant dense<[[127]]> : tensor<1x1xi8>
  %v20 = qt.quantize %v18 scales(%v19 : tensor<1x1xi8>) : tensor<1x3xf32> to !qt.tensor<1x3xf32, #s1>
  %v21, %v22 = qt.disassemble %v20 : !qt.tensor<1x3xf32, #s1> -> tensor<1x3xi8>, tensor<1x1xi8>
  %v23 = arith.constant dense<[[122, 180, 68]]> : tensor<1x3xi8>
  %v24 = tensor.collapse_shape %v21 [[0, 1]] : tensor<1x3xi8> into tensor<3xi8>
  %v25 = tensor.cast %v24 : tensor<3xi8> to tensor<?xi8>
  %v26 = tensor.collapse_shape %v23 [[0, 1]] : tensor<1x3xi8> into tensor<3xi8>
  %v27 = tensor.cast %v26 : tensor<3xi8> to tensor<?xi8>
  %v28 = call @differ_i8(%v25, %v27) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v29 = arith.constant dense<[[127]]> : tensor<1x1xi8>
  %v30 = tensor.collapse_shape %v22 [[0, 1]] : tensor<1x1xi8> into tensor<1xi8>
  %v31 = tensor.cast %v30 : tensor<1xi8> to tensor<?xi8>
  %v32 = tensor.collapse_shape %v29 [[0, 1]] : tensor<1x1xi8> into tensor<1xi8>
  %v33 = tensor.cast %v32 : tensor<1xi8> to tensor<?xi8>
  %v34 = call @differ_i8(%v31, %v33) : (tensor<?xi8>, tensor<?xi8>) -> i64

  %v35 = arith.addi %v11, %v17 : i64
  %v36 = arith.addi %v35, %v28 : i64
  %v37 = arith.addi %v36, %v34 : i64
  return %v37 : i64
}
