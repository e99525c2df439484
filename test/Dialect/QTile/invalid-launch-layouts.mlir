// What the tensors of a launch must be, by what the op in the kernel reads and writes at its pointers: an engine checks none of it.
//
// RUN: fp8-opt %s --split-input-file --verify-diagnostics

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
qtile.kernel @gemm(%a: !qtile.global<f8E4M3FN>, %as: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %bs: !qtile.global<f32>, %c: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %as, %b as block_128x128 by %bs into %c sizes(%m, %n, %k) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
!a = tensor<1x16x128xi8, #qtile.stored<panels of 7x33>>
!as = tensor<1x8xf32, #qtile.stored<block_1x128 of 7x1>>
!b = tensor<1x32x128xi8, #qtile.stored<panels of 19x33>>
!bs = tensor<1x4xf32, #qtile.stored<block_128x128 of 1x1>>
func.func @right(%a: !a, %as: !as, %b: !b, %bs: !bs) -> tensor<7x19xbf16> {
  %m = arith.constant 7 : i32
  %n = arith.constant 19 : i32
  %k = arith.constant 33 : i32
  %c = qtile.launch @gemm(%a, %as, %b, %bs) sizes(%m, %n, %k) tied [-1] : (!a, !as, !b, !bs) -> tensor<7x19xbf16>
  return %c : tensor<7x19xbf16>
}

// -----

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
qtile.kernel @gemm(%a: !qtile.global<f8E4M3FN>, %as: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %bs: !qtile.global<f32>, %c: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %as, %b as block_128x128 by %bs into %c sizes(%m, %n, %k) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
!a = tensor<1x16x128xi8, #qtile.stored<panels of 7x33>>
!as = tensor<1x8xf32, #qtile.stored<block_1x128 of 7x1>>
!b = tensor<1x32x128xi8, #qtile.stored<panels of 19x33>>
!bs = tensor<1x4xf32, #qtile.stored<block_128x128 of 1x1>>
func.func @operands_exchanged(%a: !a, %as: !as, %b: !b, %bs: !bs) -> tensor<7x19xbf16> {
  %m = arith.constant 7 : i32
  %n = arith.constant 19 : i32
  %k = arith.constant 33 : i32
  // expected-error @+1 {{expected size 0 of argument 0 of @gemm to be 7, as the sizes of the launch say, got 19}}
  %c = qtile.launch @gemm(%b, %as, %a, %bs) sizes(%m, %n, %k) tied [-1] : (!b, !as, !a, !bs) -> tensor<7x19xbf16>
  return %c : tensor<7x19xbf16>
}

// -----

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
qtile.kernel @gemm(%a: !qtile.global<f8E4M3FN>, %as: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %bs: !qtile.global<f32>, %c: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %as, %b as block_128x128 by %bs into %c sizes(%m, %n, %k) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
!a = tensor<1x16x128xi8, #qtile.stored<panels of 7x33>>
!as = tensor<1x8xf32, #qtile.stored<block_1x128 of 7x1>>
!b = tensor<1x32x128xi8, #qtile.stored<panels of 19x33>>
!bs = tensor<1x4xf32, #qtile.stored<block_128x128 of 1x1>>
func.func @scales_exchanged(%a: !a, %as: !as, %b: !b, %bs: !bs) -> tensor<7x19xbf16> {
  %m = arith.constant 7 : i32
  %n = arith.constant 19 : i32
  %k = arith.constant 33 : i32
  // expected-error @+1 {{expected a tensor stored as block_1x128 for argument 1 of @gemm, got one stored as block_128x128}}
  %c = qtile.launch @gemm(%a, %bs, %b, %as) sizes(%m, %n, %k) tied [-1] : (!a, !bs, !b, !as) -> tensor<7x19xbf16>
  return %c : tensor<7x19xbf16>
}

// -----

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
qtile.kernel @gemm(%a: !qtile.global<f8E4M3FN>, %as: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %bs: !qtile.global<f32>, %c: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %as, %b as block_128x128 by %bs into %c sizes(%m, %n, %k) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
!a = tensor<1x16x128xi8, #qtile.stored<panels of 7x33>>
!as = tensor<1x8xf32, #qtile.stored<block_1x128 of 7x1>>
!b = tensor<1x32x128xi8, #qtile.stored<panels of 19x33>>
!bs = tensor<1x4xf32, #qtile.stored<block_128x128 of 1x1>>
func.func @sizes_exchanged(%a: !a, %as: !as, %b: !b, %bs: !bs) -> tensor<7x19xbf16> {
  %m = arith.constant 7 : i32
  %n = arith.constant 19 : i32
  %k = arith.constant 33 : i32
  // expected-error @+1 {{expected size 0 of argument 0 of @gemm to be 33, as the sizes of the launch say, got 7}}
  %c = qtile.launch @gemm(%a, %as, %b, %bs) sizes(%k, %n, %m) tied [-1] : (!a, !as, !b, !bs) -> tensor<7x19xbf16>
  return %c : tensor<7x19xbf16>
}

// -----

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
qtile.kernel @gemm(%a: !qtile.global<f8E4M3FN>, %as: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %bs: !qtile.global<f32>, %c: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %as, %b as block_128x128 by %bs into %c sizes(%m, %n, %k) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
!a = tensor<1x16x128xi8, #qtile.stored<panels of 7x33>>
!as = tensor<1x8xf32, #qtile.stored<block_1x128 of 7x1>>
!b = tensor<1x32x128xi8, #qtile.stored<panels of 19x33>>
!bs = tensor<1x4xf32, #qtile.stored<block_128x128 of 1x1>>
func.func @result(%a: !a, %as: !as, %b: !b, %bs: !bs) -> tensor<7x20xbf16> {
  %m = arith.constant 7 : i32
  %n = arith.constant 19 : i32
  %k = arith.constant 33 : i32
  // expected-error @+1 {{expected size 1 of argument 4 of @gemm to be 19, as the sizes of the launch say, got 20}}
  %c = qtile.launch @gemm(%a, %as, %b, %bs) sizes(%m, %n, %k) tied [-1] : (!a, !as, !b, !bs) -> tensor<7x20xbf16>
  return %c : tensor<7x20xbf16>
}

// -----

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
qtile.kernel @gemm(%a: !qtile.global<f8E4M3FN>, %as: !qtile.global<f32>, %b: !qtile.global<f8E4M3FN>, %bs: !qtile.global<f32>, %c: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %a as block_1x128 by %as, %b as block_128x128 by %bs into %c sizes(%m, %n, %k) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
!a = tensor<7x33xi8>
!as = tensor<1x8xf32, #qtile.stored<block_1x128 of 7x1>>
!b = tensor<1x32x128xi8, #qtile.stored<panels of 19x33>>
!bs = tensor<1x4xf32, #qtile.stored<block_128x128 of 1x1>>
func.func @row_major(%a: !a, %as: !as, %b: !b, %bs: !bs) -> tensor<7x19xbf16> {
  %m = arith.constant 7 : i32
  %n = arith.constant 19 : i32
  %k = arith.constant 33 : i32
  // expected-error @+1 {{expected a tensor stored as panels for argument 0 of @gemm, got one stored as row major}}
  %c = qtile.launch @gemm(%a, %as, %b, %bs) sizes(%m, %n, %k) tied [-1] : (!a, !as, !b, !bs) -> tensor<7x19xbf16>
  return %c : tensor<7x19xbf16>
}

// -----

// Along columns and along rows.
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.kernel @quantize(%x: !qtile.global<bf16>, %c: !qtile.global<f8E4M3FN>, %cs: !qtile.global<f32>, %r: !qtile.global<f8E4M3FN>, %rs: !qtile.global<f32>, %rows: i32, %columns: i32) on @sm_90a {
  qtile.quantize %x sizes(%rows, %columns) by #row along_columns(%c, %cs : !qtile.global<f8E4M3FN>) along_rows(%r, %rs : !qtile.global<f8E4M3FN>) : !qtile.global<bf16>
  qtile.return
}
!columns = tensor<1x16x128xi8, #qtile.stored<panels of 7x33>>
!column_scales = tensor<1x8xf32, #qtile.stored<block_1x128 of 7x1>>
!rows = tensor<1x48x128xi8, #qtile.stored<panels of 33x7>>
!row_scales = tensor<1x36xf32, #qtile.stored<block_1x128 of 33x1>>
func.func @orientations(%x: tensor<7x33xbf16>) {
  %rows = arith.constant 7 : i32
  %columns = arith.constant 33 : i32
  // expected-error @+1 {{expected size 0 of argument 1 of @quantize to be 7, as the sizes of the launch say, got 33}}
  %q:4 = qtile.launch @quantize(%x) sizes(%rows, %columns) tied [-1, -1, -1, -1] : (tensor<7x33xbf16>) -> (!rows, !row_scales, !columns, !column_scales)
  return
}

// -----

// What is known is held against what is known.
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.kernel @quantize(%x: !qtile.global<bf16>, %c: !qtile.global<f8E4M3FN>, %cs: !qtile.global<f32>, %r: !qtile.global<f8E4M3FN>, %rs: !qtile.global<f32>, %rows: i32, %columns: i32) on @sm_90a {
  qtile.quantize %x sizes(%rows, %columns) by #row along_columns(%c, %cs : !qtile.global<f8E4M3FN>) along_rows(%r, %rs : !qtile.global<f8E4M3FN>) : !qtile.global<bf16>
  qtile.return
}
!columns = tensor<1x16x128xi8, #qtile.stored<panels of 7x33>>
!column_scales = tensor<1x8xf32, #qtile.stored<block_1x128 of 7x1>>
!rows = tensor<1x48x128xi8, #qtile.stored<panels of 33x7>>
!row_scales = tensor<1x36xf32, #qtile.stored<block_1x128 of 33x1>>
func.func @dynamic(%x: tensor<?x33xbf16>, %rows: i32, %i: index, %j: index) {
  %columns = arith.constant 34 : i32
  // expected-error @+1 {{expected size 1 of argument 0 of @quantize to be 34, as the sizes of the launch say, got 33}}
  %q:4 = qtile.launch @quantize(%x) sizes(%rows, %columns) tied [-1, -1, -1, -1] : (tensor<?x33xbf16>) -> (!columns, !column_scales, !rows, !row_scales)
  return
}

// -----

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
qtile.kernel @dequantize(%c: !qtile.global<f8E4M3FN>, %s: !qtile.global<f32>, %x: !qtile.global<bf16>, %rows: i32, %columns: i32) on @sm_90a {
  qtile.dequantize %c by %s as #row along rows sizes(%rows, %columns) into %x : !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
func.func @along(%c: tensor<1x16x128xi8, #qtile.stored<panels of 7x33>>, %s: tensor<1x8xf32, #qtile.stored<block_1x128 of 7x1>>) {
  %rows = arith.constant 7 : i32
  %columns = arith.constant 33 : i32
  // expected-error @+1 {{expected size 0 of argument 0 of @dequantize to be 33, as the sizes of the launch say, got 7}}
  %x = qtile.launch @dequantize(%c, %s) sizes(%rows, %columns) tied [-1] : (tensor<1x16x128xi8, #qtile.stored<panels of 7x33>>, tensor<1x8xf32, #qtile.stored<block_1x128 of 7x1>>) -> tensor<7x33xbf16>
  return
}
