// RUN: fp8-opt %s --convert-qtile-to-nvvm --split-input-file --verify-diagnostics

qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
qtile.kernel @unexpanded(%a: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %n: i32) on @chip {
  // expected-error @+1 {{expected a kernel of roles, got one to expand; run qtile-expand-gemm first}}
  qtile.gemm %a as none, %a as none into %d sizes(%n, %n, %n) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
// expected-error @+1 {{expected rings and tiles that are placed in shared memory; run qtile-plan-rings first}}
qtile.kernel @unplanned(%n: i32) on @chip {
  qtile.role consumer warps 4 registers 40 {
  ^bb0(%warp: i32):
  }
  qtile.return
}

// -----

!a = !qtile.shared<64x32xf32, panels>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
qtile.kernel @operands(%n: i32) on @chip shared 8192 {
  %a = qtile.alloc at 0 : !a
  qtile.role consumer warps 4 registers 40 {
  ^bb0(%warp: i32):
    %zero = qtile.zero : !qtile.fragment<64x64xf32>
    // expected-error @below {{expected operands of f8E4M3FN, f8E5M2, bf16 or f16, got 'f32' and 'f32'}}
    // expected-error @below {{failed to legalize operation 'qtile.mma'}}
    %p = qtile.mma %zero, %a[%n], %a from 0 to 128 : !qtile.fragment<64x64xf32>, !a, !a -> !qtile.pending<64x64xf32>
  }
  qtile.return
}

// -----

!tile = !qtile.shared<64x64xi16, panels>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
qtile.kernel @map(%a: !qtile.global<i16>, %places: !qtile.global<i8>, %n: i32) on @chip shared 8192 {
  %scratch = qtile.alloc at 0 : !tile
  qtile.role consumer warps 4 registers 40 {
  ^bb0(%warp: i32):
    // expected-error @below {{expected a matrix of bf16 or f16, got 'i16'}}
    // expected-error @below {{failed to legalize operation 'qtile.tensor_map'}}
    %map = qtile.tensor_map %a[%n, %n] in %places[%n] through %scratch : !qtile.global<i16>, !tile -> !qtile.tensor_map<!tile>
  }
  qtile.return
}
