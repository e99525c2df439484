// RUN: fp8-opt %s | fp8-opt | FileCheck %s
// RUN: fp8-opt %s --mlir-print-op-generic | fp8-opt | FileCheck %s
// RUN: fp8-opt %s --emit-bytecode | fp8-opt | FileCheck %s
//
// What computes, takes and returns an amax reads what it prints: in its own form, the generic one and bytecode.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>

// CHECK-LABEL: func @amax_of_a_tensor_has_one_for_each_batch_slice
func.func @amax_of_a_tensor_has_one_for_each_batch_slice(%x: tensor<4x3x65xbf16>) -> tensor<4xf32> {
  // CHECK: qt.amax %{{.*}} <per tensor> : tensor<4x3x65xbf16> -> tensor<4xf32>
  %a = qt.amax %x <per tensor> : tensor<4x3x65xbf16> -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// A block has one spelling, as in a scale.
// CHECK-LABEL: func @amax_of_blocks
func.func @amax_of_blocks(%x: tensor<3x65xf16>) -> (tensor<3x3xf32>, tensor<3x1xf32>) {
  // CHECK: qt.amax %{{.*}} <per block [1, 32], nan = ignore> : tensor<3x65xf16> -> tensor<3x3xf32>
  %a = qt.amax %x <per block [32], nan = ignore> : tensor<3x65xf16> -> tensor<3x3xf32>
  // CHECK: qt.amax %{{.*}} <per block [1, *]> : tensor<3x65xf16> -> tensor<3x1xf32>
  %b = qt.amax %x <per block [1, 1, *], nan = propagate> : tensor<3x65xf16> -> tensor<3x1xf32>
  return %a, %b : tensor<3x3xf32>, tensor<3x1xf32>
}

// CHECK-LABEL: func @amax_of_dynamic_sizes
func.func @amax_of_dynamic_sizes(%x: tensor<?x65xf32>) -> tensor<?x1xf32> {
  // CHECK: qt.amax %{{.*}} <per block [1, *]> : tensor<?x65xf32> -> tensor<?x1xf32>
  %a = qt.amax %x <per block [1, *]> : tensor<?x65xf32> -> tensor<?x1xf32>
  return %a : tensor<?x1xf32>
}

// CHECK-LABEL: func @quantize_by_a_given_amax
func.func @quantize_by_a_given_amax(%x: tensor<3x65xbf16>, %a: tensor<f32>, %b: tensor<3x3xf32>)
    -> (!qt.tensor<3x65xbf16, #nv>, !qt.tensor<3x65xbf16, #mx>) {
  // CHECK: qt.quantize %{{.*}} amax(%{{.*}} : tensor<f32>) in <forward> : tensor<3x65xbf16>
  %q = qt.quantize %x amax(%a : tensor<f32>) in <forward> : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #nv>
  // CHECK: qt.quantize %{{.*}} amax(%{{.*}} : tensor<3x3xf32>) : tensor<3x65xbf16>
  %r = qt.quantize %x amax(%b : tensor<3x3xf32>) : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #mx>
  return %q, %r : !qt.tensor<3x65xbf16, #nv>, !qt.tensor<3x65xbf16, #mx>
}

// CHECK-LABEL: func @multi_quantize
func.func @multi_quantize(%x: tensor<3x65xbf16>, %a: tensor<f32>)
    -> (!qt.tensor<3x65xbf16, #mx>, !qt.tensor<65x3xbf16, #mx>, !qt.tensor<65x3xbf16, #fp8>) {
  // CHECK: qt.multi_quantize %{{.*}} permutations {{\[\[}}0, 1], [1, 0]] in <forward> : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #scheme{{[0-9]*}}>, !qt.tensor<65x3xbf16, #scheme{{[0-9]*}}>
  %q:2 = qt.multi_quantize %x permutations [[0, 1], [1, 0]] in <forward>
           : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #mx>, !qt.tensor<65x3xbf16, #mx>
  // CHECK: qt.multi_quantize %{{.*}} permutations {{\[\[}}0, 1], [1, 0]] amax(%{{.*}} : tensor<f32>) reads [-1, 0] : tensor<3x65xbf16>
  %r:2 = qt.multi_quantize %x permutations [[0, 1], [1, 0]] amax(%a : tensor<f32>) reads [-1, 0]
           : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #mx>, !qt.tensor<65x3xbf16, #fp8>
  return %q#0, %q#1, %r#1 : !qt.tensor<3x65xbf16, #mx>, !qt.tensor<65x3xbf16, #mx>, !qt.tensor<65x3xbf16, #fp8>
}

// CHECK-LABEL: func @matmul_returns_amaxes
func.func @matmul_returns_amaxes(%a: !qt.tensor<3x65xbf16, #mx>, %b: !qt.tensor<5x65xbf16, #mx>)
    -> (tensor<3x5xbf16>, tensor<3x1xf32>, tensor<f32>) {
  // CHECK: %{{.*}}, %{{.*}}:2 = qt.matmul %{{.*}}, %{{.*}} amax [#qt.amax<per block [1, *]>, #qt.amax<per tensor>] : {{.*}} -> tensor<3x5xbf16>, tensor<3x1xf32>, tensor<f32>
  %y, %amaxes:2 = qt.matmul %a, %b amax [#qt.amax<per block [1, *]>, #qt.amax<per tensor>]
    : !qt.tensor<3x65xbf16, #mx>, !qt.tensor<5x65xbf16, #mx> -> tensor<3x5xbf16>, tensor<3x1xf32>, tensor<f32>
  return %y, %amaxes#0, %amaxes#1 : tensor<3x5xbf16>, tensor<3x1xf32>, tensor<f32>
}

// CHECK: qt.recipe @unrounded "reads what was not rounded" cast_source <fp32_unrounded> {
qt.recipe @unrounded "reads what was not rounded" cast_source <fp32_unrounded> {
  qt.rule <activation> -> #mx
}
