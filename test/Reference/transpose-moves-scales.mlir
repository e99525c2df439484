// RUN: fp8-run %s | FileCheck %s
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// A transpose moves the scales with the codes: codes [[1, 2, 3], [4, 5, 6]] under scales [0.5, 2] of the rows.

#s0 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
#s1 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [*, 1] by fdiv>]>
#s2 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#s3 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [3, 3] by fdiv_pow2>]>
#s4 = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [2, 2] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>

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
  %v1 = arith.constant dense<[[56, 64, 68], [72, 74, 76]]> : tensor<2x3xi8>
  %v2 = arith.constant dense<[[0.5], [2.0]]> : tensor<2x1xf32>
  %v3 = qt.assemble %v1, %v2 : tensor<2x3xi8>, tensor<2x1xf32> -> !qt.tensor<2x3xf32, #s0>
  %v4 = qt.transpose %v3 permutation = [1, 0] : !qt.tensor<2x3xf32, #s0> -> !qt.tensor<3x2xf32, #s1>
  %v5 = qt.dequantize %v4 : !qt.tensor<3x2xf32, #s1> to tensor<3x2xf32>
  %v6 = arith.constant dense<[[0.5, 8.0], [1.0, 10.0], [1.5, 12.0]]> : tensor<3x2xf32>
  %v7 = tensor.collapse_shape %v5 [[0, 1]] : tensor<3x2xf32> into tensor<6xf32>
  %v8 = tensor.cast %v7 : tensor<6xf32> to tensor<?xf32>
  %v9 = tensor.collapse_shape %v6 [[0, 1]] : tensor<3x2xf32> into tensor<6xf32>
  %v10 = tensor.cast %v9 : tensor<6xf32> to tensor<?xf32>
  %v11 = call @differ_f32(%v8, %v10) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v12, %v13 = qt.disassemble %v4 : !qt.tensor<3x2xf32, #s1> -> tensor<3x2xi8>, tensor<1x2xf32>
  %v14 = arith.constant dense<[[56, 72], [64, 74], [68, 76]]> : tensor<3x2xi8>
  %v15 = tensor.collapse_shape %v12 [[0, 1]] : tensor<3x2xi8> into tensor<6xi8>
  %v16 = tensor.cast %v15 : tensor<6xi8> to tensor<?xi8>
  %v17 = tensor.collapse_shape %v14 [[0, 1]] : tensor<3x2xi8> into tensor<6xi8>
  %v18 = tensor.cast %v17 : tensor<6xi8> to tensor<?xi8>
  %v19 = call @differ_i8(%v16, %v18) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v20 = arith.constant dense<[[0.5, 2.0]]> : tensor<1x2xf32>
  %v21 = tensor.collapse_shape %v13 [[0, 1]] : tensor<1x2xf32> into tensor<2xf32>
  %v22 = tensor.cast %v21 : tensor<2xf32> to tensor<?xf32>
  %v23 = tensor.collapse_shape %v20 [[0, 1]] : tensor<1x2xf32> into tensor<2xf32>
  %v24 = tensor.cast %v23 : tensor<2xf32> to tensor<?xf32>
  %v25 = call @differ_f32(%v22, %v24) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v26 = qt.transpose %v4 permutation = [1, 0] : !qt.tensor<3x2xf32, #s1> -> !qt.tensor<2x3xf32, #s0>
  %v27, %v28 = qt.disassemble %v26 : !qt.tensor<2x3xf32, #s0> -> tensor<2x3xi8>, tensor<2x1xf32>
  %v29 = arith.constant dense<[[56, 64, 68], [72, 74, 76]]> : tensor<2x3xi8>
  %v30 = tensor.collapse_shape %v27 [[0, 1]] : tensor<2x3xi8> into tensor<6xi8>
  %v31 = tensor.cast %v30 : tensor<6xi8> to tensor<?xi8>
  %v32 = tensor.collapse_shape %v29 [[0, 1]] : tensor<2x3xi8> into tensor<6xi8>
  %v33 = tensor.cast %v32 : tensor<6xi8> to tensor<?xi8>
  %v34 = call @differ_i8(%v31, %v33) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v35 = arith.constant dense<[[0.5], [2.0]]> : tensor<2x1xf32>
  %v36 = tensor.collapse_shape %v28 [[0, 1]] : tensor<2x1xf32> into tensor<2xf32>
  %v37 = tensor.cast %v36 : tensor<2xf32> to tensor<?xf32>
  %v38 = tensor.collapse_shape %v35 [[0, 1]] : tensor<2x1xf32> into tensor<2xf32>
  %v39 = tensor.cast %v38 : tensor<2xf32> to tensor<?xf32>
  %v40 = call @differ_f32(%v37, %v39) : (tensor<?xf32>, tensor<?xf32>) -> i64

  // Per tensor and in square blocks the transpose of a quantization is the quantization of the transpose.
  %v41 = arith.constant dense<[[[-0.0068359375, 1.046875, 0.7421875, 0.72265625, 1.6171875], [-1.203125, -0.62890625, -1.3203125, -0.10791015625, 1.0], [-0.02197265625, 0.49609375, -1.9140625, 0.1474609375, -0.90625], [1.7734375, 0.88671875, 0.94921875, -0.057861328125, 0.61328125]], [[0.65625, -0.34375, -0.498046875, -0.11474609375, -0.60546875], [-0.59375, -0.283203125, -0.7265625, 0.765625, -1.59375], [0.82421875, -0.625, -0.546875, -1.3515625, -0.14453125], [-0.248046875, 0.19140625, -0.53515625, 0.09375, 1.8203125]]]> : tensor<2x4x5xf32>
  %v42 = qt.quantize %v41 : tensor<2x4x5xf32> to !qt.tensor<2x4x5xf32, #s2>
  %v43 = qt.transpose %v42 permutation = [0, 2, 1] : !qt.tensor<2x4x5xf32, #s2> -> !qt.tensor<2x5x4xf32, #s2>
  %v44, %v45 = qt.disassemble %v43 : !qt.tensor<2x5x4xf32, #s2> -> tensor<2x5x4xi8>, tensor<2xf32>
  %v46 = arith.constant dense<[[[189, 249, 202, 125], [119, 241, 111, 117], [115, 250, 254, 118], [115, 221, 97, 214], [124, 119, 245, 113]], [[114, 241, 117, 231], [235, 233, 242, 100], [239, 243, 240, 240], [222, 116, 250, 92], [241, 252, 225, 126]]]> : tensor<2x5x4xi8>
  %v47 = tensor.collapse_shape %v44 [[0, 1, 2]] : tensor<2x5x4xi8> into tensor<40xi8>
  %v48 = tensor.cast %v47 : tensor<40xi8> to tensor<?xi8>
  %v49 = tensor.collapse_shape %v46 [[0, 1, 2]] : tensor<2x5x4xi8> into tensor<40xi8>
  %v50 = tensor.cast %v49 : tensor<40xi8> to tensor<?xi8>
  %v51 = call @differ_i8(%v48, %v50) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v52 = arith.constant dense<[0.0042724609375, 0.004063197411596775]> : tensor<2xf32>
  %v53 = tensor.cast %v45 : tensor<2xf32> to tensor<?xf32>
  %v54 = tensor.cast %v52 : tensor<2xf32> to tensor<?xf32>
  %v55 = call @differ_f32(%v53, %v54) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v56 = arith.constant dense<[[[0.408203125, -0.57421875, 0.953125, -0.12890625, 0.59375], [0.61328125, -0.390625, -1.9296875, -0.34765625, 0.55078125], [-0.380859375, 0.439453125, 0.98046875, -0.54296875, 1.234375], [1.625, 1.078125, 1.1640625, 1.09375, 2.25]], [[0.185546875, 0.0020904541015625, 0.6015625, -0.90625, -1.5546875], [-0.8828125, 0.373046875, 0.47265625, -1.5390625, -1.8828125], [-0.31640625, -0.1884765625, -0.04931640625, 0.671875, 1.2265625], [0.23046875, 0.61328125, -1.09375, -1.1796875, 0.236328125]]]> : tensor<2x4x5xf32>
  %v57 = qt.quantize %v56 : tensor<2x4x5xf32> to !qt.tensor<2x4x5xf32, #s3>
  %v58 = qt.transpose %v57 permutation = [0, 2, 1] : !qt.tensor<2x4x5xf32, #s3> -> !qt.tensor<2x5x4xf32, #s3>
  %v59, %v60 = qt.disassemble %v58 : !qt.tensor<2x5x4xf32, #s3> -> tensor<2x5x4xi8>, tensor<2x2x2xf32>
  %v61 = arith.constant dense<[[[101, 106, 228, 125], [233, 228, 102, 121], [111, 247, 112, 121], [224, 235, 241, 113], [114, 113, 122, 121]], [[100, 246, 234, 103], [49, 108, 228, 114], [114, 111, 213, 249], [238, 244, 107, 249], [244, 247, 114, 103]]]> : tensor<2x5x4xi8>
  %v62 = tensor.collapse_shape %v59 [[0, 1, 2]] : tensor<2x5x4xi8> into tensor<40xi8>
  %v63 = tensor.cast %v62 : tensor<40xi8> to tensor<?xi8>
  %v64 = tensor.collapse_shape %v61 [[0, 1, 2]] : tensor<2x5x4xi8> into tensor<40xi8>
  %v65 = tensor.cast %v64 : tensor<40xi8> to tensor<?xi8>
  %v66 = call @differ_i8(%v63, %v65) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v67 = arith.constant dense<[[[0.0078125, 0.00390625], [0.00390625, 0.0078125]], [[0.00390625, 0.00390625], [0.0078125, 0.00390625]]]> : tensor<2x2x2xf32>
  %v68 = tensor.collapse_shape %v60 [[0, 1, 2]] : tensor<2x2x2xf32> into tensor<8xf32>
  %v69 = tensor.cast %v68 : tensor<8xf32> to tensor<?xf32>
  %v70 = tensor.collapse_shape %v67 [[0, 1, 2]] : tensor<2x2x2xf32> into tensor<8xf32>
  %v71 = tensor.cast %v70 : tensor<8xf32> to tensor<?xf32>
  %v72 = call @differ_f32(%v69, %v71) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v73 = arith.constant dense<[[[0.6640625, 0.7265625, 0.59375, 0.78515625, 0.80859375], [-1.75, -0.734375, 0.455078125, 0.59765625, -1.515625], [1.171875, -0.439453125, -0.232421875, 0.2734375, 0.75], [-1.4296875, 0.98828125, 0.0771484375, -0.76953125, -0.275390625]], [[-2.1875, -0.6484375, 0.181640625, -0.7109375, -0.328125], [-0.146484375, 0.04833984375, 1.0234375, -0.02490234375, -0.259765625], [0.5390625, 2.078125, -0.341796875, 0.51171875, -1.578125], [1.34375, 0.66015625, 1.3359375, -0.05908203125, -1.0390625]]]> : tensor<2x4x5xf32>
  %v74 = qt.quantize %v73 : tensor<2x4x5xf32> to !qt.tensor<2x4x5xf32, #s4>
  %v75 = qt.transpose %v74 permutation = [0, 2, 1] : !qt.tensor<2x4x5xf32, #s4> -> !qt.tensor<2x5x4xf32, #s4>
  %v76, %v77, %v78 = qt.disassemble %v75 : !qt.tensor<2x5x4xf32, #s4> -> tensor<2x5x4xi8>, tensor<2x3x2xi8>, tensor<2xf32>
  %v79 = arith.constant dense<[[[4, 15, 7, 15], [4, 13, 12, 6], [6, 5, 12, 1], [7, 6, 4, 15], [5, 15, 7, 12]], [[15, 9, 3, 6], [12, 0, 7, 4], [2, 7, 11, 7], [14, 8, 4, 9], [15, 14, 15, 14]]]> : tensor<2x5x4xi8>
  %v80 = tensor.collapse_shape %v76 [[0, 1, 2]] : tensor<2x5x4xi8> into tensor<40xi8>
  %v81 = tensor.cast %v80 : tensor<40xi8> to tensor<?xi8>
  %v82 = tensor.collapse_shape %v79 [[0, 1, 2]] : tensor<2x5x4xi8> into tensor<40xi8>
  %v83 = tensor.cast %v82 : tensor<40xi8> to tensor<?xi8>
  %v84 = call @differ_i8(%v81, %v83) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v85 = arith.constant dense<[[[126, 123], [117, 116], [124, 116]], [[126, 125], [117, 121], [104, 122]]]> : tensor<2x3x2xi8>
  %v86 = tensor.collapse_shape %v77 [[0, 1, 2]] : tensor<2x3x2xi8> into tensor<12xi8>
  %v87 = tensor.cast %v86 : tensor<12xi8> to tensor<?xi8>
  %v88 = tensor.collapse_shape %v85 [[0, 1, 2]] : tensor<2x3x2xi8> into tensor<12xi8>
  %v89 = tensor.cast %v88 : tensor<12xi8> to tensor<?xi8>
  %v90 = call @differ_i8(%v87, %v89) : (tensor<?xi8>, tensor<?xi8>) -> i64
  %v91 = arith.constant dense<[1.75, 2.1875]> : tensor<2xf32>
  %v92 = tensor.cast %v78 : tensor<2xf32> to tensor<?xf32>
  %v93 = tensor.cast %v91 : tensor<2xf32> to tensor<?xf32>
  %v94 = call @differ_f32(%v92, %v93) : (tensor<?xf32>, tensor<?xf32>) -> i64

  %v95 = arith.addi %v11, %v19 : i64
  %v96 = arith.addi %v95, %v25 : i64
  %v97 = arith.addi %v96, %v34 : i64
  %v98 = arith.addi %v97, %v40 : i64
  %v99 = arith.addi %v98, %v51 : i64
  %v100 = arith.addi %v99, %v55 : i64
  %v101 = arith.addi %v100, %v66 : i64
  %v102 = arith.addi %v101, %v72 : i64
  %v103 = arith.addi %v102, %v84 : i64
  %v104 = arith.addi %v103, %v90 : i64
  %v105 = arith.addi %v104, %v94 : i64
  return %v105 : i64
}
