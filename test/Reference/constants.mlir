// RUN: fp8-run %s | FileCheck %s
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// A constant is quantized to the same bytes as any value: [0.1, -0.3, 448, 0, -0, 1e-4] under a scale of one.

#s0 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

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
  %v1 = arith.constant dense<[0.10000000149011612, -0.30000001192092896, 448.0, 0.0, -0.0, 9.999999747378752e-05]> : tensor<6xf32>
  %v2 = arith.constant dense<1.0> : tensor<f32>
  %v3 = qt.quantize %v1 scales(%v2 : tensor<f32>) : tensor<6xf32> to !qt.tensor<6xf32, #s0>
  %v4, %v5 = qt.disassemble %v3 : !qt.tensor<6xf32, #s0> -> tensor<6xi8>, tensor<f32>
  %v6 = arith.constant dense<[29, 170, 126, 0, 128, 0]> : tensor<6xi8>
  %v7 = tensor.cast %v4 : tensor<6xi8> to tensor<?xi8>
  %v8 = tensor.cast %v6 : tensor<6xi8> to tensor<?xi8>
  %v9 = call @differ_i8(%v7, %v8) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v10 = arith.constant dense<[0.10000000149011612, -0.30000001192092896, 448.0, 0.0, -0.0, 9.999999747378752e-05]> : tensor<6xf32>
  %v11 = qt.quantize %v10 : tensor<6xf32> to !qt.tensor<6xf32, #s0>
  %v12, %v13 = qt.disassemble %v11 : !qt.tensor<6xf32, #s0> -> tensor<6xi8>, tensor<f32>
  %v14 = arith.constant dense<[29, 170, 126, 0, 128, 0]> : tensor<6xi8>
  %v15 = tensor.cast %v12 : tensor<6xi8> to tensor<?xi8>
  %v16 = tensor.cast %v14 : tensor<6xi8> to tensor<?xi8>
  %v17 = call @differ_i8(%v15, %v16) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v18 = arith.constant dense<1.0> : tensor<f32>
  %v19 = tensor.expand_shape %v13 [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %v20 = tensor.cast %v19 : tensor<1xf32> to tensor<?xf32>
  %v21 = tensor.expand_shape %v18 [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %v22 = tensor.cast %v21 : tensor<1xf32> to tensor<?xf32>
  %v23 = call @differ_f32(%v20, %v22) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v24 = qt.dequantize %v11 : !qt.tensor<6xf32, #s0> to tensor<6xf32>
  %v25 = arith.constant dense<[0.1015625, -0.3125, 448.0, 0.0, -0.0, 0.0]> : tensor<6xf32>
  %v26 = tensor.cast %v24 : tensor<6xf32> to tensor<?xf32>
  %v27 = tensor.cast %v25 : tensor<6xf32> to tensor<?xf32>
  %v28 = call @differ_f32(%v26, %v27) : (tensor<?xf32>, tensor<?xf32>) -> i64

  %v29 = arith.addi %v9, %v17 : i64
  %v30 = arith.addi %v29, %v23 : i64
  %v31 = arith.addi %v30, %v28 : i64
  return %v31 : i64
}
