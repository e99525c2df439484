// Hopper: H100 SXM, H200, H800. A block may have 227 KB of shared memory. Rates are of a clock: 4096 8-bit products of a
// multiprocessor, 6154 bytes of all L2 slices.

qtile.target @sm_90a "Hopper: H100 and H200" chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  rates #qtile.rates<products = 4096, shared = 128, cache = 6154, issue = 128, stage = 0, handover = 100, tile = 2000>
  instructions [
    #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>,
    #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E5M2, f32, threads = 128, asynchronous>,
    #qtile.mma<64x256x32, step = 8, f8E5M2, f8E4M3FN, f32, threads = 128, asynchronous>,
    #qtile.mma<64x256x32, step = 8, f8E5M2, f8E5M2, f32, threads = 128, asynchronous>,
    #qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>,
    #qtile.mma<64x256x16, step = 8, f16, f16, f32, threads = 128, asynchronous>] {
  // Under pingpong a tile's scales and store cost nothing, and smaller tiles more power: faster up to k = 4096, slower from 7168 on.
  // Three consumers were slower than two on every shape measured. Fewer than three stages leave loads no time, more than eight have no
  // use to tiles of 64 columns and more. The first registers that suffice are taken: a producer's thread that stores has use for 40. Rows of tiles walked together: 4 to 16
  // are within 1 %.
  qtile.schedules of none, none stages 3 columns 32 by 16 [
    #qtile.schedule<tile = [64, 256], consumers = 1, stages = 8, registers = [40, 248], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 8, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 8, registers = [24, 240], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 8, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 8, registers = [24, 240], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>]
  // Where operands are row major, of few rows 16 stages were up to 21 % faster than 8.
  qtile.schedules of none, none row_major stages 3 columns 32 by 16 [
    #qtile.schedule<tile = [64, 256], consumers = 1, stages = 16, registers = [40, 248], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 16, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 16, registers = [24, 240], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 16, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 16, registers = [24, 240], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>]
  // Tiles of up to 48 columns, which few rows at small n have: 16 stages hold as many bytes as 8 of wider ones, and were up to 10 % faster.
  qtile.schedules of tensor, tensor stages 3 columns 32 by 16 [
    #qtile.schedule<tile = [64, 48], consumers = 1, stages = 16, registers = [40, 248], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [64, 256], consumers = 1, stages = 8, registers = [40, 248], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 8, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 8, registers = [24, 240], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 8, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 8, registers = [24, 240], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [128, 192], consumers = 2, stages = 8, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load, order = pingpong>]
  qtile.schedules of row, row stages 3 columns 32 by 16 [
    #qtile.schedule<tile = [64, 256], consumers = 1, stages = 8, registers = [40, 248], group = 16, in_flight = 1, turns = 0, store = storers, scales = warp>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 8, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = warp>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 8, registers = [24, 240], group = 16, in_flight = 1, turns = 0, store = storers, scales = warp>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 8, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = warp>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 8, registers = [24, 240], group = 16, in_flight = 1, turns = 0, store = storers, scales = warp>,
    #qtile.schedule<tile = [128, 192], consumers = 2, stages = 8, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = warp, order = pingpong>]
  qtile.schedules of block_1x128, block_128x128 stages 3 columns 32 by 16 [
    #qtile.schedule<tile = [64, 256], consumers = 1, stages = 8, registers = [40, 248], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 8, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 8, registers = [24, 240], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 8, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 8, registers = [24, 240], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>]
  // A thread that promotes holds two sums of each element, so that tiles are no wider than 128 columns with two waves, 208 or 224 with one.
  qtile.schedules of tensor, tensor promoted stages 3 columns 32 by 16 [
    #qtile.schedule<tile = [64, 256], consumers = 1, stages = 8, registers = [40, 248], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 8, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 8, registers = [24, 240], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 8, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 8, registers = [24, 240], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>]
  qtile.schedules of row, row promoted stages 3 columns 32 by 16 [
    #qtile.schedule<tile = [64, 256], consumers = 1, stages = 8, registers = [40, 248], group = 8, in_flight = 0, turns = 0, store = storers, scales = warp>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 8, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = warp>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 8, registers = [24, 240], group = 8, in_flight = 0, turns = 0, store = storers, scales = warp>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 8, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = warp>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 8, registers = [24, 240], group = 8, in_flight = 0, turns = 0, store = storers, scales = warp>]
  // Column scales keep a consumer promoting for half the time of its products: two that alternate hide that. A warp of its own copies
  // scales 3 % faster where both operands have some, and 2 % slower where one has.
  qtile.schedules of block_1x128, block_1x128 stages 3 columns 32 by 16 [
    #qtile.schedule<tile = [64, 256], consumers = 1, stages = 8, registers = [40, 248], group = 8, in_flight = 0, turns = 0, store = storers, scales = warp>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 8, registers = [40, 232], group = 8, in_flight = 0, turns = 3, store = storers, scales = warp>,
    #qtile.schedule<tile = [128, 256], consumers = 2, stages = 8, registers = [24, 240], group = 8, in_flight = 0, turns = 3, store = storers, scales = warp>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 8, registers = [40, 232], group = 8, in_flight = 0, turns = 3, store = storers, scales = warp>,
    #qtile.schedule<tile = [256, 256], consumers = 2, stages = 8, registers = [24, 240], group = 8, in_flight = 0, turns = 3, store = storers, scales = warp>]
}
