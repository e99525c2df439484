// RUN: fp8-opt %s --split-input-file --qtile-load-target --convert-qt-to-qtile --verify-diagnostics | FileCheck %s
//
// What a product is added to is a result that the kernel finds there, of f32; a batch of several dimensions is one for the launch.

#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>

// CHECK: qtile.launch @gemm_block_1x128(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %arg2) sizes({{.*}}) tied [4] : ({{.*}}, tensor<256x128xf32>) -> tensor<256x128xf32>
// CHECK: qtile.gemm {{.*}} into %{{.*}} accumulate sizes(
func.func @main(%x: tensor<256x512xbf16>, %w: tensor<128x512xbf16>, %sum: tensor<256x128xf32>) -> tensor<256x128xf32> {
  %a = qt.quantize %x : tensor<256x512xbf16> to !qt.tensor<256x512xbf16, #rows>
  %b = qt.quantize %w : tensor<128x512xbf16> to !qt.tensor<128x512xbf16, #rows>
  %y = qt.matmul %a, %b plus %sum : tensor<256x128xf32> : !qt.tensor<256x512xbf16, #rows>, !qt.tensor<128x512xbf16, #rows> -> tensor<256x128xf32>
  return %y : tensor<256x128xf32>
}

// -----

#batch = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 1, 1, 128] by fdiv>]>

// CHECK: %[[SUM:.*]] = tensor.collapse_shape %arg2 {{\[\[}}0, 1], [2], [3]] : tensor<2x3x256x128xf32> into tensor<6x256x128xf32>
// CHECK: %[[D:.*]] = qtile.launch @gemm_block_1x128({{.*}}, %[[SUM]]) {{.*}} tied [4]
// CHECK: tensor.expand_shape %[[D]]
func.func @main(%x: tensor<2x3x256x512xbf16>, %w: tensor<2x3x128x512xbf16>, %sum: tensor<2x3x256x128xf32>) -> tensor<2x3x256x128xf32> {
  %a = qt.quantize %x : tensor<2x3x256x512xbf16> to !qt.tensor<2x3x256x512xbf16, #batch>
  %b = qt.quantize %w : tensor<2x3x128x512xbf16> to !qt.tensor<2x3x128x512xbf16, #batch>
  %y = qt.matmul %a, %b plus %sum : tensor<2x3x256x128xf32> : !qt.tensor<2x3x256x512xbf16, #batch>, !qt.tensor<2x3x128x512xbf16, #batch> -> tensor<2x3x256x128xf32>
  return %y : tensor<2x3x256x128xf32>
}

// -----

#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>

// CHECK: qt.matmul
func.func @main(%x: tensor<256x512xbf16>, %w: tensor<128x512xbf16>, %sum: tensor<256x128xf32>) -> tensor<256x128xbf16> {
  %a = qt.quantize %x : tensor<256x512xbf16> to !qt.tensor<256x512xbf16, #rows>
  %b = qt.quantize %w : tensor<128x512xbf16> to !qt.tensor<128x512xbf16, #rows>
  // expected-remark @+1 {{not computed by a kernel of ours: kernels add to a product in f32 alone}}
  %y = qt.matmul %a, %b plus %sum : tensor<256x128xf32> : !qt.tensor<256x512xbf16, #rows>, !qt.tensor<128x512xbf16, #rows> -> tensor<256x128xbf16>
  return %y : tensor<256x128xbf16>
}

// -----

// Zeros of dynamic size are no addend.

#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>

// CHECK: qtile.launch @gemm_block_1x128({{.*}}) {{.*}} shapes(%{{.*}}) tied [-1] {{.*}} -> tensor<?x128xbf16>
// CHECK-NOT: accumulate
func.func @main(%x: tensor<?x512xbf16>, %w: tensor<128x512xbf16>, %m: index) -> tensor<?x128xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m) : tensor<?x128xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%e : tensor<?x128xf32>) -> tensor<?x128xf32>
  %a = qt.quantize %x : tensor<?x512xbf16> to !qt.tensor<?x512xbf16, #rows>
  %b = qt.quantize %w : tensor<128x512xbf16> to !qt.tensor<128x512xbf16, #rows>
  %y = qt.matmul %a, %b plus %sum : tensor<?x128xf32> : !qt.tensor<?x512xbf16, #rows>, !qt.tensor<128x512xbf16, #rows> -> tensor<?x128xbf16>
  return %y : tensor<?x128xbf16>
}
