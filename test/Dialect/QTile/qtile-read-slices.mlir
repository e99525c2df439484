// RUN: fp8-opt %s --qtile-load-target --qtile-read-slices --split-input-file | FileCheck %s
// RUN: fp8-opt %s --qtile-load-target --qtile-read-slices --qtile-expand-quantize --split-input-file -o /dev/null

// The weights of a layer are read where they lie among those of all layers; so is a row of a table of them.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
// CHECK-LABEL: qtile.kernel @quantize(
// CHECK-SAME:    %[[X:.*]]: !qtile.global<bf16>, %{{.*}}, %{{.*}}, %{{.*}}: i32, %{{.*}}: i32, %[[NUMBER:.*]]: i32)
// CHECK-DAG:     %[[WIDE:.*]] = arith.extui %[[NUMBER]] : i32 to i64
// CHECK-DAG:     %[[SIZE:.*]] = arith.constant 49152 : i64
// CHECK:         %[[OFFSET:.*]] = arith.muli %[[WIDE]], %[[SIZE]]
// CHECK:         %[[PART:.*]] = qtile.from %[[X]][%[[OFFSET]]]
// CHECK:         qtile.quantize %[[PART]] sizes
qtile.kernel @quantize(%x: !qtile.global<bf16>, %codes: !qtile.global<f8E4M3FN>, %scales: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.quantize %x sizes(%m, %n) by #fp8 along_columns(%codes, %scales : !qtile.global<f8E4M3FN>) : !qtile.global<bf16>
  qtile.return
}
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %[[W:.*]]: tensor<4x128x384xbf16>, %[[LAYER:.*]]: index
!codes = tensor<3x128x128xi8, #qtile.stored<panels of 128x384>>
!scales = tensor<3x128xf32, #qtile.stored<block_1x128 of 128x3>>
func.func @main(%w: tensor<4x128x384xbf16>, %layer: index, %m: i32, %n: i32) -> (!codes, !scales) {
  %slice = tensor.extract_slice %w[%layer, 0, 0] [1, 128, 384] [1, 1, 1] : tensor<4x128x384xbf16> to tensor<1x128x384xbf16>
  %matrix = tensor.collapse_shape %slice [[0, 1], [2]] : tensor<1x128x384xbf16> into tensor<128x384xbf16>
  // CHECK-NOT: tensor.extract_slice
  // CHECK: %[[I:.*]] = arith.index_cast %[[LAYER]] : index to i32
  // CHECK: qtile.launch @quantize(%[[W]]) sizes(%{{.*}}, %{{.*}}, %[[I]]) tied [-1, -1] : (tensor<4x128x384xbf16>)
  %0:2 = qtile.launch @quantize(%matrix) sizes(%m, %n) tied [-1, -1] : (tensor<128x384xbf16>) -> (!codes, !scales)
  return %0#0, %0#1 : !codes, !scales
}

// -----

// Two leading dimensions make one number; a launch that is not of a slice keeps the kernel as it was.

