// Products in high precision become launches of kernels that read both operands as they lie; nothing is transposed for them.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile --split-input-file | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>

// A layer: its product, rounded by the kernel, and both gradients. Tokens are dimensions that are collapsed.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<2x128x256xbf16>, %[[W:.*]]: tensor<512x256xbf16>, %[[G:.*]]: tensor<2x128x512xbf16>)
// CHECK-NOT: linalg
// CHECK: %[[X0:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]]
// CHECK: %[[Y:.*]]:2 = qtile.launch @[[FPROP:.*]](%[[X0]], %[[W]]) sizes(%{{.*}}) tied [-1, -1]
// CHECK-SAME: (tensor<256x256xbf16>, tensor<512x256xbf16>) -> (tensor<256x512xbf16>, tensor<33920xi8>)
// CHECK-NOT: linalg
// CHECK: %[[G0:.*]] = tensor.collapse_shape %[[G]] {{\[}}[0, 1], [2]]
// CHECK: %[[DX:.*]]:2 = qtile.launch @[[DGRAD:.*]](%[[G0]], %[[W]])
// CHECK-NOT: linalg
// CHECK: %[[G1:.*]] = tensor.collapse_shape %[[G]] {{\[}}[0, 1], [2]]
// CHECK: %[[X1:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]]
// CHECK: %[[DW:.*]]:2 = qtile.launch @[[WGRAD:.*]](%[[G1]], %[[X1]])
// CHECK-SAME: -> (tensor<512x256xf32>, tensor<33920xi8>)
// CHECK: return %[[Y]]#0, %[[DX]]#0, %[[DW]]#0
//
// CHECK: qtile.kernel @[[FPROP]](
// CHECK-NEXT: qtile.gemm %{{.*}} as none in row_major, %{{.*}} as none in row_major into %{{.*}} maps %{{.*}} likely [256, 512, 256] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
// CHECK: qtile.kernel @[[DGRAD]](
// CHECK-NEXT: qtile.gemm %{{.*}} as none in row_major, %{{.*}} as none in transposed into
// CHECK: qtile.kernel @[[WGRAD]](
// CHECK-NEXT: qtile.gemm %{{.*}} as none in transposed, %{{.*}} as none in transposed into {{.*}} -> !qtile.global<f32>
func.func @main(%x: tensor<2x128x256xbf16>, %w: tensor<512x256xbf16>, %g: tensor<2x128x512xbf16>)
    -> (tensor<256x512xbf16>, tensor<256x256xbf16>, tensor<512x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %x0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x128x256xbf16> into tensor<256x256xbf16>
  %y0 = tensor.empty() : tensor<256x512xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<256x512xf32>) -> tensor<256x512xf32>
  %y2 = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x0, %w : tensor<256x256xbf16>, tensor<512x256xbf16>) outs(%y1 : tensor<256x512xf32>) -> tensor<256x512xf32>
  %y3 = tensor.empty() : tensor<256x512xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%y2 : tensor<256x512xf32>) outs(%y3 : tensor<256x512xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %rounded = arith.truncf %in : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x512xbf16>
  %g0 = tensor.collapse_shape %g [[0, 1], [2]] : tensor<2x128x512xbf16> into tensor<256x512xbf16>
  %w0 = tensor.empty() : tensor<256x512xbf16>
  %w1 = linalg.transpose ins(%w : tensor<512x256xbf16>) outs(%w0 : tensor<256x512xbf16>) permutation = [1, 0]
  %dx0 = tensor.empty() : tensor<256x256xf32>
  %dx1 = linalg.fill ins(%zero : f32) outs(%dx0 : tensor<256x256xf32>) -> tensor<256x256xf32>
  %dx2 = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%g0, %w1 : tensor<256x512xbf16>, tensor<256x512xbf16>) outs(%dx1 : tensor<256x256xf32>) -> tensor<256x256xf32>
  %dx = arith.truncf %dx2 : tensor<256x256xf32> to tensor<256x256xbf16>
  %gt = tensor.empty() : tensor<512x2x128xbf16>
  %g1 = linalg.transpose ins(%g : tensor<2x128x512xbf16>) outs(%gt : tensor<512x2x128xbf16>) permutation = [2, 0, 1]
  %g2 = tensor.collapse_shape %g1 [[0], [1, 2]] : tensor<512x2x128xbf16> into tensor<512x256xbf16>
  %xt = tensor.empty() : tensor<256x256xbf16>
  %x1 = linalg.transpose ins(%x0 : tensor<256x256xbf16>) outs(%xt : tensor<256x256xbf16>) permutation = [1, 0]
  %dw0 = tensor.empty() : tensor<512x256xf32>
  %dw1 = linalg.fill ins(%zero : f32) outs(%dw0 : tensor<512x256xf32>) -> tensor<512x256xf32>
  %dw = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%g2, %x1 : tensor<512x256xbf16>, tensor<256x256xbf16>) outs(%dw1 : tensor<512x256xf32>) -> tensor<512x256xf32>
  return %y, %dx, %dw : tensor<256x512xbf16>, tensor<256x256xbf16>, tensor<512x256xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>

