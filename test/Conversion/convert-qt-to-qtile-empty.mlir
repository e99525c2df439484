// A product whose contraction may have no elements when the program runs is launched where it has some; where not it is zeros,
// the bias, rounded once, or what it is added to.
//
// RUN: split-file %s %t
// RUN: fp8-opt %t/zeros.mlir --recipe=bf16 --target=sm_90a --until=kernels -o - | FileCheck %t/zeros.mlir
// RUN: fp8-opt %t/zeros.mlir --recipe=fp8_block128 --target=sm_90a --until=kernels -o - | FileCheck %t/zeros.mlir
// RUN: fp8-opt %t/met.mlir --recipe=fp8_block128 --target=sm_90a --until=kernels -o - | FileCheck %t/met.mlir

//--- zeros.mlir

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

//--- met.mlir
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[BIAS:[^:]*]]: tensor<256xbf16>, %[[SUM:[^:]*]]: tensor<128x256xf32>
// CHECK: %[[Y:.*]] = scf.if %{{.*}} -> (tensor<128x256xbf16>) {
// CHECK: linalg.broadcast ins(%[[BIAS]] : tensor<256xbf16>)
// CHECK: arith.extf
// CHECK: arith.addf
// CHECK: arith.truncf
// CHECK: } else {
// CHECK: qtile.launch {{.*}}%[[BIAS]]) {{.*}}-> tensor<128x256xbf16>
// CHECK: %[[Z:.*]] = scf.if %{{.*}} -> (tensor<128x256xf32>) {
// CHECK-NEXT: scf.yield %[[SUM]]
// CHECK: } else {
// CHECK: qtile.launch {{.*}}%[[SUM]]) {{.*}}-> tensor<128x256xf32>
// CHECK: return %[[Y]], %[[Z]]
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<?x128xbf16>, %w: tensor<?x256xbf16>, %bias: tensor<256xbf16>, %sum: tensor<128x256xf32>) -> (tensor<128x256xbf16>, tensor<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x256xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x256xf32>) -> tensor<128x256xf32>
  %p = linalg.contract indexing_maps = [#a, #b, #c] ins(%x, %w : tensor<?x128xbf16>, tensor<?x256xbf16>) outs(%zeros : tensor<128x256xf32>) -> tensor<128x256xf32>
  %into = tensor.empty() : tensor<128x256xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%p, %bias : tensor<128x256xf32>, tensor<256xbf16>) outs(%into : tensor<128x256xbf16>) {
  ^bb0(%value: f32, %added: bf16, %out: bf16):
    %wide = arith.extf %added : bf16 to f32
    %both = arith.addf %value, %wide : f32
    %rounded = arith.truncf %both : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x256xbf16>
  %z = linalg.contract indexing_maps = [#a, #b, #c] ins(%x, %w : tensor<?x128xbf16>, tensor<?x256xbf16>) outs(%sum : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %y, %z : tensor<128x256xbf16>, tensor<128x256xf32>
}
