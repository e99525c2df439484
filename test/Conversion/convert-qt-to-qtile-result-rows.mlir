// RUN: fp8-opt %s --split-input-file --qtile-load-target --convert-qt-to-qtile | FileCheck %s
//
// A vector is added to a product whose rows are of several dimensions, as those of a batch of sequences are.

#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#vector = affine_map<(d0, d1, d2) -> (d2)>

// CHECK: %[[Y:.*]] = qtile.launch @gemm_block_1x128({{.*}}, %arg2) {{.*}} tensor<128xbf16>) -> tensor<256x128xbf16>
// CHECK-NOT: arith.addf
// CHECK: %[[Z:.*]] = tensor.expand_shape %[[Y]] {{\[\[}}0, 1], [2]] output_shape [2, 128, 128]
// CHECK-NOT: arith.addf
// CHECK: return %[[Z]]
// CHECK: qtile.gemm {{.*}} plus %{{.*}} : !qtile.global<bf16> sizes(
func.func @main(%x: tensor<256x512xbf16>, %w: tensor<128x512xbf16>, %bias: tensor<128xbf16>) -> tensor<2x128x128xbf16> {
  %a = qt.quantize %x : tensor<256x512xbf16> to !qt.tensor<256x512xbf16, #rows>
  %b = qt.quantize %w : tensor<128x512xbf16> to !qt.tensor<128x512xbf16, #rows>
  %y = qt.matmul %a, %b : !qt.tensor<256x512xbf16, #rows>, !qt.tensor<128x512xbf16, #rows> -> tensor<256x128xf32>
  %each = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 128, 128] : tensor<256x128xf32> into tensor<2x128x128xf32>
  %narrow = tensor.empty() : tensor<2x128x128xbf16>
  %z = linalg.generic {indexing_maps = [#all, #vector, #all], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%each, %bias : tensor<2x128x128xf32>, tensor<128xbf16>) outs(%narrow : tensor<2x128x128xbf16>) {
  ^bb0(%p: f32, %v: bf16, %o: bf16):
    %0 = arith.extf %v : bf16 to f32
    %1 = arith.addf %p, %0 : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<2x128x128xbf16>
  return %z : tensor<2x128x128xbf16>
}

// -----

// Sizes that are not known, and a rounding of its own.

#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#vector = affine_map<(d0, d1, d2) -> (d2)>

// CHECK: %[[Y:.*]] = qtile.launch @gemm_block_1x128({{.*}}, %arg2) {{.*}} tensor<128xf32>) -> tensor<?x128xbf16>
// CHECK: %[[Z:.*]] = tensor.expand_shape %[[Y]] {{\[\[}}0, 1], [2]] output_shape [2, %arg3, 128]
// CHECK: return %[[Z]]
func.func @main(%x: tensor<?x512xbf16>, %w: tensor<128x512xbf16>, %bias: tensor<128xf32>, %length: index) -> tensor<2x?x128xbf16> {
  %a = qt.quantize %x : tensor<?x512xbf16> to !qt.tensor<?x512xbf16, #rows>
  %b = qt.quantize %w : tensor<128x512xbf16> to !qt.tensor<128x512xbf16, #rows>
  %y = qt.matmul %a, %b : !qt.tensor<?x512xbf16, #rows>, !qt.tensor<128x512xbf16, #rows> -> tensor<?x128xf32>
  %each = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, %length, 128] : tensor<?x128xf32> into tensor<2x?x128xf32>
  %wide = tensor.empty(%length) : tensor<2x?x128xf32>
  %sum = linalg.generic {indexing_maps = [#all, #vector, #all], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%each, %bias : tensor<2x?x128xf32>, tensor<128xf32>) outs(%wide : tensor<2x?x128xf32>) {
  ^bb0(%p: f32, %v: f32, %o: f32):
    %0 = arith.addf %p, %v : f32
    linalg.yield %0 : f32
  } -> tensor<2x?x128xf32>
  %narrow = tensor.empty(%length) : tensor<2x?x128xbf16>
  %z = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%sum : tensor<2x?x128xf32>) outs(%narrow : tensor<2x?x128xbf16>) {
  ^bb0(%p: f32, %o: bf16):
    %0 = arith.truncf %p : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<2x?x128xbf16>
  return %z : tensor<2x?x128xbf16>
}

// -----

// An addend that is a vector for all rows of all sequences.

#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>

// CHECK: qtile.launch @gemm_block_1x128({{.*}}, %arg2) {{.*}} tied [-1] {{.*}} -> tensor<256x128xbf16>
func.func @main(%x: tensor<256x512xbf16>, %w: tensor<128x512xbf16>, %bias: tensor<128xf32>) -> tensor<256x128xbf16> {
  %a = qt.quantize %x : tensor<256x512xbf16> to !qt.tensor<256x512xbf16, #rows>
  %b = qt.quantize %w : tensor<128x512xbf16> to !qt.tensor<128x512xbf16, #rows>
  %wide = tensor.empty() : tensor<2x128x128xf32>
  %all = linalg.broadcast ins(%bias : tensor<128xf32>) outs(%wide : tensor<2x128x128xf32>) dimensions = [0, 1]
  %each = tensor.collapse_shape %all [[0, 1], [2]] : tensor<2x128x128xf32> into tensor<256x128xf32>
  %y = qt.matmul %a, %b plus %each : tensor<256x128xf32> : !qt.tensor<256x512xbf16, #rows>, !qt.tensor<128x512xbf16, #rows> -> tensor<256x128xbf16>
  return %y : tensor<256x128xbf16>
}

// -----

// Left to the graph: columns that become several dimensions, and a vector for a dimension of the rows.

#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#last = affine_map<(d0, d1, d2) -> (d2)>
#middle = affine_map<(d0, d1, d2) -> (d1)>

// CHECK-COUNT-2: arith.addf
// CHECK-NOT: plus
func.func @main(%x: tensor<256x512xbf16>, %w: tensor<128x512xbf16>, %v: tensor<64xf32>, %u: tensor<128xf32>) -> (tensor<256x2x64xf32>, tensor<2x128x128xf32>) {
  %a = qt.quantize %x : tensor<256x512xbf16> to !qt.tensor<256x512xbf16, #rows>
  %b = qt.quantize %w : tensor<128x512xbf16> to !qt.tensor<128x512xbf16, #rows>
  %y = qt.matmul %a, %b : !qt.tensor<256x512xbf16, #rows>, !qt.tensor<128x512xbf16, #rows> -> tensor<256x128xf32>
  %heads = tensor.expand_shape %y [[0], [1, 2]] output_shape [256, 2, 64] : tensor<256x128xf32> into tensor<256x2x64xf32>
  %e0 = tensor.empty() : tensor<256x2x64xf32>
  %0 = linalg.generic {indexing_maps = [#all, #last, #all], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%heads, %v : tensor<256x2x64xf32>, tensor<64xf32>) outs(%e0 : tensor<256x2x64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<256x2x64xf32>
  %z = qt.matmul %a, %b : !qt.tensor<256x512xbf16, #rows>, !qt.tensor<128x512xbf16, #rows> -> tensor<256x128xf32>
  %each = tensor.expand_shape %z [[0, 1], [2]] output_shape [2, 128, 128] : tensor<256x128xf32> into tensor<2x128x128xf32>
  %e1 = tensor.empty() : tensor<2x128x128xf32>
  %1 = linalg.generic {indexing_maps = [#all, #middle, #all], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%each, %u : tensor<2x128x128xf32>, tensor<128xf32>) outs(%e1 : tensor<2x128x128xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<2x128x128xf32>
  return %0, %1 : tensor<256x2x64xf32>, tensor<2x128x128xf32>
}
