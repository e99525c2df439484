// A chip that no build has: little shared memory, half as wide instructions, one table of schedules. For own-target.test.
qtile.target @small chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 4, shared = 101376, registers = 65536, threads = 512, barriers = 16>
  rates #qtile.rates<products = 2048, shared = 128, cache = 512, issue = 128, stage = 0, handover = 100, tile = 1000>
  instructions [#qtile.mma<64x128x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>] {
  qtile.schedules of block_1x128, block_128x128 stages 2 columns 32 by 32 [
    #qtile.schedule<tile = [128, 128], consumers = 2, stages = 4, registers = [40, 152], group = 4, in_flight = 0, turns = 0, store = storers, scales = load>]
}
