// RUN: fp8-opt %s --split-input-file --qtile-load-target --convert-qt-to-qtile | FileCheck %s
//
// What a graph does with the sums of a product that its kernel does on their way out: a vector is added to each row, before the one rounding.

#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#matrix = affine_map<(d0, d1) -> (d0, d1)>
#vector = affine_map<(d0, d1) -> (d1)>

// CHECK: %[[Y:.*]] = qtile.launch @gemm_block_1x128(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %arg2) {{.*}} tensor<128xf32>) -> tensor<256x128xbf16>
// CHECK-NOT: arith.addf
// CHECK: return %[[Y]]
// CHECK: qtile.gemm {{.*}} plus %{{.*}} : !qtile.global<f32> sizes(
func.func @main(%x: tensor<256x512xbf16>, %w: tensor<128x512xbf16>, %bias: tensor<128xf32>) -> tensor<256x128xbf16> {
  %a = qt.quantize %x : tensor<256x512xbf16> to !qt.tensor<256x512xbf16, #rows>
  %b = qt.quantize %w : tensor<128x512xbf16> to !qt.tensor<128x512xbf16, #rows>
  %y = qt.matmul %a, %b : !qt.tensor<256x512xbf16, #rows>, !qt.tensor<128x512xbf16, #rows> -> tensor<256x128xf32>
  %wide = tensor.empty() : tensor<256x128xf32>
  %sum = linalg.generic {indexing_maps = [#matrix, #vector, #matrix], iterator_types = ["parallel", "parallel"]}
    ins(%y, %bias : tensor<256x128xf32>, tensor<128xf32>) outs(%wide : tensor<256x128xf32>) {
  ^bb0(%p: f32, %v: f32, %o: f32):
    %0 = arith.addf %p, %v : f32
    linalg.yield %0 : f32
  } -> tensor<256x128xf32>
  %narrow = tensor.empty() : tensor<256x128xbf16>
  %z = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]}
    ins(%sum : tensor<256x128xf32>) outs(%narrow : tensor<256x128xbf16>) {
  ^bb0(%p: f32, %o: bf16):
    %0 = arith.truncf %p : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<256x128xbf16>
  return %z : tensor<256x128xbf16>
}

// -----

// A vector in bf16, which is exact in f32; the other way round; the sum is read twice, so that it is left in f32.

#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#matrix = affine_map<(d0, d1) -> (d0, d1)>
#vector = affine_map<(d0, d1) -> (d1)>

// CHECK: %[[Y:.*]] = qtile.launch @gemm_block_1x128({{.*}}, %arg2) {{.*}} -> tensor<256x128xf32>
// CHECK: return %[[Y]], %[[Y]]
func.func @main(%x: tensor<256x512xbf16>, %w: tensor<128x512xbf16>, %bias: tensor<128xbf16>) -> (tensor<256x128xf32>, tensor<256x128xf32>) {
  %a = qt.quantize %x : tensor<256x512xbf16> to !qt.tensor<256x512xbf16, #rows>
  %b = qt.quantize %w : tensor<128x512xbf16> to !qt.tensor<128x512xbf16, #rows>
  %y = qt.matmul %a, %b : !qt.tensor<256x512xbf16, #rows>, !qt.tensor<128x512xbf16, #rows> -> tensor<256x128xf32>
  %wide = tensor.empty() : tensor<256x128xf32>
  %sum = linalg.generic {indexing_maps = [#vector, #matrix, #matrix], iterator_types = ["parallel", "parallel"]}
    ins(%bias, %y : tensor<128xbf16>, tensor<256x128xf32>) outs(%wide : tensor<256x128xf32>) {
  ^bb0(%v: bf16, %p: f32, %o: f32):
    %e = arith.extf %v : bf16 to f32
    %0 = arith.addf %e, %p : f32
    linalg.yield %0 : f32
  } -> tensor<256x128xf32>
  return %sum, %sum : tensor<256x128xf32>, tensor<256x128xf32>
}

// -----

// An addend that is a vector for all rows, in a product whose result is rounded.

#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>

// CHECK: qtile.launch @gemm_block_1x128({{.*}}, %arg2) {{.*}} tied [-1] {{.*}} -> tensor<256x128xbf16>
func.func @main(%x: tensor<256x512xbf16>, %w: tensor<128x512xbf16>, %bias: tensor<128xf32>) -> tensor<256x128xbf16> {
  %a = qt.quantize %x : tensor<256x512xbf16> to !qt.tensor<256x512xbf16, #rows>
  %b = qt.quantize %w : tensor<128x512xbf16> to !qt.tensor<128x512xbf16, #rows>
  %wide = tensor.empty() : tensor<256x128xf32>
  %all = linalg.broadcast ins(%bias : tensor<128xf32>) outs(%wide : tensor<256x128xf32>) dimensions = [0]
  %y = qt.matmul %a, %b plus %all : tensor<256x128xf32> : !qt.tensor<256x512xbf16, #rows>, !qt.tensor<128x512xbf16, #rows> -> tensor<256x128xbf16>
  return %y : tensor<256x128xbf16>
}

// -----

// Added and rounded at once.

#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#matrix = affine_map<(d0, d1) -> (d0, d1)>
#vector = affine_map<(d0, d1) -> (d1)>

// CHECK: %[[Y:.*]] = qtile.launch @gemm_block_1x128({{.*}}, %arg2) {{.*}} tensor<128xbf16>) -> tensor<256x128xbf16>
// CHECK-NOT: arith.addf
// CHECK: return %[[Y]]
// CHECK: qtile.gemm {{.*}} plus %{{.*}} : !qtile.global<bf16> sizes(
func.func @main(%x: tensor<256x512xbf16>, %w: tensor<128x512xbf16>, %bias: tensor<128xbf16>) -> tensor<256x128xbf16> {
  %a = qt.quantize %x : tensor<256x512xbf16> to !qt.tensor<256x512xbf16, #rows>
  %b = qt.quantize %w : tensor<128x512xbf16> to !qt.tensor<128x512xbf16, #rows>
  %y = qt.matmul %a, %b : !qt.tensor<256x512xbf16, #rows>, !qt.tensor<128x512xbf16, #rows> -> tensor<256x128xf32>
  %narrow = tensor.empty() : tensor<256x128xbf16>
  %z = linalg.generic {indexing_maps = [#matrix, #vector, #matrix], iterator_types = ["parallel", "parallel"]}
    ins(%y, %bias : tensor<256x128xf32>, tensor<128xbf16>) outs(%narrow : tensor<256x128xbf16>) {
  ^bb0(%p: f32, %v: bf16, %o: bf16):
    %0 = arith.extf %v : bf16 to f32
    %1 = arith.addf %p, %0 : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<256x128xbf16>
  return %z : tensor<256x128xbf16>
}
