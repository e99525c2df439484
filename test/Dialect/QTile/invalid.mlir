// RUN: fp8-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected an integer or float of 4, 8, 16 or 32 bits, got 'f64'}}
func.func private @global(!qtile.global<f64>)

// -----

// expected-error @+1 {{expected one or two sizes of at least 1, got [2, 2, 2]}}
func.func private @sizes(!qtile.shared<2x2x2xf32>)

// -----

// expected-error @+1 {{expected rows and columns for a tile in panels, got one size}}
func.func private @panels(!qtile.shared<64xbf16, panels>)

// -----

// expected-error @+1 {{expected rows of a tile in panels to be a multiple of 8, got 12}}
func.func private @rows(!qtile.shared<12x128xf8E4M3FN, panels>)

// -----

// expected-error @+1 {{expected at least 1 stage, got 0}}
func.func private @stages(!qtile.ring<0, !qtile.shared<256xf32>>)

// -----

// expected-error @+1 {{expected whole warps of 32 threads at a barrier, got 48 threads}}
func.func private @barriers(!qtile.barriers<1 of 48>)

// -----

// expected-error @+1 {{expected elements of type f32, got 'bf16'}}
func.func private @fragment(!qtile.fragment<64x128xbf16>)

// -----

// expected-error @+1 {{expected 64 or 16 rows, got 32}}
func.func private @fragmentRows(!qtile.pending<32x128xf32>)

// -----

// expected-error @+1 {{expected columns to be a multiple of 8, got 12}}
func.func private @columns(!qtile.columns<12xf32>)

// -----

