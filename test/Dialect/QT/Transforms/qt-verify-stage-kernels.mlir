// A graph for a device says what became of each product, and each product that is a kernel has a schedule.
// RUN: split-file %s %t
// RUN: fp8-opt %t/shares.mlir --qt-verify-stage=after=fuse -o /dev/null
// RUN: fp8-opt %t/shares.mlir --qt-verify-stage=after=kernels --verify-diagnostics
// RUN: fp8-opt %t/schedule.mlir --qt-verify-stage=after=kernels -o /dev/null
// RUN: fp8-opt %t/schedule.mlir --qt-verify-stage=after=schedule --verify-diagnostics

//--- shares.mlir
// expected-error@+1 {{expected qtile.shares, what became of each product, got none; run convert-qt-to-qtile first}}
module {
  func.func @main() {
    return
  }
}

//--- schedule.mlir
module attributes {qtile.shares = #qtile.shares<>} {
  func.func @main() {
    return
  }
  qtile.target @sm_90a chip "sm_90a" features "+ptx88"
    limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
    instructions []
  // expected-error@+1 {{expected a schedule for its product, got none; run qtile-choose-schedule first}}
  qtile.kernel @gemm(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
      %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
    qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
      : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
    qtile.return
  }
}
