// Launches and stored tensors: their spelling, in text and in bytecode.
//
// RUN: fp8-opt %s | fp8-opt | FileCheck %s
// RUN: fp8-opt %s --emit-bytecode | fp8-opt | FileCheck %s

qtile.kernel @amax(%x: !qtile.global<bf16>, %cell: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) by #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]> into %cell : !qtile.global<bf16>
  qtile.return
}

qtile.kernel @quantize(%x: !qtile.global<bf16>, %codes: !qtile.global<f8E4M3FN>, %scales: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.quantize %x sizes(%m, %n) by #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
    along_columns(%codes, %scales : !qtile.global<f8E4M3FN>) : !qtile.global<bf16>
  qtile.return
}

// CHECK-LABEL: func @tied
// CHECK: qtile.launch @amax(%{{.*}}, %{{.*}}) sizes(%{{.*}}, %{{.*}}) tied [1] : (tensor<256x1024xbf16>, tensor<f32>) -> tensor<f32>
func.func @tied(%x: tensor<256x1024xbf16>, %zero: tensor<f32>, %m: i32, %n: i32) -> tensor<f32> {
  %amax = qtile.launch @amax(%x, %zero) sizes(%m, %n) tied [1] : (tensor<256x1024xbf16>, tensor<f32>) -> tensor<f32>
  return %amax : tensor<f32>
}

// Rows are padded to 16, 1000 codes are 8 panels; scales lie by block, rows padded to 4.
// CHECK-LABEL: func @stored
// CHECK: -> (tensor<8x256x128xi8, #qtile.stored<panels of 250x1000>>, tensor<8x252xf32, #qtile.stored<block_1x128 of 250x8>>)
func.func @stored(%x: tensor<250x1000xbf16>, %m: i32, %n: i32) {
  %q:2 = qtile.launch @quantize(%x) sizes(%m, %n) tied [-1, -1] : (tensor<250x1000xbf16>)
    -> (tensor<8x256x128xi8, #qtile.stored<panels of 250x1000>>, tensor<8x252xf32, #qtile.stored<block_1x128 of 250x8>>)
  return
}

// CHECK-LABEL: func @dynamic
// CHECK: shapes(%{{.*}}, %{{.*}}) tied
// CHECK-SAME: -> (tensor<8x?x128xi8, #qtile.stored<panels of ?x1000>>, tensor<8x?xf32, #qtile.stored<block_1x128 of ?x8>>)
func.func @dynamic(%x: tensor<?x1000xbf16>, %m: i32, %n: i32, %rows: index, %scales: index) {
  %q:2 = qtile.launch @quantize(%x) sizes(%m, %n) shapes(%rows, %scales) tied [-1, -1] : (tensor<?x1000xbf16>)
    -> (tensor<8x?x128xi8, #qtile.stored<panels of ?x1000>>, tensor<8x?xf32, #qtile.stored<block_1x128 of ?x8>>)
  return
}

// Batches are outermost.
// CHECK-LABEL: func private @batched
// CHECK-SAME: tensor<3x2x16x128xi8, #qtile.stored<panels of 3x5x200>>
func.func private @batched(tensor<3x2x16x128xi8, #qtile.stored<panels of 3x5x200>>)
