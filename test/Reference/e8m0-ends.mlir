// RUN: fp8-run %s | FileCheck %s
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// The ends of E8M0: byte 0 is 2^-127, a subnormal f32 and not zero; 254 is 2^127, whose reciprocal is 2^-127; 255 is NaN.

#s0 = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 2] by floor>]>
#s1 = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 2] by ceil>]>
#s2 = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 2] by even>]>
#s3 = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 2] by rceil_mul>]>
#s4 = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 2] by rceil_div>]>

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

  // Decoding one.
  %v1 = arith.constant dense<56> : tensor<1x10xi8>
  %v2 = arith.constant dense<[[0, 1, 127, 254, 255]]> : tensor<1x5xi8>
  %v3 = qt.assemble %v1, %v2 : tensor<1x10xi8>, tensor<1x5xi8> -> !qt.tensor<1x10xf32, #s0>
  %v4 = qt.dequantize %v3 : !qt.tensor<1x10xf32, #s0> to tensor<1x10xf32>
  %v5 = arith.constant dense<[[5.877471754111438e-39, 5.877471754111438e-39, 1.1754943508222875e-38, 1.1754943508222875e-38, 1.0, 1.0, 1.7014118346046923e+38, 1.7014118346046923e+38, 0x7FC00000, 0x7FC00000]]> : tensor<1x10xf32>
  %v6 = tensor.collapse_shape %v4 [[0, 1]] : tensor<1x10xf32> into tensor<10xf32>
  %v7 = tensor.cast %v6 : tensor<10xf32> to tensor<?xf32>
  %v8 = tensor.collapse_shape %v5 [[0, 1]] : tensor<1x10xf32> into tensor<10xf32>
  %v9 = tensor.cast %v8 : tensor<10xf32> to tensor<?xf32>
  %v10 = call @differ_f32(%v7, %v9) : (tensor<?xf32>, tensor<?xf32>) -> i64

  // Encoding under given scales.
  %v11 = arith.constant dense<[[5.877471754111438e-39, -1.1754943508222875e-38, 1.1754943508222875e-38, 2.350988701644575e-38, 1.0, 2.0, 1.7014118346046923e+38, -2.5521177519070385e+38, 1.0, 2.0]]> : tensor<1x10xf32>
  %v12 = qt.quantize %v11 scales(%v2 : tensor<1x5xi8>) : tensor<1x10xf32> to !qt.tensor<1x10xf32, #s0>
  %v13, %v14 = qt.disassemble %v12 : !qt.tensor<1x10xf32, #s0> -> tensor<1x10xi8>, tensor<1x5xi8>
  %v15 = arith.constant dense<[[56, 192, 56, 64, 56, 64, 56, 188, 127, 127]]> : tensor<1x10xi8>
  %v16 = tensor.collapse_shape %v13 [[0, 1]] : tensor<1x10xi8> into tensor<10xi8>
  %v17 = tensor.cast %v16 : tensor<10xi8> to tensor<?xi8>
  %v18 = tensor.collapse_shape %v15 [[0, 1]] : tensor<1x10xi8> into tensor<10xi8>
  %v19 = tensor.cast %v18 : tensor<10xi8> to tensor<?xi8>
  %v20 = call @differ_i8(%v17, %v19) : (tensor<?xi8>, tensor<?xi8>) -> i64

  // Amaxes that lead to the ends.
  %v21 = arith.constant dense<[[1.401298464324817e-45, 5.877471754111438e-39, 3.0000000054977558e+38, 9.999999680285692e+37, 3.4028234663852886e+38, -3.4028234663852886e+38, 3.009265538105056e-36, 0.0]]> : tensor<1x8xf32>
  %v22 = qt.quantize %v21 : tensor<1x8xf32> to !qt.tensor<1x8xf32, #s0>
  %v23, %v24 = qt.disassemble %v22 : !qt.tensor<1x8xf32, #s0> -> tensor<1x8xi8>, tensor<1x4xi8>
  %v25 = arith.constant dense<[[0, 56, 126, 113, 126, 254, 120, 0]]> : tensor<1x8xi8>
  %v26 = tensor.collapse_shape %v23 [[0, 1]] : tensor<1x8xi8> into tensor<8xi8>
  %v27 = tensor.cast %v26 : tensor<8xi8> to tensor<?xi8>
  %v28 = tensor.collapse_shape %v25 [[0, 1]] : tensor<1x8xi8> into tensor<8xi8>
  %v29 = tensor.cast %v28 : tensor<8xi8> to tensor<?xi8>
  %v30 = call @differ_i8(%v27, %v29) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v31 = arith.constant dense<[[0, 246, 246, 1]]> : tensor<1x4xi8>
  %v32 = tensor.collapse_shape %v24 [[0, 1]] : tensor<1x4xi8> into tensor<4xi8>
  %v33 = tensor.cast %v32 : tensor<4xi8> to tensor<?xi8>
  %v34 = tensor.collapse_shape %v31 [[0, 1]] : tensor<1x4xi8> into tensor<4xi8>
  %v35 = tensor.cast %v34 : tensor<4xi8> to tensor<?xi8>
  %v36 = call @differ_i8(%v33, %v35) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v37 = qt.dequantize %v22 : !qt.tensor<1x8xf32, #s0> to tensor<1x8xf32>
  %v38 = arith.constant dense<[[0.0, 5.877471754111438e-39, 2.9774707105582116e+38, 9.570441569651394e+37, 2.9774707105582116e+38, -2.9774707105582116e+38, 3.009265538105056e-36, 0.0]]> : tensor<1x8xf32>
  %v39 = tensor.collapse_shape %v37 [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  %v40 = tensor.cast %v39 : tensor<8xf32> to tensor<?xf32>
  %v41 = tensor.collapse_shape %v38 [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  %v42 = tensor.cast %v41 : tensor<8xf32> to tensor<?xf32>
  %v43 = call @differ_f32(%v40, %v42) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v44 = arith.constant dense<[[1.401298464324817e-45, 5.877471754111438e-39, 3.0000000054977558e+38, 9.999999680285692e+37, 3.4028234663852886e+38, -3.4028234663852886e+38, 3.009265538105056e-36, 0.0]]> : tensor<1x8xf32>
  %v45 = qt.quantize %v44 : tensor<1x8xf32> to !qt.tensor<1x8xf32, #s1>
  %v46, %v47 = qt.disassemble %v45 : !qt.tensor<1x8xf32, #s1> -> tensor<1x8xi8>, tensor<1x4xi8>
  %v48 = arith.constant dense<[[0, 56, 118, 105, 120, 248, 120, 0]]> : tensor<1x8xi8>
  %v49 = tensor.collapse_shape %v46 [[0, 1]] : tensor<1x8xi8> into tensor<8xi8>
  %v50 = tensor.cast %v49 : tensor<8xi8> to tensor<?xi8>
  %v51 = tensor.collapse_shape %v48 [[0, 1]] : tensor<1x8xi8> into tensor<8xi8>
  %v52 = tensor.cast %v51 : tensor<8xi8> to tensor<?xi8>
  %v53 = call @differ_i8(%v50, %v52) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v54 = arith.constant dense<[[0, 247, 247, 1]]> : tensor<1x4xi8>
  %v55 = tensor.collapse_shape %v47 [[0, 1]] : tensor<1x4xi8> into tensor<4xi8>
  %v56 = tensor.cast %v55 : tensor<4xi8> to tensor<?xi8>
  %v57 = tensor.collapse_shape %v54 [[0, 1]] : tensor<1x4xi8> into tensor<4xi8>
  %v58 = tensor.cast %v57 : tensor<4xi8> to tensor<?xi8>
  %v59 = call @differ_i8(%v56, %v58) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v60 = qt.dequantize %v45 : !qt.tensor<1x8xf32, #s1> to tensor<1x8xf32>
  %v61 = arith.constant dense<[[0.0, 5.877471754111438e-39, 2.9774707105582116e+38, 9.570441569651394e+37, 0x7F800000, 0xFF800000, 3.009265538105056e-36, 0.0]]> : tensor<1x8xf32>
  %v62 = tensor.collapse_shape %v60 [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  %v63 = tensor.cast %v62 : tensor<8xf32> to tensor<?xf32>
  %v64 = tensor.collapse_shape %v61 [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  %v65 = tensor.cast %v64 : tensor<8xf32> to tensor<?xf32>
  %v66 = call @differ_f32(%v63, %v65) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v67 = arith.constant dense<[[1.401298464324817e-45, 5.877471754111438e-39, 3.0000000054977558e+38, 9.999999680285692e+37, 3.4028234663852886e+38, -3.4028234663852886e+38, 3.009265538105056e-36, 0.0]]> : tensor<1x8xf32>
  %v68 = qt.quantize %v67 : tensor<1x8xf32> to !qt.tensor<1x8xf32, #s2>
  %v69, %v70 = qt.disassemble %v68 : !qt.tensor<1x8xf32, #s2> -> tensor<1x8xi8>, tensor<1x4xi8>
  %v71 = arith.constant dense<[[0, 56, 126, 113, 127, 127, 120, 0]]> : tensor<1x8xi8>
  %v72 = tensor.collapse_shape %v69 [[0, 1]] : tensor<1x8xi8> into tensor<8xi8>
  %v73 = tensor.cast %v72 : tensor<8xi8> to tensor<?xi8>
  %v74 = tensor.collapse_shape %v71 [[0, 1]] : tensor<1x8xi8> into tensor<8xi8>
  %v75 = tensor.cast %v74 : tensor<8xi8> to tensor<?xi8>
  %v76 = call @differ_i8(%v73, %v75) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v77 = arith.constant dense<[[0, 246, 255, 1]]> : tensor<1x4xi8>
  %v78 = tensor.collapse_shape %v70 [[0, 1]] : tensor<1x4xi8> into tensor<4xi8>
  %v79 = tensor.cast %v78 : tensor<4xi8> to tensor<?xi8>
  %v80 = tensor.collapse_shape %v77 [[0, 1]] : tensor<1x4xi8> into tensor<4xi8>
  %v81 = tensor.cast %v80 : tensor<4xi8> to tensor<?xi8>
  %v82 = call @differ_i8(%v79, %v81) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v83 = qt.dequantize %v68 : !qt.tensor<1x8xf32, #s2> to tensor<1x8xf32>
  %v84 = arith.constant dense<[[0.0, 5.877471754111438e-39, 2.9774707105582116e+38, 9.570441569651394e+37, 0x7FC00000, 0x7FC00000, 3.009265538105056e-36, 0.0]]> : tensor<1x8xf32>
  %v85 = tensor.collapse_shape %v83 [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  %v86 = tensor.cast %v85 : tensor<8xf32> to tensor<?xf32>
  %v87 = tensor.collapse_shape %v84 [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  %v88 = tensor.cast %v87 : tensor<8xf32> to tensor<?xf32>
  %v89 = call @differ_f32(%v86, %v88) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v90 = arith.constant dense<[[1.401298464324817e-45, 5.877471754111438e-39, 3.0000000054977558e+38, 9.999999680285692e+37, 3.4028234663852886e+38, -3.4028234663852886e+38, 3.009265538105056e-36, 0.0]]> : tensor<1x8xf32>
  %v91 = qt.quantize %v90 : tensor<1x8xf32> to !qt.tensor<1x8xf32, #s3>
  %v92, %v93 = qt.disassemble %v91 : !qt.tensor<1x8xf32, #s3> -> tensor<1x8xi8>, tensor<1x4xi8>
  %v94 = arith.constant dense<[[0, 56, 118, 105, 120, 248, 120, 0]]> : tensor<1x8xi8>
  %v95 = tensor.collapse_shape %v92 [[0, 1]] : tensor<1x8xi8> into tensor<8xi8>
  %v96 = tensor.cast %v95 : tensor<8xi8> to tensor<?xi8>
  %v97 = tensor.collapse_shape %v94 [[0, 1]] : tensor<1x8xi8> into tensor<8xi8>
  %v98 = tensor.cast %v97 : tensor<8xi8> to tensor<?xi8>
  %v99 = call @differ_i8(%v96, %v98) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v100 = arith.constant dense<[[0, 247, 247, 1]]> : tensor<1x4xi8>
  %v101 = tensor.collapse_shape %v93 [[0, 1]] : tensor<1x4xi8> into tensor<4xi8>
  %v102 = tensor.cast %v101 : tensor<4xi8> to tensor<?xi8>
  %v103 = tensor.collapse_shape %v100 [[0, 1]] : tensor<1x4xi8> into tensor<4xi8>
  %v104 = tensor.cast %v103 : tensor<4xi8> to tensor<?xi8>
  %v105 = call @differ_i8(%v102, %v104) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v106 = qt.dequantize %v91 : !qt.tensor<1x8xf32, #s3> to tensor<1x8xf32>
  %v107 = arith.constant dense<[[0.0, 5.877471754111438e-39, 2.9774707105582116e+38, 9.570441569651394e+37, 0x7F800000, 0xFF800000, 3.009265538105056e-36, 0.0]]> : tensor<1x8xf32>
  %v108 = tensor.collapse_shape %v106 [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  %v109 = tensor.cast %v108 : tensor<8xf32> to tensor<?xf32>
  %v110 = tensor.collapse_shape %v107 [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  %v111 = tensor.cast %v110 : tensor<8xf32> to tensor<?xf32>
  %v112 = call @differ_f32(%v109, %v111) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v113 = arith.constant dense<[[1.401298464324817e-45, 5.877471754111438e-39, 3.0000000054977558e+38, 9.999999680285692e+37, 3.4028234663852886e+38, -3.4028234663852886e+38, 3.009265538105056e-36, 0.0]]> : tensor<1x8xf32>
  %v114 = qt.quantize %v113 : tensor<1x8xf32> to !qt.tensor<1x8xf32, #s4>
  %v115, %v116 = qt.disassemble %v114 : !qt.tensor<1x8xf32, #s4> -> tensor<1x8xi8>, tensor<1x4xi8>
  %v117 = arith.constant dense<[[0, 48, 118, 105, 120, 248, 120, 0]]> : tensor<1x8xi8>
  %v118 = tensor.collapse_shape %v115 [[0, 1]] : tensor<1x8xi8> into tensor<8xi8>
  %v119 = tensor.cast %v118 : tensor<8xi8> to tensor<?xi8>
  %v120 = tensor.collapse_shape %v117 [[0, 1]] : tensor<1x8xi8> into tensor<8xi8>
  %v121 = tensor.cast %v120 : tensor<8xi8> to tensor<?xi8>
  %v122 = call @differ_i8(%v119, %v121) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v123 = arith.constant dense<[[1, 247, 247, 1]]> : tensor<1x4xi8>
  %v124 = tensor.collapse_shape %v116 [[0, 1]] : tensor<1x4xi8> into tensor<4xi8>
  %v125 = tensor.cast %v124 : tensor<4xi8> to tensor<?xi8>
  %v126 = tensor.collapse_shape %v123 [[0, 1]] : tensor<1x4xi8> into tensor<4xi8>
  %v127 = tensor.cast %v126 : tensor<4xi8> to tensor<?xi8>
  %v128 = call @differ_i8(%v125, %v127) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v129 = qt.dequantize %v114 : !qt.tensor<1x8xf32, #s4> to tensor<1x8xf32>
  %v130 = arith.constant dense<[[0.0, 5.877471754111438e-39, 2.9774707105582116e+38, 9.570441569651394e+37, 0x7F800000, 0xFF800000, 3.009265538105056e-36, 0.0]]> : tensor<1x8xf32>
  %v131 = tensor.collapse_shape %v129 [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  %v132 = tensor.cast %v131 : tensor<8xf32> to tensor<?xf32>
  %v133 = tensor.collapse_shape %v130 [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  %v134 = tensor.cast %v133 : tensor<8xf32> to tensor<?xf32>
  %v135 = call @differ_f32(%v132, %v134) : (tensor<?xf32>, tensor<?xf32>) -> i64

  %v136 = arith.addi %v10, %v20 : i64
  %v137 = arith.addi %v136, %v30 : i64
  %v138 = arith.addi %v137, %v36 : i64
  %v139 = arith.addi %v138, %v43 : i64
  %v140 = arith.addi %v139, %v53 : i64
  %v141 = arith.addi %v140, %v59 : i64
  %v142 = arith.addi %v141, %v66 : i64
  %v143 = arith.addi %v142, %v76 : i64
  %v144 = arith.addi %v143, %v82 : i64
  %v145 = arith.addi %v144, %v89 : i64
  %v146 = arith.addi %v145, %v99 : i64
  %v147 = arith.addi %v146, %v105 : i64
  %v148 = arith.addi %v147, %v112 : i64
  %v149 = arith.addi %v148, %v122 : i64
  %v150 = arith.addi %v149, %v128 : i64
  %v151 = arith.addi %v150, %v135 : i64
  return %v151 : i64
}