// expected-error @+1 {{expected n to be a multiple of the step 8, got 100}}
func.func private @mma() attributes {a = #qtile.mma<64x100x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128>}

// -----

// expected-error @+1 {{expected limits of at least 1, got processors = 0}}
func.func private @limits() attributes {a = #qtile.limits<processors = 0, shared = 1, registers = 1, threads = 1, barriers = 1>}

// -----

!ring = !qtile.ring<2, !qtile.shared<256xf32>>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 4096, registers = 65536, threads = 1024, barriers = 16> instructions []
qtile.kernel @warps(%a: !qtile.global<f32>) on @chip {
  // expected-error @+1 {{expected warps to be a positive multiple of 4, got 2}}
  qtile.role consumer warps 2 registers 40 {
  ^bb0(%warp: i32):
  }
  qtile.return
}

// -----

qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 4096, registers = 65536, threads = 1024, barriers = 16> instructions []
// expected-error @+1 {{expected argument 0 to be !qtile.global or i32, got 'i64'}}
qtile.kernel @argument(%n: i64) on @chip {
  qtile.return
}

// -----

!ring = !qtile.ring<2, !qtile.shared<256xf32>>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 4096, registers = 65536, threads = 1024, barriers = 16> instructions []
qtile.kernel @fill(%a: !qtile.global<f32>) on @chip {
  %ring = qtile.ring : !ring
  qtile.role producer warps 4 registers 40 {
  ^bb0(%warp: i32):
    %stage = qtile.first producer of %ring : !ring
    // expected-error @+1 {{expected the tiles of the ring ('!qtile.shared<256xf32>'), got ('!qtile.shared<128xf32>')}}
    qtile.fill bulk %ring[%stage] : !ring {
    ^bb0(%tile: !qtile.shared<128xf32>):
    }
  }
  qtile.return
}

// -----

!ring = !qtile.ring<2, !qtile.shared<256xf32>>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 4096, registers = 65536, threads = 1024, barriers = 16> instructions []
qtile.kernel @copies(%a: !qtile.global<f32>) on @chip {
  %ring = qtile.ring : !ring
  qtile.role producer warps 4 registers 40 {
  ^bb0(%warp: i32):
    %stage = qtile.first producer of %ring : !ring
    // expected-error @+1 {{expected nothing but copies, got arith.constant}}
    qtile.fill bulk %ring[%stage] : !ring {
    ^bb0(%tile: !qtile.shared<256xf32>):
      %zero = arith.constant 0 : i64
    }
  }
  qtile.return
}

// -----

!a = !qtile.shared<64x128xf8E4M3FN, panels>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 16> instructions []
qtile.kernel @product(%n: i32) on @chip {
  %a = qtile.alloc : !a
  %zero = qtile.zero : !qtile.fragment<64x128xf32>
  // expected-error @+1 {{expected 128 rows of the right operand, the columns of the result, got 64}}
  %p = qtile.mma %zero, %a[%n], %a from 0 to 128 : !qtile.fragment<64x128xf32>, !a, !a -> !qtile.pending<64x128xf32>
  qtile.return
}

// -----

!a = !qtile.shared<64x128xf8E4M3FN, panels>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 16> instructions []
qtile.kernel @steps(%n: i32) on @chip {
  %a = qtile.alloc : !a
  %zero = qtile.zero : !qtile.fragment<64x64xf32>
  // expected-error @+1 {{expected bytes from and to of 0 to 128, in steps of 32, got from 96 to 96}}
  %p = qtile.mma %zero, %a[%n], %a from 96 to 96 : !qtile.fragment<64x64xf32>, !a, !a -> !qtile.pending<64x64xf32>
  qtile.return
}

// -----

qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 16> instructions []
qtile.kernel @wait() on @chip {
  %zero = qtile.zero : !qtile.pending<64x64xf32>
  // expected-error @+1 {{expected a fragment of 64 rows and 64 columns, got '!qtile.fragment<64x128xf32>'}}
  %f = qtile.mma_wait 0 of %zero : !qtile.pending<64x64xf32> -> !qtile.fragment<64x128xf32>
  qtile.return
}

// -----

!tile = !qtile.shared<128x64xbf16, panels>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 16> instructions []
qtile.kernel @stage(%n: i32) on @chip {
  %tile = qtile.alloc : !tile
  %zero = qtile.zero : !qtile.fragment<64x128xf32>
  // expected-error @+1 {{expected a tile of 128 columns and at least 64 rows, got '!qtile.shared<128x64xbf16, panels>'}}
  qtile.stage_fragment %zero to %tile[%n] : !qtile.fragment<64x128xf32> to !tile
  qtile.return
}

// -----

!tile = !qtile.shared<128x64xbf16, panels>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 16> instructions []
qtile.kernel @store(%d: !qtile.global<bf16>, %n: i32) on @chip {
  %tile = qtile.alloc : !tile
  // expected-error @+1 {{expected whole groups of 64 chunks on the way, 8 rows of 8, got 32}}
  qtile.store_tile %tile to %d[%n, %n] of %n, %n by %n of 32 at_once 1 : !tile to !qtile.global<bf16>
  qtile.return
}

// -----

// Less shared memory than what tiles and rings are placed in.
!ring = !qtile.ring<2, !qtile.shared<64x128xf8E4M3FN, panels>, !qtile.shared<64xf32>>
qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
// expected-error @+1 {{expected at least 25120 bytes of shared memory, up to which its tiles and rings are placed, got 25119}}
qtile.kernel @placed() on @chip shared 25119 {
  %ring = qtile.ring plan <full = 33, empty = 8, tiles = [8192, 24576], barriers = 25088> : !ring
  qtile.return
}

// -----

qtile.target @chip chip "chip" features "" limits #qtile.limits<processors = 1, shared = 65536, registers = 65536, threads = 1024, barriers = 4> instructions []
// expected-error @+1 {{expected at least 20480 bytes of shared memory, up to which its tiles and rings are placed, got 0}}
qtile.kernel @staging() on @chip threads 128 shared 0 {
  %staging = qtile.alloc at 4096 : !qtile.shared<128x64xbf16, panels>
  qtile.return
}
