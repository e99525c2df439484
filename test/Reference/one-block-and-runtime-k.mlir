// RUN: fp8-run %s | FileCheck %s
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// One scale is a scale, and K known when the program runs gives other numbers of blocks from the same code.

#s0 = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>

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

func.func private @product(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %qa = qt.quantize %a : tensor<?x?xbf16> to !qt.tensor<?x?xbf16, #s0>
  %qb = qt.quantize %b : tensor<?x?xbf16> to !qt.tensor<?x?xbf16, #s0>
  %y = qt.matmul %qa, %qb plus %o : tensor<?x?xf32> : !qt.tensor<?x?xbf16, #s0>, !qt.tensor<?x?xbf16, #s0> -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

func.func @main() -> i64 {

  // All codes one, both bytes 128 (a scale of 2), K = 32: 128.
  %v1 = arith.constant dense<56> : tensor<1x32xi8>
  %v2 = arith.constant dense<128> : tensor<1x1xi8>
  %v3 = qt.assemble %v1, %v2 : tensor<1x32xi8>, tensor<1x1xi8> -> !qt.tensor<1x32xf32, #s0>
  %v4 = qt.matmul %v3, %v3 : !qt.tensor<1x32xf32, #s0>, !qt.tensor<1x32xf32, #s0> -> tensor<1x1xf32>
  %v5 = arith.constant dense<[[128.0]]> : tensor<1x1xf32>
  %v6 = tensor.collapse_shape %v4 [[0, 1]] : tensor<1x1xf32> into tensor<1xf32>
  %v7 = tensor.cast %v6 : tensor<1xf32> to tensor<?xf32>
  %v8 = tensor.collapse_shape %v5 [[0, 1]] : tensor<1x1xf32> into tensor<1xf32>
  %v9 = tensor.cast %v8 : tensor<1xf32> to tensor<?xf32>
  %v10 = call @differ_f32(%v7, %v9) : (tensor<?xf32>, tensor<?xf32>) -> i64

  // All ones: K, from one function; and added to two where K is zero.
  %v11 = arith.constant dense<1.0> : tensor<2x48xbf16>
  %v12 = tensor.cast %v11 : tensor<2x48xbf16> to tensor<?x?xbf16>
  %v13 = arith.constant dense<1.0> : tensor<3x48xbf16>
  %v14 = tensor.cast %v13 : tensor<3x48xbf16> to tensor<?x?xbf16>
  %v15 = arith.constant dense<2.0> : tensor<2x3xf32>
  %v16 = tensor.cast %v15 : tensor<2x3xf32> to tensor<?x?xf32>
  %v17 = call @product(%v12, %v14, %v16) : (tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %v18 = tensor.cast %v17 : tensor<?x?xf32> to tensor<2x3xf32>
  %v19 = arith.constant dense<50.0> : tensor<2x3xf32>
  %v20 = tensor.collapse_shape %v18 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %v21 = tensor.cast %v20 : tensor<6xf32> to tensor<?xf32>
  %v22 = tensor.collapse_shape %v19 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %v23 = tensor.cast %v22 : tensor<6xf32> to tensor<?xf32>
  %v24 = call @differ_f32(%v21, %v23) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v25 = arith.constant dense<1.0> : tensor<1x32xbf16>
  %v26 = tensor.cast %v25 : tensor<1x32xbf16> to tensor<?x?xbf16>
  %v27 = arith.constant dense<1.0> : tensor<1x32xbf16>
  %v28 = tensor.cast %v27 : tensor<1x32xbf16> to tensor<?x?xbf16>
  %v29 = arith.constant dense<2.0> : tensor<1x1xf32>
  %v30 = tensor.cast %v29 : tensor<1x1xf32> to tensor<?x?xf32>
  %v31 = call @product(%v26, %v28, %v30) : (tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %v32 = tensor.cast %v31 : tensor<?x?xf32> to tensor<1x1xf32>
  %v33 = arith.constant dense<[[34.0]]> : tensor<1x1xf32>
  %v34 = tensor.collapse_shape %v32 [[0, 1]] : tensor<1x1xf32> into tensor<1xf32>
  %v35 = tensor.cast %v34 : tensor<1xf32> to tensor<?xf32>
  %v36 = tensor.collapse_shape %v33 [[0, 1]] : tensor<1x1xf32> into tensor<1xf32>
  %v37 = tensor.cast %v36 : tensor<1xf32> to tensor<?xf32>
  %v38 = call @differ_f32(%v35, %v37) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v39 = arith.constant dense<1.0> : tensor<3x1xbf16>
  %v40 = tensor.cast %v39 : tensor<3x1xbf16> to tensor<?x?xbf16>
  %v41 = arith.constant dense<1.0> : tensor<1x1xbf16>
  %v42 = tensor.cast %v41 : tensor<1x1xbf16> to tensor<?x?xbf16>
  %v43 = arith.constant dense<2.0> : tensor<3x1xf32>
  %v44 = tensor.cast %v43 : tensor<3x1xf32> to tensor<?x?xf32>
  %v45 = call @product(%v40, %v42, %v44) : (tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %v46 = tensor.cast %v45 : tensor<?x?xf32> to tensor<3x1xf32>
  %v47 = arith.constant dense<3.0> : tensor<3x1xf32>
  %v48 = tensor.collapse_shape %v46 [[0, 1]] : tensor<3x1xf32> into tensor<3xf32>
  %v49 = tensor.cast %v48 : tensor<3xf32> to tensor<?xf32>
  %v50 = tensor.collapse_shape %v47 [[0, 1]] : tensor<3x1xf32> into tensor<3xf32>
  %v51 = tensor.cast %v50 : tensor<3xf32> to tensor<?xf32>
  %v52 = call @differ_f32(%v49, %v51) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v53 = arith.constant dense<1.0> : tensor<1x70xbf16>
  %v54 = tensor.cast %v53 : tensor<1x70xbf16> to tensor<?x?xbf16>
  %v55 = arith.constant dense<1.0> : tensor<2x70xbf16>
  %v56 = tensor.cast %v55 : tensor<2x70xbf16> to tensor<?x?xbf16>
  %v57 = arith.constant dense<2.0> : tensor<1x2xf32>
  %v58 = tensor.cast %v57 : tensor<1x2xf32> to tensor<?x?xf32>
  %v59 = call @product(%v54, %v56, %v58) : (tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %v60 = tensor.cast %v59 : tensor<?x?xf32> to tensor<1x2xf32>
  %v61 = arith.constant dense<72.0> : tensor<1x2xf32>
  %v62 = tensor.collapse_shape %v60 [[0, 1]] : tensor<1x2xf32> into tensor<2xf32>
  %v63 = tensor.cast %v62 : tensor<2xf32> to tensor<?xf32>
  %v64 = tensor.collapse_shape %v61 [[0, 1]] : tensor<1x2xf32> into tensor<2xf32>
  %v65 = tensor.cast %v64 : tensor<2xf32> to tensor<?xf32>
  %v66 = call @differ_f32(%v63, %v65) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v67 = tensor.empty() : tensor<2x0xbf16>
  %v68 = tensor.cast %v67 : tensor<2x0xbf16> to tensor<?x?xbf16>
  %v69 = tensor.empty() : tensor<2x0xbf16>
  %v70 = tensor.cast %v69 : tensor<2x0xbf16> to tensor<?x?xbf16>
  %v71 = arith.constant dense<2.0> : tensor<2x2xf32>
  %v72 = tensor.cast %v71 : tensor<2x2xf32> to tensor<?x?xf32>
  %v73 = call @product(%v68, %v70, %v72) : (tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %v74 = tensor.cast %v73 : tensor<?x?xf32> to tensor<2x2xf32>
  %v75 = arith.constant dense<2.0> : tensor<2x2xf32>
  %v76 = tensor.collapse_shape %v74 [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %v77 = tensor.cast %v76 : tensor<4xf32> to tensor<?xf32>
  %v78 = tensor.collapse_shape %v75 [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %v79 = tensor.cast %v78 : tensor<4xf32> to tensor<?xf32>
  %v80 = call @differ_f32(%v77, %v79) : (tensor<?xf32>, tensor<?xf32>) -> i64

  %v81 = arith.addi %v10, %v24 : i64
  %v82 = arith.addi %v81, %v38 : i64
  %v83 = arith.addi %v82, %v52 : i64
  %v84 = arith.addi %v83, %v66 : i64
  %v85 = arith.addi %v84, %v80 : i64
  return %v85 : i64
}