// CHECK-LABEL: qtile.kernel @amax(
// CHECK-NOT:     qtile.from
// CHECK:       func.func @experts
// CHECK-SAME:    %[[W:.*]]: tensor<?x8x16x32xbf16>, %[[LAYER:.*]]: index, %[[EXPERT:.*]]: index,
// CHECK:         %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK:         %[[BEFORE:.*]] = arith.muli %[[LAYER]], %[[EIGHT]]
// CHECK:         %[[NUMBER:.*]] = arith.addi %[[BEFORE]], %[[EXPERT]]
// CHECK:         %[[I:.*]] = arith.index_cast %[[NUMBER]] : index to i32
// CHECK:         qtile.launch @[[OTHER:amax_.*]](%[[W]], %{{.*}}) sizes(%{{.*}}, %{{.*}}, %[[I]]) tied [1]
// CHECK:         qtile.launch @amax(%{{.*}}, %{{.*}}) sizes(%{{[^,]*}}, %{{[^,]*}}) tied [1]
// CHECK:       qtile.kernel @[[OTHER]](
// CHECK:         qtile.from
qtile.kernel @amax(%x: !qtile.global<bf16>, %cell: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) by #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]> into %cell : !qtile.global<bf16>
  qtile.return
}
func.func @experts(%w: tensor<?x8x16x32xbf16>, %layer: index, %expert: index, %x: tensor<16x32xbf16>, %m: i32, %n: i32) -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %slice = tensor.extract_slice %w[%layer, %expert, 0, 0] [1, 1, 16, 32] [1, 1, 1, 1] : tensor<?x8x16x32xbf16> to tensor<16x32xbf16>
  %0 = qtile.launch @amax(%slice, %zero) sizes(%m, %n) tied [1] : (tensor<16x32xbf16>, tensor<f32>) -> tensor<f32>
  %1 = qtile.launch @amax(%x, %zero) sizes(%m, %n) tied [1] : (tensor<16x32xbf16>, tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// -----

// Left: columns of a matrix, which do not lie in one piece; parts of 14 bytes; sizes that are not known.

// CHECK-LABEL: qtile.kernel @amax(
// CHECK-NOT:     qtile.from
// CHECK:       func.func @left
// CHECK-COUNT-3: tensor.extract_slice
qtile.kernel @amax(%x: !qtile.global<bf16>, %cell: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) by #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]> into %cell : !qtile.global<bf16>
  qtile.return
}
func.func @left(%w: tensor<4x16x32xbf16>, %v: tensor<4x1x7xbf16>, %u: tensor<4x?x8xbf16>, %i: index, %d: index, %m: i32, %n: i32) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %columns = tensor.extract_slice %w[%i, 0, 8] [1, 16, 16] [1, 1, 1] : tensor<4x16x32xbf16> to tensor<16x16xbf16>
  %0 = qtile.launch @amax(%columns, %zero) sizes(%m, %n) tied [1] : (tensor<16x16xbf16>, tensor<f32>) -> tensor<f32>
  %short = tensor.extract_slice %v[%i, 0, 0] [1, 1, 7] [1, 1, 1] : tensor<4x1x7xbf16> to tensor<1x7xbf16>
  %1 = qtile.launch @amax(%short, %zero) sizes(%m, %n) tied [1] : (tensor<1x7xbf16>, tensor<f32>) -> tensor<f32>
  %unknown = tensor.extract_slice %u[%i, 0, 0] [1, %d, 8] [1, 1, 1] : tensor<4x?x8xbf16> to tensor<?x8xbf16>
  %2 = qtile.launch @amax(%unknown, %zero) sizes(%m, %n) tied [1] : (tensor<?x8xbf16>, tensor<f32>) -> tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// So does a launch before it.

// CHECK-LABEL: qtile.kernel @amax(
// CHECK-NOT:     qtile.from
// CHECK:       func.func @before
// CHECK:         qtile.launch @amax(%{{.*}}, %{{.*}}) sizes(%{{[^,]*}}, %{{[^,]*}}) tied [1]
// CHECK:         qtile.launch @[[OTHER:amax_.*]](%{{.*}}, %{{.*}}) sizes(%{{.*}}, %{{.*}}, %{{.*}}) tied [1]
// CHECK:       qtile.kernel @[[OTHER]](
// CHECK:         qtile.from
qtile.kernel @amax(%x: !qtile.global<bf16>, %cell: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) by #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]> into %cell : !qtile.global<bf16>
  qtile.return
}
func.func @before(%w: tensor<4x16x32xbf16>, %layer: index, %x: tensor<16x32xbf16>, %m: i32, %n: i32) -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = qtile.launch @amax(%x, %zero) sizes(%m, %n) tied [1] : (tensor<16x32xbf16>, tensor<f32>) -> tensor<f32>
  %slice = tensor.extract_slice %w[%layer, 0, 0] [1, 16, 32] [1, 1, 1] : tensor<4x16x32xbf16> to tensor<16x32xbf16>
  %1 = qtile.launch @amax(%slice, %zero) sizes(%m, %n) tied [1] : (tensor<16x32xbf16>, tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
