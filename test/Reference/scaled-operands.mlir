// RUN: fp8-opt %s --function=scaled --recipe=%S/Inputs/all_fp8_current.mlir -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// RUN: fp8-opt %s --function=scaled --recipe=%S/Inputs/all_fp8_block128.mlir -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// RUN: fp8-opt %s --function=scaled --recipe=%S/Inputs/all_mxfp8.mlir -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// RUN: fp8-opt %s --function=scaled --recipe=%S/Inputs/all_nvfp4.mlir -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// ALL: {{ }}1 of 1 contractions
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// A scale in the graph is part of the operand: [1, 2] times 4 against [4, 4] halved is 24, never 12 or 6, under every recipe.


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

#id = affine_map<(i, j) -> (i, j)>
#all = affine_map<(i, j) -> ()>
func.func @scaled(%x: tensor<1x2xbf16>, %s: tensor<f32>, %w: tensor<1x2xbf16>, %t: tensor<bf16>) -> tensor<1x1xf32> {
  %e = tensor.empty() : tensor<1x2xf32>
  %a = linalg.generic {indexing_maps = [#id, #all, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<1x2xbf16>, tensor<f32>) outs(%e : tensor<1x2xf32>) {
  ^bb0(%v: bf16, %by: f32, %o: f32):
    %wide = arith.extf %v : bf16 to f32
    %r = arith.mulf %wide, %by : f32
    linalg.yield %r : f32
  } -> tensor<1x2xf32>
  %f = tensor.empty() : tensor<1x2xbf16>
  %b = linalg.generic {indexing_maps = [#id, #all, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %t : tensor<1x2xbf16>, tensor<bf16>) outs(%f : tensor<1x2xbf16>) {
  ^bb0(%v: bf16, %by: bf16, %o: bf16):
    %r = arith.divf %v, %by : bf16
    linalg.yield %r : bf16
  } -> tensor<1x2xbf16>
  %wide = arith.extf %b : tensor<1x2xbf16> to tensor<1x2xf32>
  %g = tensor.empty() : tensor<2x1xf32>
  %bt = linalg.transpose ins(%wide : tensor<1x2xf32>) outs(%g : tensor<2x1xf32>) permutation = [1, 0]
  %z = arith.constant dense<0.0> : tensor<1x1xf32>
  %y = linalg.matmul ins(%a, %bt : tensor<1x2xf32>, tensor<2x1xf32>) outs(%z : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}

func.func @main() -> i64 {
  %v1 = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xbf16>
  %v2 = arith.constant dense<4.0> : tensor<f32>
  %v3 = arith.constant dense<4.0> : tensor<1x2xbf16>
  %v4 = arith.constant dense<2.0> : tensor<bf16>
  %y0 = call @scaled(%v1, %v2, %v3, %v4) : (tensor<1x2xbf16>, tensor<f32>, tensor<1x2xbf16>, tensor<bf16>) -> tensor<1x1xf32>
  %y1 = arith.truncf %y0 : tensor<1x1xf32> to tensor<1x1xbf16>
  %v5 = arith.constant dense<[[24.0]]> : tensor<1x1xbf16>
  %v6 = tensor.collapse_shape %y1 [[0, 1]] : tensor<1x1xbf16> into tensor<1xbf16>
  %v7 = tensor.cast %v6 : tensor<1xbf16> to tensor<?xbf16>
  %v8 = tensor.collapse_shape %v5 [[0, 1]] : tensor<1x1xbf16> into tensor<1xbf16>
  %v9 = tensor.cast %v8 : tensor<1xbf16> to tensor<?xbf16>
  %v10 = call @differ_bf16(%v7, %v9) : (tensor<?xbf16>, tensor<?xbf16>) -> i64

  return %v10 : i64
}
