// Hopper: H100 SXM, H200, H800. A block may have 227 KB of shared memory. Rates are of a clock: 4096 8-bit products of a
// multiprocessor, 6154 bytes of all L2 slices.

qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  rates #qtile.rates<products = 4096, shared = 128, cache = 6154, issue = 128>
  instructions [
    #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>,
    #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E5M2, f32, threads = 128, asynchronous>,
    #qtile.mma<64x256x32, step = 8, f8E5M2, f8E4M3FN, f32, threads = 128, asynchronous>,
    #qtile.mma<64x256x32, step = 8, f8E5M2, f8E5M2, f32, threads = 128, asynchronous>,
    #qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>,
    #qtile.mma<64x256x16, step = 8, f16, f16, f32, threads = 128, asynchronous>]
