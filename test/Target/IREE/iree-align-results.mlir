// A kernel's result whose part of another tensor begins at no multiple of 16 bytes, or may, is read by a barrier too, so that
// IREE copies it there.
//
// RUN: fp8-opt %s --qtile-load-target --iree-align-results --allow-unregistered-dialect | FileCheck %s
// RUN: not fp8-opt %s --qtile-load-target --iree-align-results 2>&1 | FileCheck %s --check-prefix=UNREGISTERED
// UNREGISTERED: error: expected a context that takes IREE's ops, which are not linked (allow-unregistered-dialect)

!panels = tensor<8x256x128xi8, #qtile.stored<panels of 256x1000>>
qtile.kernel @gemm(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK-LABEL: func.func @flat
// CHECK: %[[D:.*]] = qtile.launch
// CHECK: tensor.insert_slice
// CHECK-NEXT: "util.optimization_barrier"(%[[D]]) : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
// CHECK-NEXT: return
func.func @flat(%a: !panels, %m: i32, %to: tensor<70000xbf16>) -> tensor<70000xbf16> {
  %d = qtile.launch @gemm(%a, %a) sizes(%m, %m, %m) tied [-1] : (!panels, !panels) -> tensor<256x256xbf16>
  %c = tensor.collapse_shape %d [[0, 1]] : tensor<256x256xbf16> into tensor<65536xbf16>
  %r = tensor.insert_slice %c into %to[3] [65536] [1] : tensor<65536xbf16> into tensor<70000xbf16>
  return %r : tensor<70000xbf16>
}

// The second part begins behind seven elements of bf16; the third behind 65543.
// CHECK-LABEL: func.func @concatenated
// CHECK: %[[D:.*]] = qtile.launch
// CHECK: "util.optimization_barrier"(%[[D]])
func.func @concatenated(%a: !panels, %m: i32, %bias: tensor<7xbf16>) -> tensor<65550xbf16> {
  %d = qtile.launch @gemm(%a, %a) sizes(%m, %m, %m) tied [-1] : (!panels, !panels) -> tensor<256x256xbf16>
  %c = tensor.collapse_shape %d [[0, 1]] : tensor<256x256xbf16> into tensor<65536xbf16>
  %r = tensor.concat dim(0) %bias, %c, %bias : (tensor<7xbf16>, tensor<65536xbf16>, tensor<7xbf16>) -> tensor<65550xbf16>
  return %r : tensor<65550xbf16>
}

// CHECK-LABEL: func.func @padded
// CHECK: %[[D:.*]] = qtile.launch
// CHECK: "util.optimization_barrier"(%[[D]])
func.func @padded(%a: !panels, %m: i32) -> tensor<256x257xbf16> {
  %z = arith.constant 0.0 : bf16
  %d = qtile.launch @gemm(%a, %a) sizes(%m, %m, %m) tied [-1] : (!panels, !panels) -> tensor<256x256xbf16>
  %r = tensor.pad %d low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : bf16
  } : tensor<256x256xbf16> to tensor<256x257xbf16>
  return %r : tensor<256x257xbf16>
}

// Nothing is known of the offset; rows of 300 elements are 600 bytes, no multiple of 16.
// CHECK-LABEL: func.func @unknown
// CHECK: %[[D:.*]] = qtile.launch
// CHECK: "util.optimization_barrier"(%[[D]])
func.func @unknown(%a: !panels, %m: i32, %to: tensor<?x300xbf16>, %at: index) -> tensor<?x300xbf16> {
  %d = qtile.launch @gemm(%a, %a) sizes(%m, %m, %m) tied [-1] : (!panels, !panels) -> tensor<256x256xbf16>
  %r = tensor.insert_slice %d into %to[%at, 0] [256, 256] [1, 1] : tensor<256x256xbf16> into tensor<?x300xbf16>
  return %r : tensor<?x300xbf16>
}

// Rows of four elements are 8 bytes: with an odd number of them in each matrix, the second row of the second one begins at none.
// CHECK-LABEL: func.func @rows
// CHECK: %[[D:.*]] = qtile.launch
// CHECK: "util.optimization_barrier"(%[[D]])
func.func @rows(%a: !panels, %m: i32, %to: tensor<?x?x4xbf16>) -> tensor<?x?x4xbf16> {
  %d = qtile.launch @gemm(%a, %a) sizes(%m, %m, %m) tied [-1] : (!panels, !panels) -> tensor<256x256xbf16>
  %c = tensor.collapse_shape %d [[0, 1]] : tensor<256x256xbf16> into tensor<65536xbf16>
  %e = tensor.expand_shape %c [[0, 1, 2]] output_shape [1, 16384, 4] : tensor<65536xbf16> into tensor<1x16384x4xbf16>
  %r = tensor.insert_slice %e into %to[1, 1, 0] [1, 16384, 4] [1, 1, 1] : tensor<1x16384x4xbf16> into tensor<?x?x4xbf16>
  return %r : tensor<?x?x4xbf16>
}

// A layer of a stack begins at a multiple of 16 bytes wherever it is, and so do eight elements; a result is none of them.
// CHECK-LABEL: func.func @aligned
// CHECK-NOT: barrier
func.func @aligned(%a: !panels, %m: i32, %to: tensor<?x256x256xbf16>, %flat: tensor<70000xbf16>, %layer: index) -> (tensor<?x256x256xbf16>, tensor<70000xbf16>, tensor<256x256xbf16>) {
  %d = qtile.launch @gemm(%a, %a) sizes(%m, %m, %m) tied [-1] : (!panels, !panels) -> tensor<256x256xbf16>
  %e = qtile.launch @gemm(%a, %a) sizes(%m, %m, %m) tied [-1] : (!panels, !panels) -> tensor<256x256xbf16>
  %r = tensor.insert_slice %d into %to[%layer, 0, 0] [1, 256, 256] [1, 1, 1] : tensor<256x256xbf16> into tensor<?x256x256xbf16>
  %c = tensor.collapse_shape %e [[0, 1]] : tensor<256x256xbf16> into tensor<65536xbf16>
  %s = tensor.insert_slice %c into %flat[8] [65536] [1] : tensor<65536xbf16> into tensor<70000xbf16>
  return %r, %s, %d : tensor<?x256x256xbf16>, tensor<70000xbf16>, tensor<256x256xbf16>
}
