// A kernel that says what it computes becomes PTX and a cubin, for the shipped target or one that the module brings, and the
// report has what a launch needs.
//
// RUN: split-file %s %t
// RUN: fp8-translate --nvvm-to-ptx --target=sm_90a %t/two.mlir | FileCheck %s --check-prefix=PTX
// RUN: fp8-opt --qtile-to-nvvm %t/two.mlir | FileCheck %s --check-prefix=NVVM
// RUN: fp8-opt --qtile-load-target %t/two.mlir | fp8-translate --nvvm-to-ptx --target=sm_90a | FileCheck %s --check-prefix=PTX

// PTX: .visible .entry block(
// PTX: .reqntid 384
// PTX: wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3
// PTX: .visible .entry given(
// PTX: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k32.f32.e5m2.e4m3

// NVVM-NOT: qtile
// NVVM: llvm.func @block(
// NVVM-NOT: qtile

// The other way round there is nothing to do: errors name the kernel and both targets.
// RUN: not fp8-translate --nvvm-to-ptx --target=sm_100a %t/two.mlir 2>&1 | FileCheck %s --check-prefix=UNSHIPPED
// UNSHIPPED: error: 'qtile.kernel' op expected a kernel for sm_100a, got one for sm_90a
// RUN: fp8-opt --qtile-load-target %t/two.mlir | not fp8-translate --nvvm-to-ptx --target=sm_120a 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: 'qtile.kernel' op expected a kernel for sm_120a, got one for sm_90a
// RUN: sed s/@sm_90a/@vax/ %t/two.mlir | not fp8-translate --nvvm-to-ptx --target=sm_90a 2>&1 | FileCheck %s --check-prefix=UNNAMED
// UNNAMED: error: 'qtile.kernel' op expected @vax to name a qtile.target of the module, or one that this version has

//--- two.mlir
qtile.kernel @block(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

qtile.kernel @given(%a: !qtile.global<f8E5M2>, %b: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>,
    %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) likely [64, 64, 8192]
    : !qtile.global<f8E5M2>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
