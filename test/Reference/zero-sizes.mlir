// RUN: fp8-opt %s --function=empty --recipe=bf16 -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: fp8-opt %s --function=empty --recipe=fp8_current -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// RUN: fp8-opt %s --function=empty --recipe=fp8_block128 -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// RUN: fp8-opt %s --function=empty --recipe=mxfp8 -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// RUN: fp8-opt %s --function=empty --recipe=nvfp4 -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// ALL: contractions
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// Products without rows, columns, batch or K, with static and with dynamic sizes, under every recipe: empty results, and what the sum
// started from where K is zero.


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

func.func @empty(%a0: tensor<0x64xbf16>, %b0: tensor<64x8xbf16>, %o0: tensor<0x8xf32>,
                 %a1: tensor<4x64xbf16>, %b1: tensor<64x0xbf16>, %o1: tensor<4x0xf32>,
                 %a2: tensor<4x0xbf16>, %b2: tensor<0x8xbf16>, %o2: tensor<4x8xf32>,
                 %a3: tensor<0x0xbf16>, %b3: tensor<0x8xbf16>, %o3: tensor<0x8xf32>,
                 %a4: tensor<0x64xbf16>, %b4: tensor<64x0xbf16>, %o4: tensor<0x0xf32>,
                 %a5: tensor<0x0xbf16>, %b5: tensor<0x0xbf16>, %o5: tensor<0x0xf32>,
                 %a6: tensor<4x0xbf16>, %b6: tensor<0x0xbf16>, %o6: tensor<4x0xf32>,
                 %a7: tensor<0x4x64xbf16>, %b7: tensor<0x64x8xbf16>, %o7: tensor<0x4x8xf32>,
                 %a8: tensor<3x4x0xbf16>, %b8: tensor<3x0x8xbf16>, %o8: tensor<3x4x8xf32>,
                 %a9: tensor<?x?xbf16>, %b9: tensor<?x?xbf16>, %o9: tensor<?x?xf32>,
                 %a10: tensor<?x?xbf16>, %b10: tensor<?x?xbf16>, %o10: tensor<?x?xf32>,
                 %a11: tensor<?x?xbf16>, %b11: tensor<?x?xbf16>, %o11: tensor<?x?xf32>,
                 %a12: tensor<?x?x?xbf16>, %b12: tensor<?x?x?xbf16>, %o12: tensor<?x?x?xf32>)
    -> (tensor<0x8xf32>, tensor<4x0xf32>, tensor<4x8xf32>, tensor<0x8xf32>, tensor<0x0xf32>, tensor<0x0xf32>, tensor<4x0xf32>, tensor<0x4x8xf32>, tensor<3x4x8xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?x?xf32>) {
  %y0 = linalg.matmul ins(%a0, %b0 : tensor<0x64xbf16>, tensor<64x8xbf16>) outs(%o0 : tensor<0x8xf32>) -> tensor<0x8xf32>
  %y1 = linalg.matmul ins(%a1, %b1 : tensor<4x64xbf16>, tensor<64x0xbf16>) outs(%o1 : tensor<4x0xf32>) -> tensor<4x0xf32>
  %y2 = linalg.matmul ins(%a2, %b2 : tensor<4x0xbf16>, tensor<0x8xbf16>) outs(%o2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y3 = linalg.matmul ins(%a3, %b3 : tensor<0x0xbf16>, tensor<0x8xbf16>) outs(%o3 : tensor<0x8xf32>) -> tensor<0x8xf32>
  %y4 = linalg.matmul ins(%a4, %b4 : tensor<0x64xbf16>, tensor<64x0xbf16>) outs(%o4 : tensor<0x0xf32>) -> tensor<0x0xf32>
  %y5 = linalg.matmul ins(%a5, %b5 : tensor<0x0xbf16>, tensor<0x0xbf16>) outs(%o5 : tensor<0x0xf32>) -> tensor<0x0xf32>
  %y6 = linalg.matmul ins(%a6, %b6 : tensor<4x0xbf16>, tensor<0x0xbf16>) outs(%o6 : tensor<4x0xf32>) -> tensor<4x0xf32>
  %y7 = linalg.batch_matmul ins(%a7, %b7 : tensor<0x4x64xbf16>, tensor<0x64x8xbf16>) outs(%o7 : tensor<0x4x8xf32>) -> tensor<0x4x8xf32>
  %y8 = linalg.batch_matmul ins(%a8, %b8 : tensor<3x4x0xbf16>, tensor<3x0x8xbf16>) outs(%o8 : tensor<3x4x8xf32>) -> tensor<3x4x8xf32>
  %y9 = linalg.matmul ins(%a9, %b9 : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%o9 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y10 = linalg.matmul ins(%a10, %b10 : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%o10 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y11 = linalg.matmul ins(%a11, %b11 : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%o11 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y12 = linalg.batch_matmul ins(%a12, %b12 : tensor<?x?x?xbf16>, tensor<?x?x?xbf16>) outs(%o12 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8, %y9, %y10, %y11, %y12 : tensor<0x8xf32>, tensor<4x0xf32>, tensor<4x8xf32>, tensor<0x8xf32>, tensor<0x0xf32>, tensor<0x0xf32>, tensor<4x0xf32>, tensor<0x4x8xf32>, tensor<3x4x8xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?x?xf32>
}

func.func @main() -> i64 {
  %v1 = tensor.empty() : tensor<0x64xbf16>
  %v2 = arith.constant dense<2.0> : tensor<64x8xbf16>
  %v3 = tensor.empty() : tensor<0x8xf32>
  %v4 = arith.constant dense<2.0> : tensor<4x64xbf16>
  %v5 = tensor.empty() : tensor<64x0xbf16>
  %v6 = tensor.empty() : tensor<4x0xf32>
  %v7 = tensor.empty() : tensor<4x0xbf16>
  %v8 = tensor.empty() : tensor<0x8xbf16>
  %v9 = arith.constant dense<2.0> : tensor<4x8xf32>
  %v10 = tensor.empty() : tensor<0x0xbf16>
  %v11 = tensor.empty() : tensor<0x8xbf16>
  %v12 = tensor.empty() : tensor<0x8xf32>
  %v13 = tensor.empty() : tensor<0x64xbf16>
  %v14 = tensor.empty() : tensor<64x0xbf16>
  %v15 = tensor.empty() : tensor<0x0xf32>
  %v16 = tensor.empty() : tensor<0x0xbf16>
  %v17 = tensor.empty() : tensor<0x0xbf16>
  %v18 = tensor.empty() : tensor<0x0xf32>
  %v19 = tensor.empty() : tensor<4x0xbf16>
  %v20 = tensor.empty() : tensor<0x0xbf16>
  %v21 = tensor.empty() : tensor<4x0xf32>
  %v22 = tensor.empty() : tensor<0x4x64xbf16>
  %v23 = tensor.empty() : tensor<0x64x8xbf16>
  %v24 = tensor.empty() : tensor<0x4x8xf32>
  %v25 = tensor.empty() : tensor<3x4x0xbf16>
  %v26 = tensor.empty() : tensor<3x0x8xbf16>
  %v27 = arith.constant dense<2.0> : tensor<3x4x8xf32>
  %v28 = tensor.empty() : tensor<0x64xbf16>
  %v29 = tensor.cast %v28 : tensor<0x64xbf16> to tensor<?x?xbf16>
  %v30 = arith.constant dense<2.0> : tensor<64x8xbf16>
  %v31 = tensor.cast %v30 : tensor<64x8xbf16> to tensor<?x?xbf16>
  %v32 = tensor.empty() : tensor<0x8xf32>
  %v33 = tensor.cast %v32 : tensor<0x8xf32> to tensor<?x?xf32>
  %v34 = tensor.empty() : tensor<4x0xbf16>
  %v35 = tensor.cast %v34 : tensor<4x0xbf16> to tensor<?x?xbf16>
  %v36 = tensor.empty() : tensor<0x8xbf16>
  %v37 = tensor.cast %v36 : tensor<0x8xbf16> to tensor<?x?xbf16>
  %v38 = arith.constant dense<2.0> : tensor<4x8xf32>
  %v39 = tensor.cast %v38 : tensor<4x8xf32> to tensor<?x?xf32>
  %v40 = tensor.empty() : tensor<0x0xbf16>
  %v41 = tensor.cast %v40 : tensor<0x0xbf16> to tensor<?x?xbf16>
  %v42 = tensor.empty() : tensor<0x8xbf16>
  %v43 = tensor.cast %v42 : tensor<0x8xbf16> to tensor<?x?xbf16>
  %v44 = tensor.empty() : tensor<0x8xf32>
  %v45 = tensor.cast %v44 : tensor<0x8xf32> to tensor<?x?xf32>
  %v46 = tensor.empty() : tensor<3x4x0xbf16>
  %v47 = tensor.cast %v46 : tensor<3x4x0xbf16> to tensor<?x?x?xbf16>
  %v48 = tensor.empty() : tensor<3x0x8xbf16>
  %v49 = tensor.cast %v48 : tensor<3x0x8xbf16> to tensor<?x?x?xbf16>
  %v50 = arith.constant dense<2.0> : tensor<3x4x8xf32>
  %v51 = tensor.cast %v50 : tensor<3x4x8xf32> to tensor<?x?x?xf32>
  %y:13 = call @empty(%v1, %v2, %v3, %v4, %v5, %v6, %v7, %v8, %v9, %v10, %v11, %v12, %v13, %v14, %v15, %v16, %v17, %v18, %v19, %v20, %v21, %v22, %v23, %v24, %v25, %v26, %v27, %v29, %v31, %v33, %v35, %v37, %v39, %v41, %v43, %v45, %v47, %v49, %v51) : (tensor<0x64xbf16>, tensor<64x8xbf16>, tensor<0x8xf32>, tensor<4x64xbf16>, tensor<64x0xbf16>, tensor<4x0xf32>, tensor<4x0xbf16>, tensor<0x8xbf16>, tensor<4x8xf32>, tensor<0x0xbf16>, tensor<0x8xbf16>, tensor<0x8xf32>, tensor<0x64xbf16>, tensor<64x0xbf16>, tensor<0x0xf32>, tensor<0x0xbf16>, tensor<0x0xbf16>, tensor<0x0xf32>, tensor<4x0xbf16>, tensor<0x0xbf16>, tensor<4x0xf32>, tensor<0x4x64xbf16>, tensor<0x64x8xbf16>, tensor<0x4x8xf32>, tensor<3x4x0xbf16>, tensor<3x0x8xbf16>, tensor<3x4x8xf32>, tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32>, tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32>, tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32>, tensor<?x?x?xbf16>, tensor<?x?x?xbf16>, tensor<?x?x?xf32>) -> (tensor<0x8xf32>, tensor<4x0xf32>, tensor<4x8xf32>, tensor<0x8xf32>, tensor<0x0xf32>, tensor<0x0xf32>, tensor<4x0xf32>, tensor<0x4x8xf32>, tensor<3x4x8xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?x?xf32>)
  %v52 = arith.constant dense<2.0> : tensor<4x8xf32>
  %v53 = tensor.collapse_shape %y#2 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %v54 = tensor.cast %v53 : tensor<32xf32> to tensor<?xf32>
  %v55 = tensor.collapse_shape %v52 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %v56 = tensor.cast %v55 : tensor<32xf32> to tensor<?xf32>
  %v57 = call @differ_f32(%v54, %v56) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v58 = arith.constant dense<2.0> : tensor<3x4x8xf32>
  %v59 = tensor.collapse_shape %y#8 [[0, 1, 2]] : tensor<3x4x8xf32> into tensor<96xf32>
  %v60 = tensor.cast %v59 : tensor<96xf32> to tensor<?xf32>
  %v61 = tensor.collapse_shape %v58 [[0, 1, 2]] : tensor<3x4x8xf32> into tensor<96xf32>
  %v62 = tensor.cast %v61 : tensor<96xf32> to tensor<?xf32>
  %v63 = call @differ_f32(%v60, %v62) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v64 = tensor.cast %y#10 : tensor<?x?xf32> to tensor<4x8xf32>
  %v65 = arith.constant dense<2.0> : tensor<4x8xf32>
  %v66 = tensor.collapse_shape %v64 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %v67 = tensor.cast %v66 : tensor<32xf32> to tensor<?xf32>
  %v68 = tensor.collapse_shape %v65 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %v69 = tensor.cast %v68 : tensor<32xf32> to tensor<?xf32>
  %v70 = call @differ_f32(%v67, %v69) : (tensor<?xf32>, tensor<?xf32>) -> i64
  %v71 = tensor.cast %y#12 : tensor<?x?x?xf32> to tensor<3x4x8xf32>
  %v72 = arith.constant dense<2.0> : tensor<3x4x8xf32>
  %v73 = tensor.collapse_shape %v71 [[0, 1, 2]] : tensor<3x4x8xf32> into tensor<96xf32>
  %v74 = tensor.cast %v73 : tensor<96xf32> to tensor<?xf32>
  %v75 = tensor.collapse_shape %v72 [[0, 1, 2]] : tensor<3x4x8xf32> into tensor<96xf32>
  %v76 = tensor.cast %v75 : tensor<96xf32> to tensor<?xf32>
  %v77 = call @differ_f32(%v74, %v76) : (tensor<?xf32>, tensor<?xf32>) -> i64

  %v78 = arith.addi %v57, %v63 : i64
  %v79 = arith.addi %v78, %v70 : i64
  %v80 = arith.addi %v79, %v77 : i64
  return %v80 : i64
}
