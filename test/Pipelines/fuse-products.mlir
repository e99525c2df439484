// In a graph in f32 nothing rounds between a product and the quantizer of the next one: the product itself returns the amax.

// RUN: fp8-opt %s --recipe=nvfp4 -o - 2>/dev/null | FileCheck %s
// RUN: fp8-opt %s --recipe=nvfp4 --until=quantize -o %t.quantize.mlirbc 2>/dev/null
// RUN: fp8-opt %s --recipe=nvfp4 -o %t.fuse.mlirbc 2>/dev/null
// RUN: fp8-run %t.quantize.mlirbc --init=normal:3 --out=%t.quantize.safetensors
// RUN: fp8-run %t.fuse.mlirbc --init=normal:3 --out=%t.fuse.safetensors
// RUN: cmp %t.quantize.safetensors %t.fuse.safetensors

// CHECK-LABEL: func.func @main(
// CHECK: %[[H:.*]], %[[ROWS:.*]] = qt.matmul {{.*}} amax [#qt.amax<per block [1, *]>]
// CHECK: %[[ALL:.*]] = qt.amax %[[ROWS]] <per block [*, 1]>
// CHECK: %[[AMAX:.*]] = tensor.collapse_shape %[[ALL]]
// CHECK: qt.quantize %[[H]] amax(%[[AMAX]] : tensor<f32>)
// CHECK-LABEL: func.func @main_unquantized(
func.func @main(%x: tensor<5x24xf32>, %v: tensor<24x40xf32>, %w: tensor<40x7xf32>) -> tensor<5x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<5x40xf32>) -> tensor<5x40xf32>
  %h = linalg.matmul ins(%x, %v : tensor<5x24xf32>, tensor<24x40xf32>) outs(%i : tensor<5x40xf32>) -> tensor<5x40xf32>
  %f = tensor.empty() : tensor<5x7xf32>
  %j = linalg.fill ins(%zero : f32) outs(%f : tensor<5x7xf32>) -> tensor<5x7xf32>
  %y = linalg.matmul ins(%h, %w : tensor<5x40xf32>, tensor<40x7xf32>) outs(%j : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %y : tensor<5x7xf32>
}
