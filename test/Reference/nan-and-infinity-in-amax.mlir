// RUN: fp8-run %s | FileCheck %s
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// A NaN is never hidden by a scale: shipped rules make its block NaN. An infinity gives the scale that the scheme says, and
// saturates. The rules with Transformer Engine's behaviour leave NaN out of the amax.

#s0 = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#s1 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#s2 = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
#s3 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 2] by fdiv_pow2>]>
#s4 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv_te>]>
#s5 = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 2] by rceil_mul_te>]>
#s6 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 2] by fdiv_pow2_te>]>
#s7 = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 2] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>

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

  // E8M0: byte 255, the whole block NaN, its neighbour untouched.
  %v1 = arith.constant dense<"0x0000803F0000C07F0000004000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000803F00004040000000C00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"> : tensor<1x64xf32>
  %v2 = qt.quantize %v1 : tensor<1x64xf32> to !qt.tensor<1x64xf32, #s0>
  %v3, %v4 = qt.disassemble %v2 : !qt.tensor<1x64xf32, #s0> -> tensor<1x64xi8>, tensor<1x2xi8>
  %v5 = arith.constant dense<"0x7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F707CF80000000000000000000000000000000000000000000000000000000000"> : tensor<1x64xi8>
  %v6 = tensor.collapse_shape %v3 [[0, 1]] : tensor<1x64xi8> into tensor<64xi8>
  %v7 = tensor.cast %v6 : tensor<64xi8> to tensor<?xi8>
  %v8 = tensor.collapse_shape %v5 [[0, 1]] : tensor<1x64xi8> into tensor<64xi8>
  %v9 = tensor.cast %v8 : tensor<64xi8> to tensor<?xi8>
  %v10 = call @differ_i8(%v7, %v9) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v11 = arith.constant dense<[[255, 120]]> : tensor<1x2xi8>
  %v12 = tensor.collapse_shape %v4 [[0, 1]] : tensor<1x2xi8> into tensor<2xi8>
  %v13 = tensor.cast %v12 : tensor<2xi8> to tensor<?xi8>
  %v14 = tensor.collapse_shape %v11 [[0, 1]] : tensor<1x2xi8> into tensor<2xi8>
  %v15 = tensor.cast %v14 : tensor<2xi8> to tensor<?xi8>
  %v16 = call @differ_i8(%v13, %v15) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v17 = qt.dequantize %v2 : !qt.tensor<1x64xf32, #s0> to tensor<1x64xf32>
  %v18 = arith.constant dense<"0x0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000C07F0000803F00004040000000C00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"> : tensor<1x64xf32>
  %v19 = tensor.collapse_shape %v17 [[0, 1]] : tensor<1x64xf32> into tensor<64xf32>
  %v20 = tensor.cast %v19 : tensor<64xf32> to tensor<?xf32>
  %v21 = tensor.collapse_shape %v18 [[0, 1]] : tensor<1x64xf32> into tensor<64xf32>
  %v22 = tensor.cast %v21 : tensor<64xf32> to tensor<?xf32>
  %v23 = call @differ_f32(%v20, %v22) : (tensor<?xf32>, tensor<?xf32>) -> i64

  // E8M0: infinity gives byte 254, elements saturate.
  %v24 = arith.constant dense<"0x0000803F0000807F0000004000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000803F00004040000000C00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"> : tensor<1x64xf32>
  %v25 = qt.quantize %v24 : tensor<1x64xf32> to !qt.tensor<1x64xf32, #s0>
  %v26, %v27 = qt.disassemble %v25 : !qt.tensor<1x64xf32, #s0> -> tensor<1x64xi8>, tensor<1x2xi8>
  %v28 = arith.constant dense<"0x007E000000000000000000000000000000000000000000000000000000000000707CF80000000000000000000000000000000000000000000000000000000000"> : tensor<1x64xi8>
  %v29 = tensor.collapse_shape %v26 [[0, 1]] : tensor<1x64xi8> into tensor<64xi8>
  %v30 = tensor.cast %v29 : tensor<64xi8> to tensor<?xi8>
  %v31 = tensor.collapse_shape %v28 [[0, 1]] : tensor<1x64xi8> into tensor<64xi8>
  %v32 = tensor.cast %v31 : tensor<64xi8> to tensor<?xi8>
  %v33 = call @differ_i8(%v30, %v32) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v34 = arith.constant dense<[[254, 120]]> : tensor<1x2xi8>
  %v35 = tensor.collapse_shape %v27 [[0, 1]] : tensor<1x2xi8> into tensor<2xi8>
  %v36 = tensor.cast %v35 : tensor<2xi8> to tensor<?xi8>
  %v37 = tensor.collapse_shape %v34 [[0, 1]] : tensor<1x2xi8> into tensor<2xi8>
  %v38 = tensor.cast %v37 : tensor<2xi8> to tensor<?xi8>
  %v39 = call @differ_i8(%v36, %v38) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v40 = qt.dequantize %v25 : !qt.tensor<1x64xf32, #s0> to tensor<1x64xf32>
  %v41 = arith.constant dense<"0x000000000000807F0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000803F00004040000000C00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"> : tensor<1x64xf32>
  %v42 = tensor.collapse_shape %v40 [[0, 1]] : tensor<1x64xf32> into tensor<64xf32>
  %v43 = tensor.cast %v42 : tensor<64xf32> to tensor<?xf32>
  %v44 = tensor.collapse_shape %v41 [[0, 1]] : tensor<1x64xf32> into tensor<64xf32>
  %v45 = tensor.cast %v44 : tensor<64xf32> to tensor<?xf32>
  %v46 = call @differ_f32(%v43, %v45) : (tensor<?xf32>, tensor<?xf32>) -> i64

  // Every rule that a recipe has, on NaN, infinity and minus infinity (a slice each): f32 scales become NaN with a NaN and one with
  // an infinity; Transformer Engine's rules leave the NaN out.
  %v47 = arith.constant dense<[[[1.0, 0x7FC00000, -2.0, 500.0]], [[1.0, 0x7F800000, -2.0, 500.0]], [[1.0, 0xFF800000, -2.0, 500.0]]]> : tensor<3x1x4xf32>
  %v48 = qt.quantize %v47 : tensor<3x1x4xf32> to !qt.tensor<3x1x4xf32, #s1>
  %v49, %v50 = qt.disassemble %v48 : !qt.tensor<3x1x4xf32, #s1> -> tensor<3x1x4xi8>, tensor<3xf32>
  %v51 = arith.constant dense<[[[127, 127, 127, 127]], [[56, 126, 192, 126]], [[56, 254, 192, 126]]]> : tensor<3x1x4xi8>
  %v52 = tensor.collapse_shape %v49 [[0, 1, 2]] : tensor<3x1x4xi8> into tensor<12xi8>
  %v53 = tensor.cast %v52 : tensor<12xi8> to tensor<?xi8>
  %v54 = tensor.collapse_shape %v51 [[0, 1, 2]] : tensor<3x1x4xi8> into tensor<12xi8>
  %v55 = tensor.cast %v54 : tensor<12xi8> to tensor<?xi8>
  %v56 = call @differ_i8(%v53, %v55) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v57 = arith.constant dense<[0x7FC00000, 1.0, 1.0]> : tensor<3xf32>
  %v58 = tensor.cast %v50 : tensor<3xf32> to tensor<?xf32>
  %v59 = tensor.cast %v57 : tensor<3xf32> to tensor<?xf32>
  %v60 = call @differ_f32(%v58, %v59) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v61 = qt.dequantize %v48 : !qt.tensor<3x1x4xf32, #s1> to tensor<3x1x4xf32>
  %v62 = arith.constant dense<[[[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]], [[1.0, 448.0, -2.0, 448.0]], [[1.0, -448.0, -2.0, 448.0]]]> : tensor<3x1x4xf32>
  %v63 = tensor.collapse_shape %v61 [[0, 1, 2]] : tensor<3x1x4xf32> into tensor<12xf32>
  %v64 = tensor.cast %v63 : tensor<12xf32> to tensor<?xf32>
  %v65 = tensor.collapse_shape %v62 [[0, 1, 2]] : tensor<3x1x4xf32> into tensor<12xf32>
  %v66 = tensor.cast %v65 : tensor<12xf32> to tensor<?xf32>
  %v67 = call @differ_f32(%v64, %v66) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v68 = arith.constant dense<[[[1.0, 0x7FC00000, -2.0, 500.0]], [[1.0, 0x7F800000, -2.0, 500.0]], [[1.0, 0xFF800000, -2.0, 500.0]]]> : tensor<3x1x4xf32>
  %v69 = qt.quantize %v68 : tensor<3x1x4xf32> to !qt.tensor<3x1x4xf32, #s2>
  %v70, %v71 = qt.disassemble %v69 : !qt.tensor<3x1x4xf32, #s2> -> tensor<3x1x4xi8>, tensor<3xf32>
  %v72 = arith.constant dense<[[[127, 127, 127, 127]], [[60, 123, 192, 96]], [[60, 251, 192, 96]]]> : tensor<3x1x4xi8>
  %v73 = tensor.collapse_shape %v70 [[0, 1, 2]] : tensor<3x1x4xi8> into tensor<12xi8>
  %v74 = tensor.cast %v73 : tensor<12xi8> to tensor<?xi8>
  %v75 = tensor.collapse_shape %v72 [[0, 1, 2]] : tensor<3x1x4xi8> into tensor<12xi8>
  %v76 = tensor.cast %v75 : tensor<12xi8> to tensor<?xi8>
  %v77 = call @differ_i8(%v74, %v76) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v78 = arith.constant dense<[0x7FC00000, 1.0, 1.0]> : tensor<3xf32>
  %v79 = tensor.cast %v71 : tensor<3xf32> to tensor<?xf32>
  %v80 = tensor.cast %v78 : tensor<3xf32> to tensor<?xf32>
  %v81 = call @differ_f32(%v79, %v80) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v82 = qt.dequantize %v69 : !qt.tensor<3x1x4xf32, #s2> to tensor<3x1x4xf32>
  %v83 = arith.constant dense<[[[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]], [[1.0, 57344.0, -2.0, 512.0]], [[1.0, -57344.0, -2.0, 512.0]]]> : tensor<3x1x4xf32>
  %v84 = tensor.collapse_shape %v82 [[0, 1, 2]] : tensor<3x1x4xf32> into tensor<12xf32>
  %v85 = tensor.cast %v84 : tensor<12xf32> to tensor<?xf32>
  %v86 = tensor.collapse_shape %v83 [[0, 1, 2]] : tensor<3x1x4xf32> into tensor<12xf32>
  %v87 = tensor.cast %v86 : tensor<12xf32> to tensor<?xf32>
  %v88 = call @differ_f32(%v85, %v87) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v89 = arith.constant dense<[[[1.0, 0x7FC00000, -2.0, 500.0]], [[1.0, 0x7F800000, -2.0, 500.0]], [[1.0, 0xFF800000, -2.0, 500.0]]]> : tensor<3x1x4xf32>
  %v90 = qt.quantize %v89 : tensor<3x1x4xf32> to !qt.tensor<3x1x4xf32, #s3>
  %v91, %v92 = qt.disassemble %v90 : !qt.tensor<3x1x4xf32, #s3> -> tensor<3x1x4xi8>, tensor<3x1x2xf32>
  %v93 = arith.constant dense<[[[127, 127, 184, 120]], [[56, 126, 184, 120]], [[56, 254, 184, 120]]]> : tensor<3x1x4xi8>
  %v94 = tensor.collapse_shape %v91 [[0, 1, 2]] : tensor<3x1x4xi8> into tensor<12xi8>
  %v95 = tensor.cast %v94 : tensor<12xi8> to tensor<?xi8>
  %v96 = tensor.collapse_shape %v93 [[0, 1, 2]] : tensor<3x1x4xi8> into tensor<12xi8>
  %v97 = tensor.cast %v96 : tensor<12xi8> to tensor<?xi8>
  %v98 = call @differ_i8(%v95, %v97) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v99 = arith.constant dense<[[[0x7FC00000, 2.0]], [[1.0, 2.0]], [[1.0, 2.0]]]> : tensor<3x1x2xf32>
  %v100 = tensor.collapse_shape %v92 [[0, 1, 2]] : tensor<3x1x2xf32> into tensor<6xf32>
  %v101 = tensor.cast %v100 : tensor<6xf32> to tensor<?xf32>
  %v102 = tensor.collapse_shape %v99 [[0, 1, 2]] : tensor<3x1x2xf32> into tensor<6xf32>
  %v103 = tensor.cast %v102 : tensor<6xf32> to tensor<?xf32>
  %v104 = call @differ_f32(%v101, %v103) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v105 = qt.dequantize %v90 : !qt.tensor<3x1x4xf32, #s3> to tensor<3x1x4xf32>
  %v106 = arith.constant dense<[[[0x7FC00000, 0x7FC00000, -2.0, 512.0]], [[1.0, 448.0, -2.0, 512.0]], [[1.0, -448.0, -2.0, 512.0]]]> : tensor<3x1x4xf32>
  %v107 = tensor.collapse_shape %v105 [[0, 1, 2]] : tensor<3x1x4xf32> into tensor<12xf32>
  %v108 = tensor.cast %v107 : tensor<12xf32> to tensor<?xf32>
  %v109 = tensor.collapse_shape %v106 [[0, 1, 2]] : tensor<3x1x4xf32> into tensor<12xf32>
  %v110 = tensor.cast %v109 : tensor<12xf32> to tensor<?xf32>
  %v111 = call @differ_f32(%v108, %v110) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v112 = arith.constant dense<[[[1.0, 0x7FC00000, -2.0, 500.0]], [[1.0, 0x7F800000, -2.0, 500.0]], [[1.0, 0xFF800000, -2.0, 500.0]]]> : tensor<3x1x4xf32>
  %v113 = qt.quantize %v112 : tensor<3x1x4xf32> to !qt.tensor<3x1x4xf32, #s4>
  %v114, %v115 = qt.disassemble %v113 : !qt.tensor<3x1x4xf32, #s4> -> tensor<3x1x4xi8>, tensor<3xf32>
  %v116 = arith.constant dense<[[[54, 127, 190, 126]], [[56, 126, 192, 126]], [[56, 254, 192, 126]]]> : tensor<3x1x4xi8>
  %v117 = tensor.collapse_shape %v114 [[0, 1, 2]] : tensor<3x1x4xi8> into tensor<12xi8>
  %v118 = tensor.cast %v117 : tensor<12xi8> to tensor<?xi8>
  %v119 = tensor.collapse_shape %v116 [[0, 1, 2]] : tensor<3x1x4xi8> into tensor<12xi8>
  %v120 = tensor.cast %v119 : tensor<12xi8> to tensor<?xi8>
  %v121 = call @differ_i8(%v118, %v120) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v122 = arith.constant dense<[1.116071343421936, 1.0, 1.0]> : tensor<3xf32>
  %v123 = tensor.cast %v115 : tensor<3xf32> to tensor<?xf32>
  %v124 = tensor.cast %v122 : tensor<3xf32> to tensor<?xf32>
  %v125 = call @differ_f32(%v123, %v124) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v126 = qt.dequantize %v113 : !qt.tensor<3x1x4xf32, #s4> to tensor<3x1x4xf32>
  %v127 = arith.constant dense<[[[0.9765624403953552, 0x7FC00000, -1.9531248807907104, 499.9999694824219]], [[1.0, 448.0, -2.0, 448.0]], [[1.0, -448.0, -2.0, 448.0]]]> : tensor<3x1x4xf32>
  %v128 = tensor.collapse_shape %v126 [[0, 1, 2]] : tensor<3x1x4xf32> into tensor<12xf32>
  %v129 = tensor.cast %v128 : tensor<12xf32> to tensor<?xf32>
  %v130 = tensor.collapse_shape %v127 [[0, 1, 2]] : tensor<3x1x4xf32> into tensor<12xf32>
  %v131 = tensor.cast %v130 : tensor<12xf32> to tensor<?xf32>
  %v132 = call @differ_f32(%v129, %v131) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v133 = arith.constant dense<[[[1.0, 0x7FC00000, -2.0, 500.0]], [[1.0, 0x7F800000, -2.0, 500.0]], [[1.0, 0xFF800000, -2.0, 500.0]]]> : tensor<3x1x4xf32>
  %v134 = qt.quantize %v133 : tensor<3x1x4xf32> to !qt.tensor<3x1x4xf32, #s5>
  %v135, %v136 = qt.disassemble %v134 : !qt.tensor<3x1x4xf32, #s5> -> tensor<3x1x4xi8>, tensor<3x1x2xi8>
  %v137 = arith.constant dense<[[[120, 127, 184, 120]], [[0, 126, 184, 120]], [[0, 254, 184, 120]]]> : tensor<3x1x4xi8>
  %v138 = tensor.collapse_shape %v135 [[0, 1, 2]] : tensor<3x1x4xi8> into tensor<12xi8>
  %v139 = tensor.cast %v138 : tensor<12xi8> to tensor<?xi8>
  %v140 = tensor.collapse_shape %v137 [[0, 1, 2]] : tensor<3x1x4xi8> into tensor<12xi8>
  %v141 = tensor.cast %v140 : tensor<12xi8> to tensor<?xi8>
  %v142 = call @differ_i8(%v139, %v141) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v143 = arith.constant dense<[[[119, 128]], [[254, 128]], [[254, 128]]]> : tensor<3x1x2xi8>
  %v144 = tensor.collapse_shape %v136 [[0, 1, 2]] : tensor<3x1x2xi8> into tensor<6xi8>
  %v145 = tensor.cast %v144 : tensor<6xi8> to tensor<?xi8>
  %v146 = tensor.collapse_shape %v143 [[0, 1, 2]] : tensor<3x1x2xi8> into tensor<6xi8>
  %v147 = tensor.cast %v146 : tensor<6xi8> to tensor<?xi8>
  %v148 = call @differ_i8(%v145, %v147) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v149 = qt.dequantize %v134 : !qt.tensor<3x1x4xf32, #s5> to tensor<3x1x4xf32>
  %v150 = arith.constant dense<[[[1.0, 0x7FC00000, -2.0, 512.0]], [[0.0, 0x7F800000, -2.0, 512.0]], [[0.0, 0xFF800000, -2.0, 512.0]]]> : tensor<3x1x4xf32>
  %v151 = tensor.collapse_shape %v149 [[0, 1, 2]] : tensor<3x1x4xf32> into tensor<12xf32>
  %v152 = tensor.cast %v151 : tensor<12xf32> to tensor<?xf32>
  %v153 = tensor.collapse_shape %v150 [[0, 1, 2]] : tensor<3x1x4xf32> into tensor<12xf32>
  %v154 = tensor.cast %v153 : tensor<12xf32> to tensor<?xf32>
  %v155 = call @differ_f32(%v152, %v154) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v156 = arith.constant dense<[[[1.0, 0x7FC00000, -2.0, 500.0]], [[1.0, 0x7F800000, -2.0, 500.0]], [[1.0, 0xFF800000, -2.0, 500.0]]]> : tensor<3x1x4xf32>
  %v157 = qt.quantize %v156 : tensor<3x1x4xf32> to !qt.tensor<3x1x4xf32, #s6>
  %v158, %v159 = qt.disassemble %v157 : !qt.tensor<3x1x4xf32, #s6> -> tensor<3x1x4xi8>, tensor<3x1x2xf32>
  %v160 = arith.constant dense<[[[120, 127, 184, 120]], [[56, 126, 184, 120]], [[56, 254, 184, 120]]]> : tensor<3x1x4xi8>
  %v161 = tensor.collapse_shape %v158 [[0, 1, 2]] : tensor<3x1x4xi8> into tensor<12xi8>
  %v162 = tensor.cast %v161 : tensor<12xi8> to tensor<?xi8>
  %v163 = tensor.collapse_shape %v160 [[0, 1, 2]] : tensor<3x1x4xi8> into tensor<12xi8>
  %v164 = tensor.cast %v163 : tensor<12xi8> to tensor<?xi8>
  %v165 = call @differ_i8(%v162, %v164) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v166 = arith.constant dense<[[[0.00390625, 2.0]], [[1.0, 2.0]], [[1.0, 2.0]]]> : tensor<3x1x2xf32>
  %v167 = tensor.collapse_shape %v159 [[0, 1, 2]] : tensor<3x1x2xf32> into tensor<6xf32>
  %v168 = tensor.cast %v167 : tensor<6xf32> to tensor<?xf32>
  %v169 = tensor.collapse_shape %v166 [[0, 1, 2]] : tensor<3x1x2xf32> into tensor<6xf32>
  %v170 = tensor.cast %v169 : tensor<6xf32> to tensor<?xf32>
  %v171 = call @differ_f32(%v168, %v170) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v172 = qt.dequantize %v157 : !qt.tensor<3x1x4xf32, #s6> to tensor<3x1x4xf32>
  %v173 = arith.constant dense<[[[1.0, 0x7FC00000, -2.0, 512.0]], [[1.0, 448.0, -2.0, 512.0]], [[1.0, -448.0, -2.0, 512.0]]]> : tensor<3x1x4xf32>
  %v174 = tensor.collapse_shape %v172 [[0, 1, 2]] : tensor<3x1x4xf32> into tensor<12xf32>
  %v175 = tensor.cast %v174 : tensor<12xf32> to tensor<?xf32>
  %v176 = tensor.collapse_shape %v173 [[0, 1, 2]] : tensor<3x1x4xf32> into tensor<12xf32>
  %v177 = tensor.cast %v176 : tensor<12xf32> to tensor<?xf32>
  %v178 = call @differ_f32(%v175, %v177) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v179 = arith.constant dense<[[[1.0, 0x7FC00000, -2.0, 500.0]], [[1.0, 0x7F800000, -2.0, 500.0]], [[1.0, 0xFF800000, -2.0, 500.0]]]> : tensor<3x1x4xf32>
  %v180 = qt.quantize %v179 : tensor<3x1x4xf32> to !qt.tensor<3x1x4xf32, #s7>
  %v181, %v182, %v183 = qt.disassemble %v180 : !qt.tensor<3x1x4xf32, #s7> -> tensor<3x1x4xi8>, tensor<3x1x2xi8>, tensor<3xf32>
  %v184 = arith.constant dense<[[[7, 7, 7, 7]], [[0, 7, 8, 7]], [[0, 15, 8, 7]]]> : tensor<3x1x4xi8>
  %v185 = tensor.collapse_shape %v181 [[0, 1, 2]] : tensor<3x1x4xi8> into tensor<12xi8>
  %v186 = tensor.cast %v185 : tensor<12xi8> to tensor<?xi8>
  %v187 = tensor.collapse_shape %v184 [[0, 1, 2]] : tensor<3x1x4xi8> into tensor<12xi8>
  %v188 = tensor.cast %v187 : tensor<12xi8> to tensor<?xi8>
  %v189 = call @differ_i8(%v186, %v188) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v190 = arith.constant dense<[[[127, 127]], [[126, 106]], [[126, 106]]]> : tensor<3x1x2xi8>
  %v191 = tensor.collapse_shape %v182 [[0, 1, 2]] : tensor<3x1x2xi8> into tensor<6xi8>
  %v192 = tensor.cast %v191 : tensor<6xi8> to tensor<?xi8>
  %v193 = tensor.collapse_shape %v190 [[0, 1, 2]] : tensor<3x1x2xi8> into tensor<6xi8>
  %v194 = tensor.cast %v193 : tensor<6xi8> to tensor<?xi8>
  %v195 = call @differ_i8(%v192, %v194) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v196 = arith.constant dense<[0x7FC00000, 0x7F800000, 0x7F800000]> : tensor<3xf32>
  %v197 = tensor.cast %v183 : tensor<3xf32> to tensor<?xf32>
  %v198 = tensor.cast %v196 : tensor<3xf32> to tensor<?xf32>
  %v199 = call @differ_f32(%v197, %v198) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v200 = qt.dequantize %v180 : !qt.tensor<3x1x4xf32, #s7> to tensor<3x1x4xf32>
  %v201 = arith.constant dense<[[[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]], [[0xFFC00000, 0x7F800000, 0xFFC00000, 0x7F800000]], [[0xFFC00000, 0xFF800000, 0xFFC00000, 0x7F800000]]]> : tensor<3x1x4xf32>
  %v202 = tensor.collapse_shape %v200 [[0, 1, 2]] : tensor<3x1x4xf32> into tensor<12xf32>
  %v203 = tensor.cast %v202 : tensor<12xf32> to tensor<?xf32>
  %v204 = tensor.collapse_shape %v201 [[0, 1, 2]] : tensor<3x1x4xf32> into tensor<12xf32>
  %v205 = tensor.cast %v204 : tensor<12xf32> to tensor<?xf32>
  %v206 = call @differ_f32(%v203, %v205) : (tensor<?xf32>, tensor<?xf32>) -> i64

  %v207 = arith.addi %v10, %v16 : i64
  %v208 = arith.addi %v207, %v23 : i64
  %v209 = arith.addi %v208, %v33 : i64
  %v210 = arith.addi %v209, %v39 : i64
  %v211 = arith.addi %v210, %v46 : i64
  %v212 = arith.addi %v211, %v56 : i64
  %v213 = arith.addi %v212, %v60 : i64
  %v214 = arith.addi %v213, %v67 : i64
  %v215 = arith.addi %v214, %v77 : i64
  %v216 = arith.addi %v215, %v81 : i64
  %v217 = arith.addi %v216, %v88 : i64
  %v218 = arith.addi %v217, %v98 : i64
  %v219 = arith.addi %v218, %v104 : i64
  %v220 = arith.addi %v219, %v111 : i64
  %v221 = arith.addi %v220, %v121 : i64
  %v222 = arith.addi %v221, %v125 : i64
  %v223 = arith.addi %v222, %v132 : i64
  %v224 = arith.addi %v223, %v142 : i64
  %v225 = arith.addi %v224, %v148 : i64
  %v226 = arith.addi %v225, %v155 : i64
  %v227 = arith.addi %v226, %v165 : i64
  %v228 = arith.addi %v227, %v171 : i64
  %v229 = arith.addi %v228, %v178 : i64
  %v230 = arith.addi %v229, %v189 : i64
  %v231 = arith.addi %v230, %v195 : i64
  %v232 = arith.addi %v231, %v199 : i64
  %v233 = arith.addi %v232, %v206 : i64
  return %v233 : i64
}
