// RUN: fp8-opt %s --qtile-load-target=name=sm_120a --convert-qt-to-qtile=target=sm_120a | FileCheck %s
//
// Where warps multiply, a product is a kernel, and the vector that is added to its rows stays in the graph.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#matrix = affine_map<(d0, d1) -> (d0, d1)>
#vector = affine_map<(d0, d1) -> (d1)>

// CHECK: %[[Y:.*]] = qtile.launch @gemm_block_1x32({{.*}}) {{.*}} -> tensor<256x128xf32>
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %arg2
// CHECK: arith.addf
// CHECK-NOT: plus
func.func @main(%x: tensor<256x512xbf16>, %w: tensor<128x512xbf16>, %bias: tensor<128xf32>) -> tensor<256x128xf32> {
  %a = qt.quantize %x : tensor<256x512xbf16> to !qt.tensor<256x512xbf16, #mx>
  %b = qt.quantize %w : tensor<128x512xbf16> to !qt.tensor<128x512xbf16, #mx>
  %y = qt.matmul %a, %b : !qt.tensor<256x512xbf16, #mx>, !qt.tensor<128x512xbf16, #mx> -> tensor<256x128xf32>
  %wide = tensor.empty() : tensor<256x128xf32>
  %sum = linalg.generic {indexing_maps = [#matrix, #vector, #matrix], iterator_types = ["parallel", "parallel"]}
    ins(%y, %bias : tensor<256x128xf32>, tensor<128xf32>) outs(%wide : tensor<256x128xf32>) {
  ^bb0(%p: f32, %v: f32, %o: f32):
    %0 = arith.addf %p, %v : f32
    linalg.yield %0 : f32
  } -> tensor<256x128xf32>
  return %sum : tensor<256x128xf32>
}
