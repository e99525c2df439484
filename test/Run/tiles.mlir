// Tensors that are laid out in tiles, and back: the reference does it by a pad, a transpose and views.

// RUN: split-file %s %t
// RUN: %python %S/Inputs/tensors.py write %t.in arg0=F32:3x2:1,2,3,4,5,6
// RUN: fp8-run %t/static.mlir --args=%t.in | FileCheck %s
// CHECK: result0: 2x1x2x2xF32 = [1, 2, 3, 4, 5, 6, 9, 9]
// CHECK: result1: 3x2xF32 = [1, 2, 3, 4, 5, 6]
// RUN: fp8-opt %t/static.mlir --recipe=bf16 -o %t.mlirbc
// RUN: fp8-run %t.mlirbc --args=%t.in | FileCheck %s

// Tiles of a size that is known when the program runs are refused at their place.
// RUN: not fp8-run %t/dynamic.mlir --init=normal:1 --dim=d0=4 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: dynamic.mlir:2:8: error: 'linalg.pack' op expected static sizes and tiles, which the reference can lay out, got others

//--- static.mlir
func.func @main(%x: tensor<3x2xf32>) -> (tensor<2x1x2x2xf32>, tensor<3x2xf32>) {
  %nine = arith.constant 9.0 : f32
  %e = tensor.empty() : tensor<2x1x2x2xf32>
  %p = linalg.pack %x padding_value(%nine : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<3x2xf32> -> tensor<2x1x2x2xf32>
  %f = tensor.empty() : tensor<3x2xf32>
  %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %f : tensor<2x1x2x2xf32> -> tensor<3x2xf32>
  return %p, %u : tensor<2x1x2x2xf32>, tensor<3x2xf32>
}
//--- dynamic.mlir
func.func @main(%x: tensor<4x?xf32>, %e: tensor<?x2x?x2xf32>, %t: index) -> tensor<?x2x?x2xf32> {
  %p = linalg.pack %x inner_dims_pos = [1, 0] inner_tiles = [%t, 2] into %e : tensor<4x?xf32> -> tensor<?x2x?x2xf32>
  return %p : tensor<?x2x?x2xf32>
}
