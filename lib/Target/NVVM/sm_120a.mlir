// Blackwell for consumers: GeForce RTX 50, RTX PRO. A block may have 99 KB of shared memory. Rates are of a clock: 1024 bytes
// of codes multiplied, which are the data sheet's; 2430 bytes of all L2 slices, from others' fit. None was measured here.

qtile.target @sm_120a chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 170, shared = 101376, registers = 65536, threads = 1024, barriers = 16>
  rates #qtile.rates<products = 1024, shared = 128, cache = 2430, issue = 128>
  instructions [
    #qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E4M3FN, f32 scales f8E8M0FNU each 32, threads = 32>,
    #qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E5M2, f32 scales f8E8M0FNU each 32, threads = 32>,
    #qtile.mma<16x8x32, step = 8, f8E5M2, f8E4M3FN, f32 scales f8E8M0FNU each 32, threads = 32>,
    #qtile.mma<16x8x32, step = 8, f8E5M2, f8E5M2, f32 scales f8E8M0FNU each 32, threads = 32>,
    #qtile.mma<16x8x64, step = 8, f4E2M1FN, f4E2M1FN, f32 scales f8E4M3FN each 16, threads = 32>]
