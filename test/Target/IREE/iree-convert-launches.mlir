// Launches as IREE's extern dispatches, in their generic form: bindings in the order of the kernel's pointers, constants
// behind them, threads and shared memory of the kernel.
//
// RUN: split-file %s %t
// RUN: fp8-opt %t/graph.mlir --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm --qtile-expand-quantize --qtile-plan-rings --iree-convert-launches --allow-unregistered-dialect | FileCheck %s
// RUN: not fp8-opt %t/graph.mlir --qtile-load-target --qtile-choose-schedule --qtile-expand-gemm --qtile-expand-quantize --qtile-plan-rings --iree-convert-launches 2>&1 | FileCheck %s --check-prefix=UNREGISTERED
// RUN: not fp8-opt %t/graph.mlir --qtile-load-target --iree-convert-launches --allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix=EARLY

// UNREGISTERED: error: expected a context that takes IREE's ops, which are not linked (allow-unregistered-dialect)
// EARLY: error: 'qtile.launch' op expected a kernel whose threads are written, got @amax that says what it computes; run qtile-expand-gemm and qtile-expand-quantize

// CHECK-NOT: qtile

// The cell is written in place: its binding is not read alone, and the result is tied to argument 1.
// CHECK-LABEL: func.func @tied
// CHECK: "hal.dispatch.extern"(%{{.*}}, %{{.*}}, %arg0, %arg1, %arg2, %arg3)
// CHECK-SAME: export_name = "amax"
// CHECK-SAME: layout = #hal.pipeline.layout<constants = 2, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>
// CHECK-SAME: operandSegmentSizes = array<i32: 2, 4, 0, 0>
// CHECK-SAME: target_objects = {{\[\[}}#hal.executable.object<{path = "amax.cubin"}>]]
// CHECK-SAME: tied_operands = [1 : index]
// CHECK-SAME: workgroup_local_memory = {{[0-9]+}} : index, workgroup_size = [256 : index, 1 : index, 1 : index]
// CHECK: ^bb0(%{{.*}}: !hal.device, %{{.*}}: index, %{{.*}}: index):
// CHECK: "hal.return"(%{{.*}}, %{{.*}}, %{{.*}}) : (index, index, index) -> ()

// Dynamic sizes of arguments and of results follow the arguments.
// CHECK-LABEL: func.func @dynamic
// CHECK: "hal.dispatch.extern"(%{{.*}}, %{{.*}}, %arg0, %arg1, %arg2, %{{.*}}, %arg3, %arg4)
// CHECK-SAME: operandSegmentSizes = array<i32: 2, 3, 1, 2>
// CHECK-SAME: tied_operands = [-1 : index, -1 : index]
// CHECK: -> (tensor<8x?x128xi8>, tensor<8x?xf32>)

// A kernel of roles has a block for each processor, and its shared memory.
// CHECK-LABEL: func.func @product
// CHECK: "hal.dispatch.extern"
// CHECK-SAME: constants = 3
// CHECK-SAME: workgroup_size = [384 : index, 1 : index, 1 : index]
// CHECK: arith.constant 132 : index

// Matrices of a batch are a constant before the others, and a factor of the blocks.
// CHECK-LABEL: func.func @batch
// CHECK: "hal.dispatch.extern"(%{{.*}}, %{{.*}}, %{{.*}}, %arg0, %arg1, %arg2, %arg3)
// CHECK-SAME: constants = 3
// CHECK-SAME: operandSegmentSizes = array<i32: 3, 4, 0, 0>
// CHECK: ^bb0(%{{.*}}: !hal.device, %[[MATRICES:.*]]: index, %{{.*}}: index, %{{.*}}: index):
// CHECK: %[[BLOCKS:.*]] = arith.muli %{{.*}}, %[[MATRICES]]
// CHECK: "hal.return"(%[[BLOCKS]],
// CHECK: -> (tensor<4x8x256x128xi8>, tensor<4x8x256xf32>)

