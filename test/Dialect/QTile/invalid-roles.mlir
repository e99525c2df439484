// RUN: fp8-opt %s --verify-diagnostics --split-input-file
//
// Roles of a written kernel that its target cannot run, and the limit.

// Roles hand registers to each other; more than all threads start with are never there.
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
// expected-error @+1 {{expected at most 64512 registers of a block, 168 for each thread, got roles of 68608}}
qtile.kernel @registers() on @chip {
  qtile.role consumer warps 8 registers 248 {
  ^bb0(%warp: i32):
  }
  qtile.role producer warps 4 registers 40 {
  ^bb0(%warp: i32):
  }
  qtile.return
}

// -----

qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 256, barriers = 4> instructions []
// expected-error @+1 {{expected at most 256 threads of a block, got roles of 384}}
qtile.kernel @threads() on @chip {
  qtile.role consumer warps 8 registers 40 {
  ^bb0(%warp: i32):
  }
  qtile.role producer warps 4 registers 40 {
  ^bb0(%warp: i32):
  }
  qtile.return
}
