// RUN: fp8-run %s | FileCheck %s
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// Minus zero keeps its sign where the format has one; a tiny negative number never becomes the NaN of a format without minus zero.

#s0 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#s1 = #qt.scheme<f4E2M1FN, [#qt.scale<f32 per tensor by fdiv>]>
#s2 = #qt.scheme<f8E4M3FNUZ, [#qt.scale<f32 per tensor by fdiv>]>
#s3 = #qt.scheme<f8E5M2FNUZ, [#qt.scale<f32 per tensor by fdiv>]>
#s4 = #qt.scheme<f8E4M3, [#qt.scale<f32 per tensor by fdiv>]>
#s5 = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
#s6 = #qt.scheme<int8, [#qt.scale<f32 per tensor by fdiv>]>

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
  %v1 = arith.constant dense<[-0.0, -9.999999747378752e-06, -1.401298464324817e-45, 0.0]> : tensor<4xf32>
  %v2 = arith.constant dense<1.0> : tensor<f32>
  %v3 = qt.quantize %v1 scales(%v2 : tensor<f32>) : tensor<4xf32> to !qt.tensor<4xf32, #s0>
  %v4, %v5 = qt.disassemble %v3 : !qt.tensor<4xf32, #s0> -> tensor<4xi8>, tensor<f32>
  %v6 = arith.constant dense<[128, 128, 128, 0]> : tensor<4xi8>
  %v7 = tensor.cast %v4 : tensor<4xi8> to tensor<?xi8>
  %v8 = tensor.cast %v6 : tensor<4xi8> to tensor<?xi8>
  %v9 = call @differ_i8(%v7, %v8) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v10 = arith.constant dense<[-0.0, -9.999999747378752e-06, -1.401298464324817e-45, 0.0]> : tensor<4xf32>
  %v11 = arith.constant dense<1.0> : tensor<f32>
  %v12 = qt.quantize %v10 scales(%v11 : tensor<f32>) : tensor<4xf32> to !qt.tensor<4xf32, #s1>
  %v13, %v14 = qt.disassemble %v12 : !qt.tensor<4xf32, #s1> -> tensor<4xi8>, tensor<f32>
  %v15 = arith.constant dense<[8, 8, 8, 0]> : tensor<4xi8>
  %v16 = tensor.cast %v13 : tensor<4xi8> to tensor<?xi8>
  %v17 = tensor.cast %v15 : tensor<4xi8> to tensor<?xi8>
  %v18 = call @differ_i8(%v16, %v17) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v19 = arith.constant dense<[-0.0, -9.999999747378752e-06, -1.401298464324817e-45, 0.0]> : tensor<4xf32>
  %v20 = arith.constant dense<1.0> : tensor<f32>
  %v21 = qt.quantize %v19 scales(%v20 : tensor<f32>) : tensor<4xf32> to !qt.tensor<4xf32, #s2>
  %v22, %v23 = qt.disassemble %v21 : !qt.tensor<4xf32, #s2> -> tensor<4xi8>, tensor<f32>
  %v24 = arith.constant dense<0> : tensor<4xi8>
  %v25 = tensor.cast %v22 : tensor<4xi8> to tensor<?xi8>
  %v26 = tensor.cast %v24 : tensor<4xi8> to tensor<?xi8>
  %v27 = call @differ_i8(%v25, %v26) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v28 = arith.constant dense<[-0.0, -9.999999747378752e-06, -1.401298464324817e-45, 0.0]> : tensor<4xf32>
  %v29 = arith.constant dense<1.0> : tensor<f32>
  %v30 = qt.quantize %v28 scales(%v29 : tensor<f32>) : tensor<4xf32> to !qt.tensor<4xf32, #s3>
  %v31, %v32 = qt.disassemble %v30 : !qt.tensor<4xf32, #s3> -> tensor<4xi8>, tensor<f32>
  %v33 = arith.constant dense<[0, 129, 0, 0]> : tensor<4xi8>
  %v34 = tensor.cast %v31 : tensor<4xi8> to tensor<?xi8>
  %v35 = tensor.cast %v33 : tensor<4xi8> to tensor<?xi8>
  %v36 = call @differ_i8(%v34, %v35) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v37 = arith.constant dense<[-0.0, -9.999999747378752e-06, -1.401298464324817e-45, 0.0]> : tensor<4xf32>
  %v38 = arith.constant dense<1.0> : tensor<f32>
  %v39 = qt.quantize %v37 scales(%v38 : tensor<f32>) : tensor<4xf32> to !qt.tensor<4xf32, #s4>
  %v40, %v41 = qt.disassemble %v39 : !qt.tensor<4xf32, #s4> -> tensor<4xi8>, tensor<f32>
  %v42 = arith.constant dense<[128, 128, 128, 0]> : tensor<4xi8>
  %v43 = tensor.cast %v40 : tensor<4xi8> to tensor<?xi8>
  %v44 = tensor.cast %v42 : tensor<4xi8> to tensor<?xi8>
  %v45 = call @differ_i8(%v43, %v44) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v46 = arith.constant dense<[-0.0, -9.999999747378752e-06, -1.401298464324817e-45, 0.0]> : tensor<4xf32>
  %v47 = arith.constant dense<1.0> : tensor<f32>
  %v48 = qt.quantize %v46 scales(%v47 : tensor<f32>) : tensor<4xf32> to !qt.tensor<4xf32, #s5>
  %v49, %v50 = qt.disassemble %v48 : !qt.tensor<4xf32, #s5> -> tensor<4xi8>, tensor<f32>
  %v51 = arith.constant dense<[128, 129, 128, 0]> : tensor<4xi8>
  %v52 = tensor.cast %v49 : tensor<4xi8> to tensor<?xi8>
  %v53 = tensor.cast %v51 : tensor<4xi8> to tensor<?xi8>
  %v54 = call @differ_i8(%v52, %v53) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v55 = arith.constant dense<[-0.0, -9.999999747378752e-06, -1.401298464324817e-45, 0.0]> : tensor<4xf32>
  %v56 = arith.constant dense<1.0> : tensor<f32>
  %v57 = qt.quantize %v55 scales(%v56 : tensor<f32>) : tensor<4xf32> to !qt.tensor<4xf32, #s6>
  %v58, %v59 = qt.disassemble %v57 : !qt.tensor<4xf32, #s6> -> tensor<4xi8>, tensor<f32>
  %v60 = arith.constant dense<0> : tensor<4xi8>
  %v61 = tensor.cast %v58 : tensor<4xi8> to tensor<?xi8>
  %v62 = tensor.cast %v60 : tensor<4xi8> to tensor<?xi8>
  %v63 = call @differ_i8(%v61, %v62) : (tensor<?xi8>, tensor<?xi8>) -> i64

  %v64 = arith.addi %v9, %v18 : i64
  %v65 = arith.addi %v64, %v27 : i64
  %v66 = arith.addi %v65, %v36 : i64
  %v67 = arith.addi %v66, %v45 : i64
  %v68 = arith.addi %v67, %v54 : i64
  %v69 = arith.addi %v68, %v63 : i64
  return %v69 : i64
}