// How many rows a block has depends on how long they are: blocks are divided by a function of the columns.
// CHECK-LABEL: func.func @rows
// CHECK: ^bb0(%{{.*}}: !hal.device, %[[ROWS:.*]]: index, %[[COLUMNS:.*]]: index):
// CHECK: arith.addi %[[COLUMNS]], %{{.*}} : index
// CHECK: arith.divsi
// CHECK: "hal.return"(

//--- graph.mlir
qtile.kernel @amax(%x: !qtile.global<bf16>, %cell: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) by #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]> into %cell : !qtile.global<bf16>
  qtile.return
}
qtile.kernel @quantize(%x: !qtile.global<bf16>, %codes: !qtile.global<f8E4M3FN>, %scales: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.quantize %x sizes(%m, %n) by #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
    along_columns(%codes, %scales : !qtile.global<f8E4M3FN>) : !qtile.global<bf16>
  qtile.return
}
qtile.kernel @quantize_batch(%x: !qtile.global<bf16>, %codes: !qtile.global<f8E4M3FN>, %scales: !qtile.global<f32>, %e: i32, %m: i32, %n: i32) on @sm_90a {
  qtile.quantize %x sizes(%m, %n) in batch(%e) by #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
    along_columns(%codes, %scales : !qtile.global<f8E4M3FN>) : !qtile.global<bf16>
  qtile.return
}
qtile.kernel @quantize_rows(%x: !qtile.global<bf16>, %codes: !qtile.global<f8E4M3FN>, %scales: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.quantize %x sizes(%m, %n) by #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
    along_columns(%codes, %scales : !qtile.global<f8E4M3FN>) : !qtile.global<bf16>
  qtile.return
}
qtile.kernel @gemm(%a: !qtile.global<f8E4M3FN>, %b: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as none, %b as none into %d sizes(%m, %n, %k) likely [8192, 8192, 8192]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
func.func @tied(%x: tensor<256x1024xbf16>, %zero: tensor<f32>, %m: i32, %n: i32) -> tensor<f32> {
  %amax = qtile.launch @amax(%x, %zero) sizes(%m, %n) tied [1] : (tensor<256x1024xbf16>, tensor<f32>) -> tensor<f32>
  return %amax : tensor<f32>
}
func.func @dynamic(%x: tensor<?x1000xbf16>, %m: i32, %n: i32, %rows: index, %scales: index) {
  %q:2 = qtile.launch @quantize(%x) sizes(%m, %n) shapes(%rows, %scales) tied [-1, -1] : (tensor<?x1000xbf16>)
    -> (tensor<8x?x128xi8, #qtile.stored<panels of ?x1000>>, tensor<8x?xf32, #qtile.stored<block_1x128 of ?x8>>)
  return
}
func.func @product(%a: tensor<8x256x128xi8, #qtile.stored<panels of 256x1000>>, %m: i32) -> tensor<256x256xbf16> {
  %d = qtile.launch @gemm(%a, %a) sizes(%m, %m, %m) tied [-1]
    : (tensor<8x256x128xi8, #qtile.stored<panels of 256x1000>>, tensor<8x256x128xi8, #qtile.stored<panels of 256x1000>>) -> tensor<256x256xbf16>
  return %d : tensor<256x256xbf16>
}
func.func @batch(%x: tensor<4x256x1000xbf16>, %e: i32, %m: i32, %n: i32) {
  %q:2 = qtile.launch @quantize_batch(%x) sizes(%e, %m, %n) tied [-1, -1] : (tensor<4x256x1000xbf16>)
    -> (tensor<4x8x256x128xi8, #qtile.stored<panels of 4x256x1000>>, tensor<4x8x256xf32, #qtile.stored<block_1x128 of 4x256x8>>)
  return
}
func.func @rows(%x: tensor<256x1000xbf16>, %m: i32, %n: i32) {
  %q:2 = qtile.launch @quantize_rows(%x) sizes(%m, %n) tied [-1, -1] : (tensor<256x1000xbf16>)
    -> (tensor<8x256x128xi8, #qtile.stored<panels of 256x1000>>, tensor<256xf32>)
  return
}
