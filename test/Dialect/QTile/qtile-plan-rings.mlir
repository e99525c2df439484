// RUN: fp8-opt %s --qtile-plan-rings --split-input-file --verify-diagnostics | FileCheck %s
//
// Tiles of a ring lie stage after stage behind each other, then the barriers: arrivals are one of the thread that copies in bulk
// and 32 of a warp that copies asynchronously; one of each warp of the role that releases.

!a = !qtile.shared<64x128xf8E4M3FN, panels>
!s = !qtile.shared<64xf32>
!ring = !qtile.ring<2, !a, !s>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []

// CHECK-LABEL: qtile.kernel @both
// CHECK-SAME: shared 25120
qtile.kernel @both(%a: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %n: i32) on @chip {
  // CHECK: qtile.ring plan <full = 33, empty = 8, tiles = [8192, 24576], barriers = 25088> : !ring
  %ring = qtile.ring : !ring
  // CHECK: qtile.alloc at 0 :
  %staging = qtile.alloc : !qtile.shared<64x64xbf16, panels>
  // CHECK: qtile.barriers from 1 :
  // CHECK: qtile.barriers from 3 :
  %full = qtile.barriers : !qtile.barriers<2 of 160>
  %empty = qtile.barriers : !qtile.barriers<1 of 160>
  qtile.role consumer warps 8 registers 232 {
  ^bb0(%warp: i32):
    %stage = qtile.first consumer of %ring : !ring
    qtile.release %ring[%stage] : !ring
  }
  qtile.role producer warps 4 registers 40 {
  ^bb0(%warp: i32):
    %stage = qtile.first producer of %ring : !ring
    %offset = arith.constant 0 : i64
    qtile.fill bulk %ring[%stage] : !ring {
    ^bb0(%ta: !a, %ts: !s):
      qtile.copy %a[%offset] count %n to %ta : !qtile.global<f8E4M3FN> to !a
    }
    qtile.fill async %ring[%stage] : !ring {
    ^bb0(%ta: !a, %ts: !s):
      qtile.copy %s[%offset] count %n to %ts : !qtile.global<f32> to !s
    }
  }
  qtile.return
}

// -----

!ring = !qtile.ring<2, !qtile.shared<64xf32>>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
qtile.kernel @never_filled() on @chip {
  // expected-error @+1 {{expected a ring to be filled and released, got one that is not filled}}
  %ring = qtile.ring : !ring
  qtile.role consumer warps 4 registers 40 {
  ^bb0(%warp: i32):
    %stage = qtile.first consumer of %ring : !ring
    qtile.release %ring[%stage] : !ring
  }
  qtile.return
}

// -----

!ring = !qtile.ring<2, !qtile.shared<64xf32>>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
qtile.kernel @two_roles() on @chip {
  %ring = qtile.ring : !ring
  qtile.role consumer warps 4 registers 40 {
  ^bb0(%warp: i32):
    %stage = qtile.first consumer of %ring : !ring
    // expected-error @+1 {{expected all releases of a ring in one role, got one in another}}
    qtile.release %ring[%stage] : !ring
  }
  qtile.role producer warps 4 registers 40 {
  ^bb0(%warp: i32):
    %stage = qtile.first consumer of %ring : !ring
    qtile.release %ring[%stage] : !ring
  }
  qtile.return
}

// -----

qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
// expected-error @+1 {{expected at most 4 barriers of a block, the one of all threads among them, got 5}}
qtile.kernel @barriers() on @chip {
  %full = qtile.barriers : !qtile.barriers<4 of 160>
  qtile.role consumer warps 8 registers 40 {
  ^bb0(%warp: i32):
  }
  qtile.return
}

// -----

qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
// expected-error @+1 {{expected at most 65536 bytes of shared memory of a block, got 131072}}
qtile.kernel @shared() on @chip {
  %tile = qtile.alloc : !qtile.shared<512x128xbf16, panels>
  qtile.role consumer warps 4 registers 40 {
  ^bb0(%warp: i32):
  }
  qtile.return
}

// -----

qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
qtile.kernel @threads() on @chip {
  // expected-error @+1 {{expected barriers for at most the 128 threads of the block, got 2048}}
  %full = qtile.barriers : !qtile.barriers<1 of 2048>
  qtile.role consumer warps 4 registers 40 {
  ^bb0(%warp: i32):
  }
  qtile.return
}

// -----

