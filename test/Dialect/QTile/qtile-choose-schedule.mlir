// RUN: fp8-opt %s --qtile-load-target --qtile-choose-schedule | FileCheck %s
//
// The schedules that were fastest when measured on an H200 come out, for each kind of product.

// Blocks of 128 along the contraction. 2112 columns are 11 tiles of 192: 3 rounds of 132 processors, as with wider tiles that take longer.
// CHECK: qtile.kernel @block_8192_8192_8192({{.*}}schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>
qtile.kernel @block_8192_8192_8192(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @block_4096_2112_7168({{.*}}schedule #qtile.schedule<tile = [128, 192], consumers = 2, stages = 4, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>
qtile.kernel @block_4096_2112_7168(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [4096, 2112, 7168]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @block_4096_24576_1536({{.*}}schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>
qtile.kernel @block_4096_24576_1536(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [4096, 24576, 1536]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @block_4096_32768_512({{.*}}schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>
qtile.kernel @block_4096_32768_512(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [4096, 32768, 512]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @block_4096_7168_16384({{.*}}schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>
qtile.kernel @block_4096_7168_16384(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [4096, 7168, 16384]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @block_4096_4096_7168({{.*}}schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>
qtile.kernel @block_4096_4096_7168(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [4096, 4096, 7168]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @block_4096_7168_2048({{.*}}schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>
qtile.kernel @block_4096_7168_2048(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [4096, 7168, 2048]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @block_8192_6144_4096({{.*}}schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>
qtile.kernel @block_8192_6144_4096(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [8192, 6144, 4096]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @block_8192_4096_4096({{.*}}schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>
qtile.kernel @block_8192_4096_4096(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [8192, 4096, 4096]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @block_8192_28672_4096({{.*}}schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>
qtile.kernel @block_8192_28672_4096(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [8192, 28672, 4096]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @block_8192_4096_14336({{.*}}schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>
qtile.kernel @block_8192_4096_14336(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [8192, 4096, 14336]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// One scale: sums stay in the accumulators. 2112 columns are 12 tiles of 176.
// CHECK: qtile.kernel @tensor_8192_8192_8192({{.*}}schedule #qtile.schedule<tile = [128, 192], consumers = 2, stages = 4, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load, order = pingpong>
qtile.kernel @tensor_8192_8192_8192(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %sa into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @tensor_4096_2112_7168({{.*}}schedule #qtile.schedule<tile = [128, 176], consumers = 2, stages = 4, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load, order = pingpong>
qtile.kernel @tensor_4096_2112_7168(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %sa into %d sizes(%m, %n, %k) likely [4096, 2112, 7168]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @tensor_4096_24576_1536({{.*}}schedule #qtile.schedule<tile = [128, 176], consumers = 2, stages = 4, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load, order = pingpong>
qtile.kernel @tensor_4096_24576_1536(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %sa into %d sizes(%m, %n, %k) likely [4096, 24576, 1536]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @tensor_4096_32768_512({{.*}}schedule #qtile.schedule<tile = [128, 192], consumers = 2, stages = 4, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load, order = pingpong>
qtile.kernel @tensor_4096_32768_512(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %sa into %d sizes(%m, %n, %k) likely [4096, 32768, 512]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @tensor_4096_7168_16384({{.*}}schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 3, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>
qtile.kernel @tensor_4096_7168_16384(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %sa into %d sizes(%m, %n, %k) likely [4096, 7168, 16384]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @tensor_4096_4096_7168({{.*}}schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 3, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>
qtile.kernel @tensor_4096_4096_7168(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %sa into %d sizes(%m, %n, %k) likely [4096, 4096, 7168]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @tensor_4096_7168_2048({{.*}}schedule #qtile.schedule<tile = [128, 176], consumers = 2, stages = 4, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load, order = pingpong>
qtile.kernel @tensor_4096_7168_2048(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %sa into %d sizes(%m, %n, %k) likely [4096, 7168, 2048]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @tensor_8192_6144_4096({{.*}}schedule #qtile.schedule<tile = [128, 176], consumers = 2, stages = 4, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load, order = pingpong>
qtile.kernel @tensor_8192_6144_4096(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %sa into %d sizes(%m, %n, %k) likely [8192, 6144, 4096]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @tensor_8192_4096_4096({{.*}}schedule #qtile.schedule<tile = [128, 128], consumers = 2, stages = 6, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load, order = pingpong>
qtile.kernel @tensor_8192_4096_4096(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %sa into %d sizes(%m, %n, %k) likely [8192, 4096, 4096]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @tensor_8192_28672_4096({{.*}}schedule #qtile.schedule<tile = [128, 192], consumers = 2, stages = 4, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load, order = pingpong>
qtile.kernel @tensor_8192_28672_4096(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %sa into %d sizes(%m, %n, %k) likely [8192, 28672, 4096]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @tensor_8192_4096_14336({{.*}}schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 3, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>
qtile.kernel @tensor_8192_4096_14336(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %sa into %d sizes(%m, %n, %k) likely [8192, 4096, 14336]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// Scales of rows and columns in each block: consumers take turns.
// CHECK: qtile.kernel @column_8192_8192_8192({{.*}}schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [24, 240], group = 8, in_flight = 0, turns = 3, store = storers, scales = warp>
qtile.kernel @column_8192_8192_8192(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_1x128 by %sb into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @column_4096_7168_2048({{.*}}schedule #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [24, 240], group = 8, in_flight = 0, turns = 3, store = storers, scales = warp>
qtile.kernel @column_4096_7168_2048(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %sa, %b as block_1x128 by %sb into %d sizes(%m, %n, %k) likely [4096, 7168, 2048]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// Scales of rows and columns of the result.
// CHECK: qtile.kernel @row_8192_8192_8192({{.*}}schedule #qtile.schedule<tile = [128, 192], consumers = 2, stages = 4, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = warp, order = pingpong>
qtile.kernel @row_8192_8192_8192(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as row by %sa, %b as row by %sb into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @row_4096_7168_2048({{.*}}schedule #qtile.schedule<tile = [128, 176], consumers = 2, stages = 4, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = warp, order = pingpong>
qtile.kernel @row_4096_7168_2048(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as row by %sa, %b as row by %sb into %d sizes(%m, %n, %k) likely [4096, 7168, 2048]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// No scales.
// CHECK: qtile.kernel @none_8192_8192_8192({{.*}}schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 3, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>
qtile.kernel @none_8192_8192_8192(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @none_4096_7168_2048({{.*}}schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 3, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load>
qtile.kernel @none_4096_7168_2048(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) likely [4096, 7168, 2048]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// Without likely sizes a large product is assumed.
// CHECK: qtile.kernel @any({{.*}}schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 3,
qtile.kernel @any(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %sa into %d sizes(%m, %n, %k)
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// Operands of two formats, and of two bytes: 64 elements of the contraction are a stage of the same bytes.
// CHECK: qtile.kernel @mixed({{.*}}schedule #qtile.schedule<tile = [128, 192], consumers = 2, stages = 4, registers = [40, 232], group = 16, in_flight = 1, turns = 0, store = storers, scales = load, order = pingpong>
qtile.kernel @mixed(%a: !qtile.global<f8E5M2>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %sa into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<f8E5M2>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// CHECK: qtile.kernel @wide({{.*}}schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 3,
qtile.kernel @wide(%a: !qtile.global<bf16>, %sa: !qtile.global<f32>, %b: !qtile.global<bf16>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
  qtile.return
}

// Few rows: one consumer, and many stages for what is waiting for memory.
// CHECK: qtile.kernel @few_rows({{.*}}schedule #qtile.schedule<tile = [64, 112], consumers = 1, stages = 8, registers = [40, 248],
qtile.kernel @few_rows(%a: !qtile.global<f8E4M3FN>, %sa: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %sb: !qtile.global<f32>,
    %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as tensor, %b as tensor alpha %sa into %d sizes(%m, %n, %k) likely [128, 7168, 16384]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// Eight products of 512 rows have the tiles of one of 4096; few rows of each ask for tiles of few, and a short part of the contraction
// for no other.
// CHECK: qtile.kernel @batch({{.*}}schedule #qtile.schedule<tile = [128, 256],
// CHECK: qtile.kernel @small_batch({{.*}}schedule #qtile.schedule<tile = [64,
// CHECK: qtile.kernel @small_groups({{.*}}schedule #qtile.schedule<tile = [64,
// CHECK: qtile.kernel @contraction({{.*}}schedule #qtile.schedule<tile = [128, 256],
qtile.kernel @batch(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %g: i32, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) in batch(%g) likely [512, 4096, 7168, 8] : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
qtile.kernel @small_batch(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %g: i32, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) in batch(%g) likely [64, 4096, 7168, 32] : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
qtile.kernel @small_groups(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %o: !qtile.global<i32>, %d: !qtile.global<bf16>, %g: i32, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) in rows(%g by %o) likely [2048, 4096, 7168, 32] : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
qtile.kernel @contraction(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %o: !qtile.global<i32>, %d: !qtile.global<bf16>, %g: i32, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) in contraction(%g by %o) likely [4096, 4096, 8192, 8] : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
