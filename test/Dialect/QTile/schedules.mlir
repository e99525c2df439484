// RUN: fp8-opt %s | fp8-opt | FileCheck %s
// RUN: fp8-opt %s --qtile-choose-schedule=copies=9 | FileCheck %s --check-prefix=COPIES
//
// A module brings its own target with tables of schedules. A row is tried with each number of columns from its own down to the table's,
// and with as many stages as there is room for; a tile that two rows have is the first one's.

// CHECK: qtile.target @mine "For this test" chip "sm_90a"
// CHECK-NEXT: qtile.schedules of block_1x128, block_128x128 stages 3 columns 64 by 64 [#qtile.schedule<tile = [128, 128], consumers = 2, stages = 5,
// CHECK: qtile.schedules of tensor, tensor stages 2 [#qtile.schedule<tile = [128, 64],{{.*}} scales = load>, #qtile.schedule<tile = [64, 64],{{.*}} scales = load, order = pingpong>]
// CHECK: qtile.schedules of none, none stages 2 [
// CHECK: qtile.schedules of none, none row_major stages 2 [
// COPIES-COUNT-2: qtile.kernel @block_{{[0-9]}}({{.*}} stages = 5, {{.*}} group = 8,
// COPIES-NOT: @block_
// COPIES: qtile.kernel @panels_0({{.*}} stages = 4, {{.*}} group = 8,
// COPIES-NEXT: qtile.gemm
// COPIES: qtile.kernel @rows_0({{.*}} stages = 3, {{.*}} group = 16,
qtile.target @mine "For this test" chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  rates #qtile.rates<products = 4096, shared = 128, cache = 6154, issue = 128, stage = 0, handover = 100, tile = 1000>
  instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>,
                #qtile.mma<64x256x16, step = 8, bf16, bf16, f32, threads = 128, asynchronous>] {
  qtile.schedules of block_1x128, block_128x128 stages 3 columns 64 by 64 [
    #qtile.schedule<tile = [128, 128], consumers = 2, stages = 5, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>,
    #qtile.schedule<tile = [128, 64], consumers = 2, stages = 4, registers = [40, 232], group = 4, in_flight = 0, turns = 0, store = storers, scales = load>]
  qtile.schedules of tensor, tensor stages 2 [
    #qtile.schedule<tile = [128, 64], consumers = 2, stages = 4, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load, order = cooperative>,
    #qtile.schedule<tile = [64, 64], consumers = 2, stages = 4, registers = [40, 232], group = 8, in_flight = 1, turns = 0, store = storers, scales = load, order = pingpong>]
  qtile.schedules of none, none stages 2 [
    #qtile.schedule<tile = [128, 64], consumers = 2, stages = 4, registers = [40, 232], group = 8, in_flight = 1, turns = 0, store = storers, scales = load>]
  // Of one scaling there are two kinds: operands in panels, and row major.
  qtile.schedules of none, none row_major stages 2 [
    #qtile.schedule<tile = [128, 64], consumers = 2, stages = 3, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>]
}
qtile.kernel @block(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @mine {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

qtile.kernel @panels(%a: !qtile.global<bf16>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @mine {
  qtile.gemm %a as none, %a as none into %d sizes(%m, %n, %k) : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

qtile.kernel @rows(%a: !qtile.global<bf16>, %d: !qtile.global<bf16>, %maps: !qtile.global<i8>, %m: i32, %n: i32, %k: i32) on @mine {
  qtile.gemm %a as none in transposed, %a as none in row_major into %d maps %maps sizes(%m, %n, %k)
    : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}
