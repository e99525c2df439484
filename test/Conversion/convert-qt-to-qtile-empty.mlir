// A product whose contraction may have no elements when the program runs is launched where it has some, and zeros where not.
//
// RUN: fp8-opt %s --recipe=bf16 --target=sm_90a --until=kernels -o - | FileCheck %s
// RUN: fp8-opt %s --recipe=fp8_block128 --target=sm_90a --until=kernels -o - | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %[[NONE:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// CHECK: scf.if %[[NONE]] -> (tensor<128x256xf32>) {
// CHECK: linalg.fill
// CHECK: scf.yield
// CHECK: } else {
// CHECK: qtile.launch
// CHECK: scf.yield
func.func @main(%a: tensor<?x128xbf16>, %b: tensor<?x256xbf16>) -> tensor<128x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<?x128xbf16>, tensor<?x256xbf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %r : tensor<128x256xf32>
}
