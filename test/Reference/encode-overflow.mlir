// RUN: fp8-run %s | FileCheck %s
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// What lies beyond the largest number is the scheme's to say: saturate gives the largest code, ieee what IEEE rounding gives.

#s0 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#s1 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>], overflow = ieee>
#s2 = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
#s3 = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>], overflow = ieee>
#s4 = #qt.scheme<f4E2M1FN, [#qt.scale<f32 per tensor by fdiv>]>
#s5 = #qt.scheme<f4E2M1FN, [#qt.scale<f32 per tensor by fdiv>], overflow = ieee>
#s6 = #qt.scheme<f8E4M3, [#qt.scale<f32 per tensor by fdiv>], overflow = ieee>
#s7 = #qt.scheme<f8E4M3FNUZ, [#qt.scale<f32 per tensor by fdiv>], overflow = ieee>
#s8 = #qt.scheme<f8E4M3FNUZ, [#qt.scale<f32 per tensor by fdiv>]>

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

  // f8E4M3FN, saturate: 464, 465, 1000, 61440, inf, -inf, 61439, -465 become 448, 448, 448, 448, 448, -448, 448, -448.
  %v1 = arith.constant dense<[464.0, 465.0, 1000.0, 61440.0, 0x7F800000, 0xFF800000, 61439.0, -465.0]> : tensor<8xf32>
  %v2 = arith.constant dense<1.0> : tensor<f32>
  %v3 = qt.quantize %v1 scales(%v2 : tensor<f32>) : tensor<8xf32> to !qt.tensor<8xf32, #s0>
  %v4, %v5 = qt.disassemble %v3 : !qt.tensor<8xf32, #s0> -> tensor<8xi8>, tensor<f32>
  %v6 = arith.constant dense<[126, 126, 126, 126, 126, 254, 126, 254]> : tensor<8xi8>
  %v7 = tensor.cast %v4 : tensor<8xi8> to tensor<?xi8>
  %v8 = tensor.cast %v6 : tensor<8xi8> to tensor<?xi8>
  %v9 = call @differ_i8(%v7, %v8) : (tensor<?xi8>, tensor<?xi8>) -> i64

  // f8E4M3FN, ieee: 464, 465, 1000, 61440, inf, -inf, 61439, -465 become 448, nan, nan, nan, nan, nan, nan, nan.
  %v10 = arith.constant dense<[464.0, 465.0, 1000.0, 61440.0, 0x7F800000, 0xFF800000, 61439.0, -465.0]> : tensor<8xf32>
  %v11 = arith.constant dense<1.0> : tensor<f32>
  %v12 = qt.quantize %v10 scales(%v11 : tensor<f32>) : tensor<8xf32> to !qt.tensor<8xf32, #s1>
  %v13, %v14 = qt.disassemble %v12 : !qt.tensor<8xf32, #s1> -> tensor<8xi8>, tensor<f32>
  %v15 = arith.constant dense<[126, 127, 127, 127, 127, 255, 127, 255]> : tensor<8xi8>
  %v16 = tensor.cast %v13 : tensor<8xi8> to tensor<?xi8>
  %v17 = tensor.cast %v15 : tensor<8xi8> to tensor<?xi8>
  %v18 = call @differ_i8(%v16, %v17) : (tensor<?xi8>, tensor<?xi8>) -> i64

  // f8E5M2, saturate: 464, 465, 1000, 61440, inf, -inf, 61439, -465 become 448, 448, 1024, 57344, 57344, -57344, 57344, -448.
  %v19 = arith.constant dense<[464.0, 465.0, 1000.0, 61440.0, 0x7F800000, 0xFF800000, 61439.0, -465.0]> : tensor<8xf32>
  %v20 = arith.constant dense<1.0> : tensor<f32>
  %v21 = qt.quantize %v19 scales(%v20 : tensor<f32>) : tensor<8xf32> to !qt.tensor<8xf32, #s2>
  %v22, %v23 = qt.disassemble %v21 : !qt.tensor<8xf32, #s2> -> tensor<8xi8>, tensor<f32>
  %v24 = arith.constant dense<[95, 95, 100, 123, 123, 251, 123, 223]> : tensor<8xi8>
  %v25 = tensor.cast %v22 : tensor<8xi8> to tensor<?xi8>
  %v26 = tensor.cast %v24 : tensor<8xi8> to tensor<?xi8>
  %v27 = call @differ_i8(%v25, %v26) : (tensor<?xi8>, tensor<?xi8>) -> i64

  // f8E5M2, ieee: 464, 465, 1000, 61440, inf, -inf, 61439, -465 become 448, 448, 1024, inf, inf, -inf, 57344, -448.
  %v28 = arith.constant dense<[464.0, 465.0, 1000.0, 61440.0, 0x7F800000, 0xFF800000, 61439.0, -465.0]> : tensor<8xf32>
  %v29 = arith.constant dense<1.0> : tensor<f32>
  %v30 = qt.quantize %v28 scales(%v29 : tensor<f32>) : tensor<8xf32> to !qt.tensor<8xf32, #s3>
  %v31, %v32 = qt.disassemble %v30 : !qt.tensor<8xf32, #s3> -> tensor<8xi8>, tensor<f32>
  %v33 = arith.constant dense<[95, 95, 100, 124, 124, 252, 123, 223]> : tensor<8xi8>
  %v34 = tensor.cast %v31 : tensor<8xi8> to tensor<?xi8>
  %v35 = tensor.cast %v33 : tensor<8xi8> to tensor<?xi8>
  %v36 = call @differ_i8(%v34, %v35) : (tensor<?xi8>, tensor<?xi8>) -> i64

  // f4E2M1FN, saturate: 464, 465, 1000, 61440, inf, -inf, 61439, -465 become 6, 6, 6, 6, 6, -6, 6, -6.
  %v37 = arith.constant dense<[464.0, 465.0, 1000.0, 61440.0, 0x7F800000, 0xFF800000, 61439.0, -465.0]> : tensor<8xf32>
  %v38 = arith.constant dense<1.0> : tensor<f32>
  %v39 = qt.quantize %v37 scales(%v38 : tensor<f32>) : tensor<8xf32> to !qt.tensor<8xf32, #s4>
  %v40, %v41 = qt.disassemble %v39 : !qt.tensor<8xf32, #s4> -> tensor<8xi8>, tensor<f32>
  %v42 = arith.constant dense<[7, 7, 7, 7, 7, 15, 7, 15]> : tensor<8xi8>
  %v43 = tensor.cast %v40 : tensor<8xi8> to tensor<?xi8>
  %v44 = tensor.cast %v42 : tensor<8xi8> to tensor<?xi8>
  %v45 = call @differ_i8(%v43, %v44) : (tensor<?xi8>, tensor<?xi8>) -> i64

  // f4E2M1FN, ieee: 464, 465, 1000, 61440, inf, -inf, 61439, -465 become 6, 6, 6, 6, 6, -6, 6, -6.
  %v46 = arith.constant dense<[464.0, 465.0, 1000.0, 61440.0, 0x7F800000, 0xFF800000, 61439.0, -465.0]> : tensor<8xf32>
  %v47 = arith.constant dense<1.0> : tensor<f32>
  %v48 = qt.quantize %v46 scales(%v47 : tensor<f32>) : tensor<8xf32> to !qt.tensor<8xf32, #s5>
  %v49, %v50 = qt.disassemble %v48 : !qt.tensor<8xf32, #s5> -> tensor<8xi8>, tensor<f32>
  %v51 = arith.constant dense<[7, 7, 7, 7, 7, 15, 7, 15]> : tensor<8xi8>
  %v52 = tensor.cast %v49 : tensor<8xi8> to tensor<?xi8>
  %v53 = tensor.cast %v51 : tensor<8xi8> to tensor<?xi8>
  %v54 = call @differ_i8(%v52, %v53) : (tensor<?xi8>, tensor<?xi8>) -> i64

  // f8E4M3, ieee: 464, 465, 1000, 61440, inf, -inf, 61439, -465 become inf, inf, inf, inf, inf, -inf, inf, -inf.
  %v55 = arith.constant dense<[464.0, 465.0, 1000.0, 61440.0, 0x7F800000, 0xFF800000, 61439.0, -465.0]> : tensor<8xf32>
  %v56 = arith.constant dense<1.0> : tensor<f32>
  %v57 = qt.quantize %v55 scales(%v56 : tensor<f32>) : tensor<8xf32> to !qt.tensor<8xf32, #s6>
  %v58, %v59 = qt.disassemble %v57 : !qt.tensor<8xf32, #s6> -> tensor<8xi8>, tensor<f32>
  %v60 = arith.constant dense<[120, 120, 120, 120, 120, 248, 120, 248]> : tensor<8xi8>
  %v61 = tensor.cast %v58 : tensor<8xi8> to tensor<?xi8>
  %v62 = tensor.cast %v60 : tensor<8xi8> to tensor<?xi8>
  %v63 = call @differ_i8(%v61, %v62) : (tensor<?xi8>, tensor<?xi8>) -> i64

  // f8E4M3FNUZ, ieee: 464, 465, 1000, 61440, inf, -inf, 61439, -465 become nan, nan, nan, nan, nan, nan, nan, nan.
  %v64 = arith.constant dense<[464.0, 465.0, 1000.0, 61440.0, 0x7F800000, 0xFF800000, 61439.0, -465.0]> : tensor<8xf32>
  %v65 = arith.constant dense<1.0> : tensor<f32>
  %v66 = qt.quantize %v64 scales(%v65 : tensor<f32>) : tensor<8xf32> to !qt.tensor<8xf32, #s7>
  %v67, %v68 = qt.disassemble %v66 : !qt.tensor<8xf32, #s7> -> tensor<8xi8>, tensor<f32>
  %v69 = arith.constant dense<128> : tensor<8xi8>
  %v70 = tensor.cast %v67 : tensor<8xi8> to tensor<?xi8>
  %v71 = tensor.cast %v69 : tensor<8xi8> to tensor<?xi8>
  %v72 = call @differ_i8(%v70, %v71) : (tensor<?xi8>, tensor<?xi8>) -> i64

  // f8E4M3FNUZ, saturate: 464, 465, 1000, 61440, inf, -inf, 61439, -465 become 240, 240, 240, 240, 240, -240, 240, -240.
  %v73 = arith.constant dense<[464.0, 465.0, 1000.0, 61440.0, 0x7F800000, 0xFF800000, 61439.0, -465.0]> : tensor<8xf32>
  %v74 = arith.constant dense<1.0> : tensor<f32>
  %v75 = qt.quantize %v73 scales(%v74 : tensor<f32>) : tensor<8xf32> to !qt.tensor<8xf32, #s8>
  %v76, %v77 = qt.disassemble %v75 : !qt.tensor<8xf32, #s8> -> tensor<8xi8>, tensor<f32>
  %v78 = arith.constant dense<[127, 127, 127, 127, 127, 255, 127, 255]> : tensor<8xi8>
  %v79 = tensor.cast %v76 : tensor<8xi8> to tensor<?xi8>
  %v80 = tensor.cast %v78 : tensor<8xi8> to tensor<?xi8>
  %v81 = call @differ_i8(%v79, %v80) : (tensor<?xi8>, tensor<?xi8>) -> i64

  %v82 = arith.addi %v9, %v18 : i64
  %v83 = arith.addi %v82, %v27 : i64
  %v84 = arith.addi %v83, %v36 : i64
  %v85 = arith.addi %v84, %v45 : i64
  %v86 = arith.addi %v85, %v54 : i64
  %v87 = arith.addi %v86, %v63 : i64
  %v88 = arith.addi %v87, %v72 : i64
  %v89 = arith.addi %v88, %v81 : i64
  return %v89 : i64
}
