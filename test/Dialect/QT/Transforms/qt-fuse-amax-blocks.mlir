// RUN: fp8-opt %s --split-input-file --qt-fuse-amax=remarks=false | FileCheck %s --check-prefix=AS-IS
// RUN: fp8-opt %s --split-input-file --qt-fuse-amax="blocks=true remarks=false" | FileCheck %s
//
// Blocks of fixed size are given an amax only if asked for: reading them costs nothing when it is known.

#m = affine_map<(d0, d1) -> (d0, d1)>
#b = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>

// AS-IS-LABEL: func @main
// AS-IS: qt.quantize %{{[0-9]*}} : tensor
// CHECK: #[[BLOCK:.*]] = affine_map<(d0, d1) -> (d0, d1 floordiv 128)>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<3x1000xbf16>, %e: tensor<3x1000xbf16>) -> !qt.tensor<3x1000xbf16, #b> {
  // CHECK: %[[Y:.*]]:2 = linalg.generic {{.*}}#[[BLOCK]]], iterator_types = ["parallel", "reduction"]
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<3x1000xbf16>) outs(%e : tensor<3x1000xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.negf %in : bf16
    linalg.yield %0 : bf16
  } -> tensor<3x1000xbf16>
  // CHECK: qt.quantize %[[Y]]#0 amax(%[[Y]]#1 : tensor<3x8xf32>)
  %q = qt.quantize %y : tensor<3x1000xbf16> to !qt.tensor<3x1000xbf16, #b>
  return %q : !qt.tensor<3x1000xbf16, #b>
}

// -----

// 256 elements in a row of a collapsed dimension are two whole rows of 128 before.

#m = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#b = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [2, 256] by fdiv>]>

// CHECK-LABEL: func @main
func.func @main(%x: tensor<3x6x128xbf16>, %e: tensor<3x6x128xbf16>) -> !qt.tensor<3x768xbf16, #b> {
  // CHECK: %[[Y:.*]]:2 = linalg.generic
  // CHECK: -> (tensor<3x6x128xbf16>, tensor<3x6x1xf32>)
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%x : tensor<3x6x128xbf16>) outs(%e : tensor<3x6x128xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.negf %in : bf16
    linalg.yield %0 : bf16
  } -> tensor<3x6x128xbf16>
  // CHECK: %[[A:.*]] = qt.amax %[[Y]]#1 <per block [2, 2, 1]> : tensor<3x6x1xf32> -> tensor<2x3x1xf32>
  // CHECK: %[[C:.*]] = tensor.collapse_shape %[[A]] {{\[\[}}0], [1, 2]] : tensor<2x3x1xf32> into tensor<2x3xf32>
  %c = tensor.collapse_shape %y [[0], [1, 2]] : tensor<3x6x128xbf16> into tensor<3x768xbf16>
  // CHECK: qt.quantize %{{.*}} amax(%[[C]] : tensor<2x3xf32>)
  %q = qt.quantize %c : tensor<3x768xbf16> to !qt.tensor<3x768xbf16, #b>
  return %q : !qt.tensor<3x768xbf16, #b>
}

// -----

// 256 elements in a row are two whole rows once the dimension is split.

#b = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [2, 128] by fdiv>]>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>

// CHECK-LABEL: func @main
func.func @main(%a: !qt.tensor<3x64xbf16, #row>, %w: !qt.tensor<768x64xbf16, #row>) -> !qt.tensor<3x6x128xbf16, #b> {
  // CHECK: %[[Y:.*]], %[[M:.*]] = qt.matmul %{{.*}}, %{{.*}} amax [#qt.amax<per block [1, 256]>]
  %y = qt.matmul %a, %w : !qt.tensor<3x64xbf16, #row>, !qt.tensor<768x64xbf16, #row> -> tensor<3x768xbf16>
  %x = tensor.expand_shape %y [[0], [1, 2]] output_shape [3, 6, 128] : tensor<3x768xbf16> into tensor<3x6x128xbf16>
  // CHECK: %[[E:.*]] = tensor.expand_shape %[[M]] {{\[\[}}0], [1, 2]] output_shape [3, 3, 1]
  // CHECK: qt.quantize %{{.*}} amax(%[[E]] : tensor<3x3x1xf32>)
  %q = qt.quantize %x : tensor<3x6x128xbf16> to !qt.tensor<3x6x128xbf16, #b>
  return %q : !qt.tensor<3x6x128xbf16, #b>
}