!s = !qtile.shared<64xf32>
!ring = !qtile.ring<2, !s>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
qtile.kernel @first(%s: !qtile.global<f32>, %n: i32) on @chip {
  %ring = qtile.ring : !ring
  qtile.role consumer warps 4 registers 40 {
  ^bb0(%warp: i32):
    // expected-error @+1 {{expected the first position of a consumer, whose role it is in, got that of a producer}}
    %stage = qtile.first producer of %ring : !ring
    qtile.release %ring[%stage] : !ring
  }
  qtile.role producer warps 4 registers 40 {
  ^bb0(%warp: i32):
    %stage = qtile.first producer of %ring : !ring
    %offset = arith.constant 0 : i64
    qtile.fill bulk %ring[%stage] : !ring {
    ^bb0(%ts: !s):
      qtile.copy %s[%offset] count %n to %ts : !qtile.global<f32> to !s
    }
  }
  qtile.return
}

// -----

!s = !qtile.shared<64xf32>
!ring = !qtile.ring<2, !s>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
qtile.kernel @counts(%s: !qtile.global<f32>) on @chip {
  %ring = qtile.ring : !ring
  qtile.role consumer warps 4 registers 40 {
  ^bb0(%warp: i32):
    %stage = qtile.first consumer of %ring : !ring
    qtile.release %ring[%stage] : !ring
  }
  qtile.role producer warps 4 registers 40 {
  ^bb0(%warp: i32):
    %stage = qtile.first producer of %ring : !ring
    %offset = arith.constant 0 : i64
    %all = arith.constant 64 : i32
    %n = arith.constant 62 : i32
    qtile.fill bulk %ring[%stage] : !ring {
    ^bb0(%ts: !s):
      qtile.copy %s[%offset] count %all to %ts : !qtile.global<f32> to !s
      // expected-error @+1 {{expected a count of a multiple of 16 bytes, at most the 256 of '!qtile.shared<64xf32>', got 62 elements, 248 bytes}}
      qtile.copy %s[%offset] count %n to %ts : !qtile.global<f32> to !s
    }
  }
  qtile.return
}

// -----

!s = !qtile.shared<64xf32>
!ring = !qtile.ring<2, !s>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
qtile.kernel @counts(%s: !qtile.global<f32>) on @chip {
  %ring = qtile.ring : !ring
  qtile.role consumer warps 4 registers 40 {
  ^bb0(%warp: i32):
    %stage = qtile.first consumer of %ring : !ring
    qtile.release %ring[%stage] : !ring
  }
  qtile.role producer warps 4 registers 40 {
  ^bb0(%warp: i32):
    %stage = qtile.first producer of %ring : !ring
    %offset = arith.constant 0 : i64
    %all = arith.constant 64 : i32
    %n = arith.constant 68 : i32
    qtile.fill bulk %ring[%stage] : !ring {
    ^bb0(%ts: !s):
      qtile.copy %s[%offset] count %all to %ts : !qtile.global<f32> to !s
      // expected-error @+1 {{expected a count of a multiple of 16 bytes, at most the 256 of '!qtile.shared<64xf32>', got 68 elements, 272 bytes}}
      qtile.copy %s[%offset] count %n to %ts : !qtile.global<f32> to !s
    }
  }
  qtile.return
}

// -----

!s = !qtile.shared<64xf32>
!ring = !qtile.ring<2, !s>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
qtile.kernel @counts(%s: !qtile.global<f32>) on @chip {
  %ring = qtile.ring : !ring
  qtile.role consumer warps 4 registers 40 {
  ^bb0(%warp: i32):
    %stage = qtile.first consumer of %ring : !ring
    qtile.release %ring[%stage] : !ring
  }
  qtile.role producer warps 4 registers 40 {
  ^bb0(%warp: i32):
    %stage = qtile.first producer of %ring : !ring
    %offset = arith.constant 0 : i64
    %all = arith.constant 64 : i32
    %n = arith.constant -4 : i32
    qtile.fill bulk %ring[%stage] : !ring {
    ^bb0(%ts: !s):
      qtile.copy %s[%offset] count %all to %ts : !qtile.global<f32> to !s
      // expected-error @+1 {{expected a count of a multiple of 16 bytes, at most the 256 of '!qtile.shared<64xf32>', got -4 elements, -16 bytes}}
      qtile.copy %s[%offset] count %n to %ts : !qtile.global<f32> to !s
    }
  }
  qtile.return
}
