// RUN: fp8-opt %s | fp8-opt | FileCheck %s
// RUN: fp8-opt %s | fp8-opt --mlir-print-op-generic | fp8-opt | FileCheck %s
//
// Several products in one launch, batches of matrices that are quantized, and an array from an element on, as they are spelled.

!c = !qtile.global<f8E4M3FN>
!s = !qtile.global<f32>
!i = !qtile.global<i32>
!d = !qtile.global<bf16>

qtile.kernel @groups(%a: !c, %sa: !s, %b: !c, %sb: !s, %bounds: !i, %d: !d, %g: i32, %m: i32, %n: i32, %k: i32) on @sm_90a {
  // CHECK: qtile.gemm %{{.*}} into %{{.*}} sizes(%[[M:.*]], %[[N:.*]], %[[K:.*]]) in batch(%[[G:.*]]) likely [512, 4096, 7168, 8] :
  qtile.gemm %a as row by %sa, %b as row by %sb into %d sizes(%m, %n, %k) in batch(%g) likely [512, 4096, 7168, 8] : !c, !c -> !d
  // CHECK-NEXT: sizes(%[[M]], %[[N]], %[[K]]) in rows(%[[G]] by %[[BOUNDS:.*]]) :
  qtile.gemm %a as row by %sa, %b as row by %sb into %d sizes(%m, %n, %k) in rows(%g by %bounds) : !c, !c -> !d
  // CHECK-NEXT: in counted_rows(%[[G]] by %[[BOUNDS]]) :
  qtile.gemm %a as row by %sa, %b as row by %sb into %d sizes(%m, %n, %k) in counted_rows(%g by %bounds) : !c, !c -> !d
  // CHECK-NEXT: in contraction(%[[G]] by %[[BOUNDS]]) :
  qtile.gemm %a as row by %sa, %b as row by %sb into %d sizes(%m, %n, %k) in contraction(%g by %bounds) : !c, !c -> !d
  qtile.return
}

#tensor = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qtile.kernel @batch(%x: !d, %amax: !s, %c: !c, %s: !s, %e: i32, %m: i32, %n: i32) on @sm_90a {
  // CHECK: qtile.amax %{{.*}} sizes(%{{.*}}, %{{.*}}) in batch(%[[E:.*]]) by
  qtile.amax %x sizes(%m, %n) in batch(%e) by #tensor into %amax : !d
  // CHECK-NEXT: qtile.quantize %{{.*}} sizes(%{{.*}}, %{{.*}}) in batch(%[[E]]) by {{.*}} amax
  qtile.quantize %x sizes(%m, %n) in batch(%e) by #tensor amax %amax along_columns(%c, %s : !c) : !d
  qtile.return
}

func.func @from(%a: !c, %offset: i64) -> !c {
  // CHECK: qtile.from %{{.*}}[%{{.*}}] : !qtile.global<f8E4M3FN>
  %b = qtile.from %a[%offset] : !c
  return %b : !c
}
