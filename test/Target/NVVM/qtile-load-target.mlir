// RUN: fp8-opt %s --qtile-load-target --split-input-file | FileCheck %s
//
// A target that ships is put into the module, once.

// CHECK: qtile.target @sm_90a "Hopper: H100 and H200" chip "sm_90a"
// CHECK-SAME: processors = 132
// CHECK-SAME: <64x256x32, step = 8, f8E4M3FN, f8E5M2, f32
// CHECK-SAME: <64x256x16, step = 8, bf16, bf16, f32
module {
}

// -----

// One that is there already stays.
// CHECK: qtile.target @sm_90a chip "sm_90a" {{.*}}<processors = 114
// CHECK-NOT: qtile.target
qtile.target @sm_90a chip "sm_90a" features "+ptx88"
  limits #qtile.limits<processors = 114, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
  instructions []
