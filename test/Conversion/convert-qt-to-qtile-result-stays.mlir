// RUN: fp8-opt %s --split-input-file --qtile-load-target --convert-qt-to-qtile | FileCheck %s
//
// What follows a product and is left to the graph: sums with other bits, or in a form that kernels do not read.

// Left to the graph: a product that is rounded before the sum, whose bits are others.

#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#matrix = affine_map<(d0, d1) -> (d0, d1)>
#vector = affine_map<(d0, d1) -> (d1)>

// CHECK: qtile.launch @gemm_block_1x128({{.*}}) {{.*}} -> tensor<256x128xbf16>
// CHECK: arith.addf {{.*}} : bf16
// CHECK-NOT: plus
func.func @main(%x: tensor<256x512xbf16>, %w: tensor<128x512xbf16>, %bias: tensor<128xbf16>) -> tensor<256x128xbf16> {
  %a = qt.quantize %x : tensor<256x512xbf16> to !qt.tensor<256x512xbf16, #rows>
  %b = qt.quantize %w : tensor<128x512xbf16> to !qt.tensor<128x512xbf16, #rows>
  %y = qt.matmul %a, %b : !qt.tensor<256x512xbf16, #rows>, !qt.tensor<128x512xbf16, #rows> -> tensor<256x128xbf16>
  %narrow = tensor.empty() : tensor<256x128xbf16>
  %sum = linalg.generic {indexing_maps = [#matrix, #vector, #matrix], iterator_types = ["parallel", "parallel"]}
    ins(%y, %bias : tensor<256x128xbf16>, tensor<128xbf16>) outs(%narrow : tensor<256x128xbf16>) {
  ^bb0(%p: bf16, %v: bf16, %o: bf16):
    %0 = arith.addf %p, %v : bf16
    linalg.yield %0 : bf16
  } -> tensor<256x128xbf16>
  return %sum : tensor<256x128xbf16>
}

// -----

// Left to the graph: a vector that is no whole number of 16 bytes, as kernels copy it; a vector for rows; a product that others read too.

#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#matrix = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
#vector = affine_map<(d0, d1) -> (d0)>

// CHECK-COUNT-3: arith.addf
// CHECK-NOT: plus
func.func @main(%x: tensor<128x512xbf16>, %w: tensor<130x512xbf16>, %v: tensor<128x512xbf16>, %odd: tensor<130xf32>, %r: tensor<128xf32>)
    -> (tensor<128x130xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>) {
  %a = qt.quantize %x : tensor<128x512xbf16> to !qt.tensor<128x512xbf16, #rows>
  %b = qt.quantize %w : tensor<130x512xbf16> to !qt.tensor<130x512xbf16, #rows>
  %c = qt.quantize %v : tensor<128x512xbf16> to !qt.tensor<128x512xbf16, #rows>
  %y = qt.matmul %a, %b : !qt.tensor<128x512xbf16, #rows>, !qt.tensor<130x512xbf16, #rows> -> tensor<128x130xf32>
  %wide = tensor.empty() : tensor<128x130xf32>
  %0 = linalg.generic {indexing_maps = [#matrix, #columns, #matrix], iterator_types = ["parallel", "parallel"]}
    ins(%y, %odd : tensor<128x130xf32>, tensor<130xf32>) outs(%wide : tensor<128x130xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<128x130xf32>
  %z = qt.matmul %a, %c : !qt.tensor<128x512xbf16, #rows>, !qt.tensor<128x512xbf16, #rows> -> tensor<128x128xf32>
  %square = tensor.empty() : tensor<128x128xf32>
  %1 = linalg.generic {indexing_maps = [#matrix, #vector, #matrix], iterator_types = ["parallel", "parallel"]}
    ins(%z, %r : tensor<128x128xf32>, tensor<128xf32>) outs(%square : tensor<128x128xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<128x128xf32>
  %u = qt.matmul %c, %c : !qt.tensor<128x512xbf16, #rows>, !qt.tensor<128x512xbf16, #rows> -> tensor<128x128xf32>
  %2 = linalg.generic {indexing_maps = [#matrix, #columns, #matrix], iterator_types = ["parallel", "parallel"]}
    ins(%u, %r : tensor<128x128xf32>, tensor<128xf32>) outs(%square : tensor<128x128xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<128x128xf32>
  return %0, %1, %2, %u : tensor<128x130xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>
}
