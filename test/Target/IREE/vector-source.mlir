// Blocks of a scheme have more dimensions than a vector that is quantized: what is cut off is ones, in the check too.

// REQUIRES: iree
// RUN: fp8-opt %s --recipe=mxfp8 -o %t.mlir
// RUN: fp8-run %t.mlir --init=normal:1 --engine=iree --iree-compile=%iree_compile --check-quantizers | FileCheck %s
// RUN: fp8-opt %s --recipe=nvfp4 -o %t.mlir
// RUN: fp8-run %t.mlir --init=normal:1 --engine=iree --iree-compile=%iree_compile --check-quantizers | FileCheck %s
// CHECK: quantized {{.*}}: 64 #qt.scheme{{.*}} 0 codes and 0 scales differ
// CHECK: quantized {{.*}}: 64x32 #qt.scheme{{.*}} 0 codes and 0 scales differ

func.func @main(%x: tensor<64xf32>, %w: tensor<64x32xf32>) -> tensor<1x32xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %t = linalg.tanh ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = tensor.expand_shape %t [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
  %c = arith.constant 0.0 : f32
  %z = tensor.empty() : tensor<1x32xf32>
  %f = linalg.fill ins(%c : f32) outs(%z : tensor<1x32xf32>) -> tensor<1x32xf32>
  %y = linalg.matmul ins(%r, %w : tensor<1x64xf32>, tensor<64x32xf32>) outs(%f : tensor<1x32xf32>) -> tensor<1x32xf32>
  return %y : tensor<1x32xf32>
}
