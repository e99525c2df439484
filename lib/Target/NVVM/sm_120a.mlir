// Blackwell for consumers: GeForce RTX 50, RTX PRO. A block may have 99 KB of shared memory. Rates are of a clock: 1024 bytes
// of codes multiplied, which are the data sheet's; 2430 bytes of all L2 slices, from others' fit. Clocks are
// others' fit too. None was measured here.

qtile.target @sm_120a "Blackwell for consumers: GeForce RTX 50 and RTX PRO" chip "sm_120a" features "+ptx88"
  limits #qtile.limits<processors = 170, shared = 101376, registers = 65536, threads = 1024, barriers = 16>
  rates #qtile.rates<products = 1024, shared = 128, cache = 2430, issue = 128, stage = 120, handover = 0, tile = 2000>
  instructions [
    #qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E4M3FN, f32 scales f8E8M0FNU each 32, threads = 32>,
    #qtile.mma<16x8x32, step = 8, f8E4M3FN, f8E5M2, f32 scales f8E8M0FNU each 32, threads = 32>,
    #qtile.mma<16x8x32, step = 8, f8E5M2, f8E4M3FN, f32 scales f8E8M0FNU each 32, threads = 32>,
    #qtile.mma<16x8x32, step = 8, f8E5M2, f8E5M2, f32 scales f8E8M0FNU each 32, threads = 32>,
    #qtile.mma<16x8x64, step = 8, f4E2M1FN, f4E2M1FN, f32 scales f8E4M3FN each 16, threads = 32>] {
  // Two warps for each part of a processor hide each other's waits. Registers are what threads have without handing any over: ptxas ignores
  // that where warps multiply. Smaller tiles are for fewer rows or columns. Two stages are enough where one takes as long as its loads.
  qtile.schedules of block_1x32, block_1x32 stages 2 [
    #qtile.schedule<tile = [128, 128], consumers = 2, stages = 6, registers = [168, 168], group = 8, in_flight = 0, turns = 0, store = consumers, scales = load>,
    #qtile.schedule<tile = [128, 128], consumers = 1, stages = 6, registers = [248, 248], group = 8, in_flight = 0, turns = 0, store = consumers, scales = load>,
    #qtile.schedule<tile = [64, 128], consumers = 1, stages = 6, registers = [248, 248], group = 8, in_flight = 0, turns = 0, store = consumers, scales = load>,
    #qtile.schedule<tile = [128, 64], consumers = 1, stages = 6, registers = [248, 248], group = 8, in_flight = 0, turns = 0, store = consumers, scales = load>]
  qtile.schedules of block_1x16, block_1x16 stages 2 [
    #qtile.schedule<tile = [128, 128], consumers = 2, stages = 6, registers = [168, 168], group = 8, in_flight = 0, turns = 0, store = consumers, scales = load>,
    #qtile.schedule<tile = [128, 128], consumers = 1, stages = 6, registers = [248, 248], group = 8, in_flight = 0, turns = 0, store = consumers, scales = load>,
    #qtile.schedule<tile = [64, 128], consumers = 1, stages = 6, registers = [248, 248], group = 8, in_flight = 0, turns = 0, store = consumers, scales = load>,
    #qtile.schedule<tile = [128, 64], consumers = 1, stages = 6, registers = [248, 248], group = 8, in_flight = 0, turns = 0, store = consumers, scales = load>]
}