// Sizes that are not known: a row of k has whole 16 bytes whatever they are, since 64 of its elements are. Sums that are read in f32
// too are not rounded by the kernel.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x64xf16>, %[[W:.*]]: tensor<24x?x64xf16>
// CHECK: %[[X0:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0], [1, 2]]
// CHECK: %[[W0:.*]] = tensor.collapse_shape %[[W]] {{\[}}[0], [1, 2]]
// CHECK: %[[M:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[SUMS:.*]] = scf.if %{{.*}} -> (tensor<?x24xf32>) {
// CHECK: %[[LAUNCHED:.*]]:2 = qtile.launch @{{.*}}(%[[X0]], %[[W0]]) sizes({{.*}}) shapes(%{{.*}}) tied [-1, -1] {{.*}} -> (tensor<?x24xf32>, tensor<33920xi8>)
// CHECK: scf.yield %[[LAUNCHED]]#0
// CHECK: arith.truncf %[[SUMS]]
// CHECK: qtile.gemm {{.*}} sizes(%{{.*}}) : !qtile.global<f16>, !qtile.global<f16> -> !qtile.global<f32>
func.func @main(%x: tensor<?x?x64xf16>, %w: tensor<24x?x64xf16>, %init: tensor<?x24xf32>) -> (tensor<?x24xf32>, tensor<?x24xf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %x0 = tensor.collapse_shape %x [[0], [1, 2]] : tensor<?x?x64xf16> into tensor<?x?xf16>
  %w0 = tensor.collapse_shape %w [[0], [1, 2]] : tensor<24x?x64xf16> into tensor<24x?xf16>
  %m = tensor.dim %x0, %c0 : tensor<?x?xf16>
  %y0 = tensor.empty(%m) : tensor<?x24xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<?x24xf32>) -> tensor<?x24xf32>
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x0, %w0 : tensor<?x?xf16>, tensor<24x?xf16>) outs(%y1 : tensor<?x24xf32>) -> tensor<?x24xf32>
  %r = arith.truncf %y : tensor<?x24xf32> to tensor<?x24xf16>
  return %y, %r : tensor<?x24xf32>, tensor<?x24xf16>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>

// Rows of 12 elements do not start at multiples of 16 bytes; those that were transposed do, and are read.
//
// CHECK-LABEL: func.func @main
// CHECK: linalg.transpose
// CHECK: qtile.launch
// CHECK: qtile.gemm %{{.*}} as none in row_major, %{{.*}} as none in row_major
func.func @main(%x: tensor<64x12xbf16>, %w: tensor<16x64xbf16>) -> tensor<12x16xf32> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<12x64xbf16>
  %x0 = linalg.transpose ins(%x : tensor<64x12xbf16>) outs(%t : tensor<12x64xbf16>) permutation = [1, 0]
  %y0 = tensor.empty() : tensor<12x16xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<12x16xf32>) -> tensor<12x16xf32>
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x0, %w : tensor<12x64xbf16>, tensor<16x64xbf16>) outs(%y1 : tensor<12x16xf32>) -> tensor<12x16xf32>
  return %y : tensor<12x16xf32>
}
