// RUN: fp8-opt %s --function=sums --recipe=bf16 -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: fp8-opt %s --function=sums --recipe=fp8_current -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// RUN: fp8-opt %s --function=sums --recipe=fp8_block128 -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// RUN: fp8-opt %s --function=sums --recipe=mxfp8 -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// RUN: fp8-opt %s --function=sums --recipe=nvfp4 -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// ALL: contractions
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// Sums of narrow products are f32 and rounded once: 4096 ones are 4096, though 256 + 1 is 256 in bf16 and 2048 + 1 is 2048 in f16.
// Every way to write it, every recipe.


// How many elements differ in a bit; a NaN is equal to any NaN.
func.func private @differ_bf16(%a: tensor<?xbf16>, %b: tensor<?xbf16>) -> i64 {
  %zero = arith.constant dense<0> : tensor<i64>
  %n = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                       iterator_types = ["reduction"]} ins(%a, %b : tensor<?xbf16>, tensor<?xbf16>) outs(%zero : tensor<i64>) {
  ^bb0(%x: bf16, %y: bf16, %sum: i64):
    %xi = arith.bitcast %x : bf16 to i16
    %yi = arith.bitcast %y : bf16 to i16
    %bits = arith.cmpi ne, %xi, %yi : i16
    %xn = arith.cmpf uno, %x, %x : bf16
    %yn = arith.cmpf uno, %y, %y : bf16
    %number = arith.cmpf ord, %x, %y : bf16
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

// How many elements differ in a bit; a NaN is equal to any NaN.
func.func private @differ_f16(%a: tensor<?xf16>, %b: tensor<?xf16>) -> i64 {
  %zero = arith.constant dense<0> : tensor<i64>
  %n = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                       iterator_types = ["reduction"]} ins(%a, %b : tensor<?xf16>, tensor<?xf16>) outs(%zero : tensor<i64>) {
  ^bb0(%x: f16, %y: f16, %sum: i64):
    %xi = arith.bitcast %x : f16 to i16
    %yi = arith.bitcast %y : f16 to i16
    %bits = arith.cmpi ne, %xi, %yi : i16
    %xn = arith.cmpf uno, %x, %x : f16
    %yn = arith.cmpf uno, %y, %y : f16
    %number = arith.cmpf ord, %x, %y : f16
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

#m = affine_map<(i, j, k) -> (i, k)>
#n = affine_map<(i, j, k) -> (k, j)>
#y = affine_map<(i, j, k) -> (i, j)>
func.func @sums(%a: tensor<1x4096xbf16>, %b: tensor<4096x1xbf16>, %c: tensor<2x1x4096xbf16>, %d: tensor<2x4096x1xbf16>, %h: tensor<1x4096xf16>, %g: tensor<4096x1xf16>)
    -> (tensor<1x1xbf16>, tensor<1x1xbf16>, tensor<2x1x1xbf16>, tensor<1x1xf16>, tensor<1x1xbf16>) {
  %z = arith.constant dense<0.0> : tensor<1x1xbf16>
  %0 = linalg.generic {indexing_maps = [#m, #n, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<1x4096xbf16>, tensor<4096x1xbf16>) outs(%z : tensor<1x1xbf16>) {
  ^bb0(%x: bf16, %w: bf16, %o: bf16):
    %p = arith.mulf %x, %w : bf16
    %s = arith.addf %o, %p : bf16
    linalg.yield %s : bf16
  } -> tensor<1x1xbf16>
  %1 = linalg.matmul ins(%a, %b : tensor<1x4096xbf16>, tensor<4096x1xbf16>) outs(%z : tensor<1x1xbf16>) -> tensor<1x1xbf16>
  %zb = arith.constant dense<0.0> : tensor<2x1x1xbf16>
  %2 = linalg.batch_matmul ins(%c, %d : tensor<2x1x4096xbf16>, tensor<2x4096x1xbf16>) outs(%zb : tensor<2x1x1xbf16>) -> tensor<2x1x1xbf16>
  %zh = arith.constant dense<0.0> : tensor<1x1xf16>
  %3 = linalg.contract indexing_maps = [#m, #n, #y] ins(%h, %g : tensor<1x4096xf16>, tensor<4096x1xf16>) outs(%zh : tensor<1x1xf16>) -> tensor<1x1xf16>
  // What the sum starts from is added in f32 too: 4096 ones and 256.
  %start = arith.constant dense<256.0> : tensor<1x1xbf16>
  %4 = linalg.matmul ins(%a, %b : tensor<1x4096xbf16>, tensor<4096x1xbf16>) outs(%start : tensor<1x1xbf16>) -> tensor<1x1xbf16>
  return %0, %1, %2, %3, %4 : tensor<1x1xbf16>, tensor<1x1xbf16>, tensor<2x1x1xbf16>, tensor<1x1xf16>, tensor<1x1xbf16>
}

func.func @main() -> i64 {
  %v1 = arith.constant dense<1.0> : tensor<1x4096xbf16>
  %v2 = arith.constant dense<1.0> : tensor<4096x1xbf16>
  %v3 = arith.constant dense<1.0> : tensor<2x1x4096xbf16>
  %v4 = arith.constant dense<1.0> : tensor<2x4096x1xbf16>
  %v5 = arith.constant dense<1.0> : tensor<1x4096xf16>
  %v6 = arith.constant dense<1.0> : tensor<4096x1xf16>
  %y:5 = call @sums(%v1, %v2, %v3, %v4, %v5, %v6) : (tensor<1x4096xbf16>, tensor<4096x1xbf16>, tensor<2x1x4096xbf16>, tensor<2x4096x1xbf16>, tensor<1x4096xf16>, tensor<4096x1xf16>) -> (tensor<1x1xbf16>, tensor<1x1xbf16>, tensor<2x1x1xbf16>, tensor<1x1xf16>, tensor<1x1xbf16>)
  %v7 = arith.constant dense<[[4096.0]]> : tensor<1x1xbf16>
  %v8 = tensor.collapse_shape %y#0 [[0, 1]] : tensor<1x1xbf16> into tensor<1xbf16>
  %v9 = tensor.cast %v8 : tensor<1xbf16> to tensor<?xbf16>
  %v10 = tensor.collapse_shape %v7 [[0, 1]] : tensor<1x1xbf16> into tensor<1xbf16>
  %v11 = tensor.cast %v10 : tensor<1xbf16> to tensor<?xbf16>
  %v12 = call @differ_bf16(%v9, %v11) : (tensor<?xbf16>, tensor<?xbf16>) -> i64
  %v13 = arith.constant dense<[[4096.0]]> : tensor<1x1xbf16>
  %v14 = tensor.collapse_shape %y#1 [[0, 1]] : tensor<1x1xbf16> into tensor<1xbf16>
  %v15 = tensor.cast %v14 : tensor<1xbf16> to tensor<?xbf16>
  %v16 = tensor.collapse_shape %v13 [[0, 1]] : tensor<1x1xbf16> into tensor<1xbf16>
  %v17 = tensor.cast %v16 : tensor<1xbf16> to tensor<?xbf16>
  %v18 = call @differ_bf16(%v15, %v17) : (tensor<?xbf16>, tensor<?xbf16>) -> i64
  %v19 = arith.constant dense<4096.0> : tensor<2x1x1xbf16>
  %v20 = tensor.collapse_shape %y#2 [[0, 1, 2]] : tensor<2x1x1xbf16> into tensor<2xbf16>
  %v21 = tensor.cast %v20 : tensor<2xbf16> to tensor<?xbf16>
  %v22 = tensor.collapse_shape %v19 [[0, 1, 2]] : tensor<2x1x1xbf16> into tensor<2xbf16>
  %v23 = tensor.cast %v22 : tensor<2xbf16> to tensor<?xbf16>
  %v24 = call @differ_bf16(%v21, %v23) : (tensor<?xbf16>, tensor<?xbf16>) -> i64
  %v25 = arith.constant dense<[[4096.0]]> : tensor<1x1xf16>
  %v26 = tensor.collapse_shape %y#3 [[0, 1]] : tensor<1x1xf16> into tensor<1xf16>
  %v27 = tensor.cast %v26 : tensor<1xf16> to tensor<?xf16>
  %v28 = tensor.collapse_shape %v25 [[0, 1]] : tensor<1x1xf16> into tensor<1xf16>
  %v29 = tensor.cast %v28 : tensor<1xf16> to tensor<?xf16>
  %v30 = call @differ_f16(%v27, %v29) : (tensor<?xf16>, tensor<?xf16>) -> i64
  %v31 = arith.constant dense<[[4352.0]]> : tensor<1x1xbf16>
  %v32 = tensor.collapse_shape %y#4 [[0, 1]] : tensor<1x1xbf16> into tensor<1xbf16>
  %v33 = tensor.cast %v32 : tensor<1xbf16> to tensor<?xbf16>
  %v34 = tensor.collapse_shape %v31 [[0, 1]] : tensor<1x1xbf16> into tensor<1xbf16>
  %v35 = tensor.cast %v34 : tensor<1xbf16> to tensor<?xbf16>
  %v36 = call @differ_bf16(%v33, %v35) : (tensor<?xbf16>, tensor<?xbf16>) -> i64

  %v37 = arith.addi %v12, %v18 : i64
  %v38 = arith.addi %v37, %v24 : i64
  %v39 = arith.addi %v38, %v30 : i64
  %v40 = arith.addi %v39, %v36 : i64
  return %v40 : i64
}
