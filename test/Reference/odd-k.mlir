// RUN: fp8-opt %s --function=odd --recipe=bf16 -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: fp8-opt %s --function=odd --recipe=fp8_current -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// RUN: fp8-opt %s --function=odd --recipe=fp8_block128 -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// RUN: fp8-opt %s --function=odd --recipe=mxfp8 -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// RUN: fp8-opt %s --function=odd --recipe=nvfp4 -o %t.mlirbc 2> %t.err
// RUN: fp8-run %t.mlirbc --signature=%S/Inputs/checker.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.err
// ALL: {{ }}7 of 7 contractions
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// K need not be a multiple of anything: every recipe quantizes all products, and padding changes no amax, no scale and no result.
// All inputs are 0.5; every output is K / 4, within 1e-6 where scales are no powers of two.


func.func @odd(%a767: tensor<4x767xbf16>, %b767: tensor<767x8xbf16>,
               %a1368: tensor<4x1368xbf16>, %b1368: tensor<1368x8xbf16>,
               %a8: tensor<4x8xbf16>, %b8: tensor<8x8xbf16>,
               %a1: tensor<4x1xbf16>, %b1: tensor<1x8xbf16>,
               %a127: tensor<4x127xbf16>, %b127: tensor<127x8xbf16>,
               %a128: tensor<4x128xbf16>, %b128: tensor<128x8xbf16>,
               %a129: tensor<4x129xbf16>, %b129: tensor<129x8xbf16>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %z = arith.constant dense<0.0> : tensor<4x8xf32>
  %y767 = linalg.matmul ins(%a767, %b767 : tensor<4x767xbf16>, tensor<767x8xbf16>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y1368 = linalg.matmul ins(%a1368, %b1368 : tensor<4x1368xbf16>, tensor<1368x8xbf16>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y8 = linalg.matmul ins(%a8, %b8 : tensor<4x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y1 = linalg.matmul ins(%a1, %b1 : tensor<4x1xbf16>, tensor<1x8xbf16>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y127 = linalg.matmul ins(%a127, %b127 : tensor<4x127xbf16>, tensor<127x8xbf16>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y128 = linalg.matmul ins(%a128, %b128 : tensor<4x128xbf16>, tensor<128x8xbf16>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y129 = linalg.matmul ins(%a129, %b129 : tensor<4x129xbf16>, tensor<129x8xbf16>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y767, %y1368, %y8, %y1, %y127, %y128, %y129 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// How many elements are not `want`, within 1e-6.
func.func private @differs(%y: tensor<4x8xf32>, %want: f32) -> i64 {
  %zero = arith.constant dense<0> : tensor<i64>
  %relative = arith.constant 1.0e-6 : f32
  %bound = arith.mulf %want, %relative : f32
  %n = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
                       iterator_types = ["reduction", "reduction"]} ins(%y : tensor<4x8xf32>) outs(%zero : tensor<i64>) {
  ^bb0(%e: f32, %sum: i64):
    %d = arith.subf %e, %want : f32
    %p = arith.cmpf ugt, %d, %bound : f32
    %nd = arith.negf %d : f32
    %m = arith.cmpf ugt, %nd, %bound : f32
    %either = arith.ori %p, %m : i1
    %one = arith.extui %either : i1 to i64
    %next = arith.addi %sum, %one : i64
    linalg.yield %next : i64
  } -> tensor<i64>
  %r = tensor.extract %n[] : tensor<i64>
  return %r : i64
}

func.func @main() -> i64 {
  %v1 = arith.constant dense<0.5> : tensor<4x767xbf16>
  %v2 = arith.constant dense<0.5> : tensor<767x8xbf16>
  %v3 = arith.constant dense<0.5> : tensor<4x1368xbf16>
  %v4 = arith.constant dense<0.5> : tensor<1368x8xbf16>
  %v5 = arith.constant dense<0.5> : tensor<4x8xbf16>
  %v6 = arith.constant dense<0.5> : tensor<8x8xbf16>
  %v7 = arith.constant dense<0.5> : tensor<4x1xbf16>
  %v8 = arith.constant dense<0.5> : tensor<1x8xbf16>
  %v9 = arith.constant dense<0.5> : tensor<4x127xbf16>
  %v10 = arith.constant dense<0.5> : tensor<127x8xbf16>
  %v11 = arith.constant dense<0.5> : tensor<4x128xbf16>
  %v12 = arith.constant dense<0.5> : tensor<128x8xbf16>
  %v13 = arith.constant dense<0.5> : tensor<4x129xbf16>
  %v14 = arith.constant dense<0.5> : tensor<129x8xbf16>
  %y:7 = call @odd(%v1, %v2, %v3, %v4, %v5, %v6, %v7, %v8, %v9, %v10, %v11, %v12, %v13, %v14) : (tensor<4x767xbf16>, tensor<767x8xbf16>, tensor<4x1368xbf16>, tensor<1368x8xbf16>, tensor<4x8xbf16>, tensor<8x8xbf16>, tensor<4x1xbf16>, tensor<1x8xbf16>, tensor<4x127xbf16>, tensor<127x8xbf16>, tensor<4x128xbf16>, tensor<128x8xbf16>, tensor<4x129xbf16>, tensor<129x8xbf16>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  %v15 = arith.constant 191.75 : f32
  %v16 = call @differs(%y#0, %v15) : (tensor<4x8xf32>, f32) -> i64
  %v17 = arith.constant 342.0 : f32
  %v18 = call @differs(%y#1, %v17) : (tensor<4x8xf32>, f32) -> i64
  %v19 = arith.constant 2.0 : f32
  %v20 = call @differs(%y#2, %v19) : (tensor<4x8xf32>, f32) -> i64
  %v21 = arith.constant 0.25 : f32
  %v22 = call @differs(%y#3, %v21) : (tensor<4x8xf32>, f32) -> i64
  %v23 = arith.constant 31.75 : f32
  %v24 = call @differs(%y#4, %v23) : (tensor<4x8xf32>, f32) -> i64
  %v25 = arith.constant 32.0 : f32
  %v26 = call @differs(%y#5, %v25) : (tensor<4x8xf32>, f32) -> i64
  %v27 = arith.constant 32.25 : f32
  %v28 = call @differs(%y#6, %v27) : (tensor<4x8xf32>, f32) -> i64

  %v29 = arith.addi %v16, %v18 : i64
  %v30 = arith.addi %v29, %v20 : i64
  %v31 = arith.addi %v30, %v22 : i64
  %v32 = arith.addi %v31, %v24 : i64
  %v33 = arith.addi %v32, %v26 : i64
  %v34 = arith.addi %v33, %v28 : i64
  return %v34 : i64
}
