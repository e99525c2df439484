// Tensors that are laid out in tiles, and back: the reference does it by a pad, a transpose and views.

// RUN: split-file %s %t
// RUN: %python %S/Inputs/tensors.py write %t.in arg0=F32:3x2:1,2,3,4,5,6
// RUN: fp8-run %t/static.mlir --args=%t.in | FileCheck %s
// CHECK: result0: 2x1x2x2xF32 = [1, 2, 3, 4, 5, 6, 9, 9]
// CHECK: result1: 3x2xF32 = [1, 2, 3, 4, 5, 6]
// RUN: fp8-opt %t/static.mlir --recipe=bf16 -o %t.mlirbc
// RUN: fp8-run %t.mlirbc --args=%t.in | FileCheck %s

// So of dynamic sizes, which have to fit.
// RUN: %python %S/Inputs/tensors.py write %t.in arg0=F32:3x2:1,2,3,4,5,6 arg1=F32:2x1x2x2:0,0,0,0,0,0,0,0
// RUN: fp8-run %t/dynamic.mlir --args=%t.in | FileCheck %s
// RUN: %python %S/Inputs/tensors.py write %t.in arg0=F32:3x2:1,2,3,4,5,6 arg1=F32:1x1x2x2:0,0,0,0
// RUN: not fp8-run %t/dynamic.mlir --args=%t.in 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: dynamic.mlir:3:8: expected a slice inside of dimension 0, got one that reaches beyond it

// Tiles of a size that is computed are refused at their place.
// RUN: %python %S/Inputs/tensors.py write %t.in arg0=F32:4x2:1,2,3,4,5,6,7,8 arg1=F32:2x1x2x2:0,0,0,0,0,0,0,0 arg2=I64::2
// RUN: not fp8-run %t/computed.mlir --args=%t.in 2>&1 | FileCheck %s --check-prefix=COMPUTED
// COMPUTED: computed.mlir:4:8: 'linalg.pack' op expected tiles of static sizes, which the reference can lay out, got others

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
func.func @main(%x: tensor<?x2xf32>, %e: tensor<?x1x2x2xf32>) -> (tensor<?x1x2x2xf32>, tensor<?x2xf32>) {
  %nine = arith.constant 9.0 : f32
  %p = linalg.pack %x padding_value(%nine : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<?x2xf32> -> tensor<?x1x2x2xf32>
  %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %x : tensor<?x1x2x2xf32> -> tensor<?x2xf32>
  return %p, %u : tensor<?x1x2x2xf32>, tensor<?x2xf32>
}
//--- computed.mlir
func.func @main(%x: tensor<4x2xf32>, %e: tensor<?x1x?x2xf32>, %i: tensor<i64>) -> tensor<?x1x?x2xf32> {
  %n = tensor.extract %i[] : tensor<i64>
  %t = arith.index_cast %n : i64 to index
  %p = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [%t, 2] into %e : tensor<4x2xf32> -> tensor<?x1x?x2xf32>
  return %p : tensor<?x1x?x2xf32>
}
