// RUN: fp8-opt %s --split-input-file --qt-fuse-amax --verify-diagnostics | FileCheck %s
//
// An amax comes from the op that computes the tensor, through casts between known and unknown sizes and through reshapes of
// which the groups are not known.

#m = affine_map<(d0, d1) -> (d0, d1)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK-LABEL: func @main
func.func @main(%x: tensor<?x128xf32>, %e: tensor<?x128xbf16>, %shape: tensor<3xindex>) -> !qt.tensor<?x128xbf16, #fp8> {
  // CHECK: %[[Y:.*]]:2 = linalg.generic
  // CHECK-SAME: iterator_types = ["parallel", "reduction"]
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<?x128xf32>) outs(%e : tensor<?x128xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<?x128xbf16>
  // CHECK: %[[A:.*]] = qt.amax %[[Y]]#1 <per block [*, 1]>
  // CHECK: %[[S:.*]] = tensor.collapse_shape %[[A]] []
  %r = tensor.reshape %y(%shape) : (tensor<?x128xbf16>, tensor<3xindex>) -> tensor<?x?x128xbf16>
  %c = tensor.cast %r : tensor<?x?x128xbf16> to tensor<?x1x128xbf16>
  %v = tensor.collapse_shape %c [[0, 1], [2]] : tensor<?x1x128xbf16> into tensor<?x128xbf16>
  // CHECK: qt.quantize %{{.*}} amax(%[[S]] : tensor<f32>)
  %q = qt.quantize %v : tensor<?x128xbf16> to !qt.tensor<?x128xbf16, #fp8>
  return %q : !qt.tensor<?x128xbf16, #fp8>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>

// CHECK-LABEL: func @main
func.func @main(%x: tensor<?x128xf32>, %e: tensor<?x128xbf16>) -> (!qt.tensor<256x128xbf16, #row>, !qt.tensor<?x?xbf16, #row>) {
  // CHECK: %[[Y:.*]]:2 = linalg.generic
  // CHECK-SAME: iterator_types = ["parallel", "reduction"]
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<?x128xf32>) outs(%e : tensor<?x128xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<?x128xbf16>
  // CHECK: %[[A:.*]] = tensor.cast %[[Y]]#1 : tensor<?x1xf32> to tensor<256x1xf32>
  // CHECK: qt.quantize %{{.*}} amax(%[[A]] : tensor<256x1xf32>)
  %k = tensor.cast %y : tensor<?x128xbf16> to tensor<256x128xbf16>
  %q = qt.quantize %k : tensor<256x128xbf16> to !qt.tensor<256x128xbf16, #row>
  // CHECK: qt.quantize %{{.*}} amax(%[[Y]]#1 : tensor<?x1xf32>)
  %u = tensor.cast %y : tensor<?x128xbf16> to tensor<?x?xbf16>
  %p = qt.quantize %u : tensor<?x?xbf16> to !qt.tensor<?x?xbf16, #row>
  return %q, %p : !qt.tensor<256x128xbf16, #row>, !qt.tensor<?x?xbf16, #row>
}

// -----

// Rows of the result may be anything of the operand.

#m = affine_map<(d0, d1) -> (d0, d1)>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>

// CHECK-LABEL: func @main
// CHECK-NOT: amax(
func.func @main(%x: tensor<4x8xf32>, %shape: tensor<2xindex>) -> !qt.tensor<2x16xf32, #row> {
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<4x8xf32>) outs(%x : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %r = tensor.reshape %y(%shape) : (tensor<4x8xf32>, tensor<2xindex>) -> tensor<2x16xf32>
  // expected-remark @+1 {{'tensor.reshape' op cuts through the blocks that share an amax}}
  %q = qt.quantize %r : tensor<2x16xf32> to !qt.tensor<2x16xf32, #row>
  return %q : !qt.tensor<2x16xf32, #row>
}

// -----

// What has no rank has no blocks.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK-LABEL: func @main
func.func @main(%x: tensor<*xf32>) -> !qt.tensor<2x16xf32, #fp8> {
  %c = tensor.cast %x : tensor<*xf32> to tensor<2x16xf32>
  // expected-remark @+1 {{'tensor.cast' op returns no amax}}
  %q = qt.quantize %c : tensor<2x16xf32> to !qt.tensor<2x16xf32, #fp8>
  return %q : !qt.tensor<2x16xf32, #fp8>
}
