// RUN: fp8-run %s | FileCheck %s
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// The amax is that of magnitudes, and of the numbers that the quantizer reads: 257 stored as bf16 is 256.

#s0 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv, stored = encode>]>

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
  %v1 = arith.constant dense<[-5.0, 3.0]> : tensor<2xf32>
  %v2 = qt.quantize %v1 : tensor<2xf32> to !qt.tensor<2xf32, #s0>
  %v3, %v4 = qt.disassemble %v2 : !qt.tensor<2xf32, #s0> -> tensor<2xi8>, tensor<f32>
  %v5 = arith.constant dense<[254, 120]> : tensor<2xi8>
  %v6 = tensor.cast %v3 : tensor<2xi8> to tensor<?xi8>
  %v7 = tensor.cast %v5 : tensor<2xi8> to tensor<?xi8>
  %v8 = call @differ_i8(%v6, %v7) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v9 = arith.constant dense<89.5999984741211> : tensor<f32>
  %v10 = tensor.expand_shape %v4 [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %v11 = tensor.cast %v10 : tensor<1xf32> to tensor<?xf32>
  %v12 = tensor.expand_shape %v9 [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %v13 = tensor.cast %v12 : tensor<1xf32> to tensor<?xf32>
  %v14 = call @differ_f32(%v11, %v13) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v15 = qt.dequantize %v2 : !qt.tensor<2xf32, #s0> to tensor<2xf32>
  %v16 = arith.constant dense<[-5.0, 2.857142925262451]> : tensor<2xf32>
  %v17 = tensor.cast %v15 : tensor<2xf32> to tensor<?xf32>
  %v18 = tensor.cast %v16 : tensor<2xf32> to tensor<?xf32>
  %v19 = call @differ_f32(%v17, %v18) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v20 = arith.constant dense<[257.0, 1.0]> : tensor<2xf32>
  %v21 = arith.truncf %v20 : tensor<2xf32> to tensor<2xbf16>
  %v22 = qt.quantize %v21 : tensor<2xbf16> to !qt.tensor<2xbf16, #s0>
  %v23, %v24 = qt.disassemble %v22 : !qt.tensor<2xbf16, #s0> -> tensor<2xi8>, tensor<f32>
  %v25 = arith.constant dense<1.75> : tensor<f32>
  %v26 = tensor.expand_shape %v24 [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %v27 = tensor.cast %v26 : tensor<1xf32> to tensor<?xf32>
  %v28 = tensor.expand_shape %v25 [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %v29 = tensor.cast %v28 : tensor<1xf32> to tensor<?xf32>
  %v30 = call @differ_f32(%v27, %v29) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v31 = arith.constant dense<[126, 62]> : tensor<2xi8>
  %v32 = tensor.cast %v23 : tensor<2xi8> to tensor<?xi8>
  %v33 = tensor.cast %v31 : tensor<2xi8> to tensor<?xi8>
  %v34 = call @differ_i8(%v32, %v33) : (tensor<?xi8>, tensor<?xi8>) -> i64

  %v35 = arith.addi %v8, %v14 : i64
  %v36 = arith.addi %v35, %v19 : i64
  %v37 = arith.addi %v36, %v30 : i64
  %v38 = arith.addi %v37, %v34 : i64
  return %v38 : i64
}
