// RUN: fp8-opt %s --convert-qtile-to-nvvm --split-input-file --verify-diagnostics

#block = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
qtile.kernel @unexpanded(%x: !qtile.global<f32>, %c: !qtile.global<i8>, %s: !qtile.global<f32>, %m: i32) on @chip {
  // expected-error @+1 {{expected a kernel of threads, got one to expand; run qtile-expand-quantize first}}
  qtile.quantize %x sizes(%m, %m) by #block along_columns(%c, %s : !qtile.global<i8>) : !qtile.global<f32>
  qtile.return
}

// -----

qtile.target @chip chip "sm_90a" features "" limits #qtile.limits<processors = 1, shared = 1, registers = 1, threads = 128, barriers = 1> instructions []
// expected-error @+1 {{expected rings and tiles that are placed in shared memory; run qtile-plan-rings first}}
qtile.kernel @unplaced() on @chip threads 64 {
  qtile.return
}
