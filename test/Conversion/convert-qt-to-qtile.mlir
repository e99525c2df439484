// Products and their quantizers become launches of kernels, with what lies between them in panels.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile --split-input-file | FileCheck %s

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>

// One launch quantizes x along both its dimensions; each product reads one of them.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<250x1000xbf16>, %[[W:.*]]: tensor<512x1000xbf16>, %[[G:.*]]: tensor<512x250xbf16>)
// CHECK-NOT: qt.
// CHECK: %[[XQ:.*]]:4 = qtile.launch @[[BOTH:.*]](%[[X]]) sizes(%{{.*}}, %{{.*}}) tied [-1, -1, -1, -1] : (tensor<250x1000xbf16>)
// CHECK-SAME: -> (tensor<8x256x128xi8, #qtile.stored<panels of 250x1000>>, tensor<8x252xf32, #qtile.stored<block_1x128 of 250x8>>,
// CHECK-SAME: tensor<2x1008x128xi8, #qtile.stored<panels of 1000x250>>, tensor<2x1000xf32, #qtile.stored<block_1x128 of 1000x2>>)
// CHECK: %[[WQ:.*]]:2 = qtile.launch @[[SQUARE:.*]](%[[W]])
// CHECK-SAME: tensor<4x8xf32, #qtile.stored<block_128x128 of 4x8>>
// CHECK: %[[GQ:.*]]:2 = qtile.launch @[[ROWS:.*]](%[[G]])
// CHECK: %[[Y:.*]] = qtile.launch @[[FPROP:.*]](%[[XQ]]#0, %[[XQ]]#1, %[[WQ]]#0, %[[WQ]]#1) sizes(%{{.*}}) tied [-1]
// CHECK-SAME: -> tensor<250x512xbf16>
// CHECK: %[[DW:.*]] = qtile.launch @[[WGRAD:.*]](%[[GQ]]#0, %[[GQ]]#1, %[[XQ]]#2, %[[XQ]]#3)
// CHECK-SAME: -> tensor<512x1000xbf16>
// CHECK: return %[[Y]], %[[DW]]
//
// CHECK: qtile.kernel @[[FPROP]](%{{.*}}: !qtile.global<f8E4M3FN>, %{{.*}}: !qtile.global<f32>, %{{.*}}: !qtile.global<f8E4M3FN>, %{{.*}}: !qtile.global<f32>, %{{.*}}: !qtile.global<bf16>, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32) on @sm_90a
// CHECK-NEXT: qtile.gemm %{{.*}} as block_1x128 by %{{.*}}, %{{.*}} as block_128x128 by %{{.*}} likely [250, 512, 1000]
// CHECK: qtile.kernel @[[WGRAD]](
// CHECK-NEXT: qtile.gemm %{{.*}} as block_1x128 by %{{.*}}, %{{.*}} as block_1x128 by %{{.*}} likely [512, 1000, 250]
// CHECK: qtile.kernel @[[BOTH]](
// CHECK-NEXT: qtile.quantize {{.*}} along_columns({{.*}}) along_rows({{.*}})
func.func @main(%x: tensor<250x1000xbf16>, %w: tensor<512x1000xbf16>, %g: tensor<512x250xbf16>) -> (tensor<250x512xbf16>, tensor<512x1000xbf16>) {
  %q:2 = qt.multi_quantize %x permutations [[0, 1], [1, 0]] : tensor<250x1000xbf16> to !qt.tensor<250x1000xbf16, #row>, !qt.tensor<1000x250xbf16, #row>
  %wq = qt.quantize %w : tensor<512x1000xbf16> to !qt.tensor<512x1000xbf16, #square>
  %gq = qt.quantize %g : tensor<512x250xbf16> to !qt.tensor<512x250xbf16, #row>
  %y = qt.matmul %q#0, %wq : !qt.tensor<250x1000xbf16, #row>, !qt.tensor<512x1000xbf16, #square> -> tensor<250x512xbf16>
  %dw = qt.matmul %gq, %q#1 : !qt.tensor<512x250xbf16, #row>, !qt.tensor<1000x250xbf16, #row> -> tensor<512x1000xbf16>
  return %y, %dw : tensor<250x512xbf16>, tensor<512x1000xbf16>
}

// -----

// Scales per tensor: our own amax first, into a cell that starts at zero, also where a producer returns one.
//
// CHECK-LABEL: func.func @main
// CHECK-NOT: qt.
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[AMAX:.*]] = qtile.launch @{{.*}}(%[[X:.*]], %[[ZERO]]) {{.*}} tied [1]
// CHECK: qtile.launch @{{.*}}(%[[X]], %[[AMAX]]) {{.*}} -> (tensor<1x32x128xi8, #qtile.stored<panels of 32x64>>, tensor<f32>)
// CHECK: qtile.gemm %{{.*}} as tensor by %{{.*}}, %{{.*}} as tensor by
#e4m3 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#e5m2 = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%x: tensor<32x64xbf16>, %w: tensor<16x64xbf16>, %a: tensor<f32>) -> tensor<32x16xbf16> {
  %q = qt.quantize %x amax(%a : tensor<f32>) : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #e4m3>
  %wq = qt.quantize %w : tensor<16x64xbf16> to !qt.tensor<16x64xbf16, #e5m2>
  %y = qt.matmul %q, %wq : !qt.tensor<32x64xbf16, #e4m3>, !qt.tensor<16x64xbf16, #e5m2> -> tensor<32x16xbf16>
  return %y : tensor<32x16xbf16>
}

// -----

// Heads come together in front of a product: the numbers are transposed, as no kernel transposes codes.
//
// CHECK-LABEL: func.func @main
// CHECK: %[[T:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x4x32x64xbf16>) outs(%{{.*}}) permutation = [0, 2, 1, 3]
// CHECK: %[[M:.*]] = tensor.collapse_shape %[[T]] {{\[}}[0, 1], [2, 3]] : tensor<2x32x4x64xbf16> into tensor<64x256xbf16>
// CHECK: qtile.launch @{{.*}}(%[[M]])
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 64] by fdiv>]>
#all = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @main(%x: tensor<2x4x32x64xbf16>, %w: tensor<16x256xbf16>) -> tensor<64x16xbf16> {
  %t = tensor.empty() : tensor<2x32x4x64xbf16>
  %h = linalg.transpose ins(%x : tensor<2x4x32x64xbf16>) outs(%t : tensor<2x32x4x64xbf16>) permutation = [0, 2, 1, 3]
  %c = tensor.collapse_shape %h [[0, 1], [2, 3]] : tensor<2x32x4x64xbf16> into tensor<64x256xbf16>
  %q = qt.quantize %c : tensor<64x256xbf16> to !qt.tensor<64x256xbf16, #all>
  %wq = qt.quantize %w : tensor<16x256xbf16> to !qt.tensor<16x256xbf16, #all>
  %y = qt.matmul %q, %wq : !qt.tensor<64x256xbf16, #all>, !qt.tensor<16x256xbf16, #all> -> tensor<64x16xbf16>
  return %y : tensor<64x16xbf16>
}

// -----

// What the weight gradient reads is made of the panels that the forward product reads, of its transpose.
//
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<250x1000xbf16>, %{{.*}}: tensor<512x1000xbf16>, %{{.*}}: tensor<512x250xbf16>)
// CHECK-NOT: qt.
// CHECK: %[[XQ:.*]]:2 = qtile.launch @{{.*}}(%[[X]]) {{.*}} -> (tensor<8x256x128xi8, #qtile.stored<panels of 250x1000>>, tensor<8x252xf32, #qtile.stored<block_1x128 of 250x8>>)
// CHECK: %[[ROWS:.*]] = arith.constant 250 : i32
// CHECK: %[[COLUMNS:.*]] = arith.constant 1000 : i32
// CHECK: %[[XT:.*]]:2 = qtile.launch @[[AGAIN:.*]](%[[XQ]]#0, %[[XQ]]#1) sizes(%[[ROWS]], %[[COLUMNS]]) tied [-1, -1]
// CHECK-SAME: -> (tensor<2x1008x128xi8, #qtile.stored<panels of 1000x250>>, tensor<2x1000xf32, #qtile.stored<block_1x128 of 1000x2>>)
// CHECK: qtile.launch @{{.*}}(%[[XQ]]#0, %[[XQ]]#1, %{{.*}}, %{{.*}}) {{.*}} -> tensor<250x512xbf16>
// CHECK: qtile.launch @{{.*}}(%{{.*}}, %{{.*}}, %[[XT]]#0, %[[XT]]#1) {{.*}} -> tensor<512x1000xbf16>
// CHECK: qtile.kernel @[[AGAIN]](
// CHECK-NEXT: qtile.requantize %{{.*}} by %{{.*}} as #[[ROW:.*]] of bf16 sizes(%{{.*}}, %{{.*}}) by #[[ROW]] along_rows(
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv_pow2>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
func.func @main(%x: tensor<250x1000xbf16>, %w: tensor<512x1000xbf16>, %g: tensor<512x250xbf16>) -> (tensor<250x512xbf16>, tensor<512x1000xbf16>) {
  %q = qt.quantize %x : tensor<250x1000xbf16> to !qt.tensor<250x1000xbf16, #row>
  %t = qt.transpose %q permutation = [1, 0] : !qt.tensor<250x1000xbf16, #row> -> !qt.tensor<1000x250xbf16, #column>
  %r = qt.requantize %t : !qt.tensor<1000x250xbf16, #column> to !qt.tensor<1000x250xbf16, #row>
  %wq = qt.quantize %w : tensor<512x1000xbf16> to !qt.tensor<512x1000xbf16, #square>
  %gq = qt.quantize %g : tensor<512x250xbf16> to !qt.tensor<512x250xbf16, #row>
  %y = qt.matmul %q, %wq : !qt.tensor<250x1000xbf16, #row>, !qt.tensor<512x1000xbf16, #square> -> tensor<250x512xbf16>
  %dw = qt.matmul %gq, %r : !qt.tensor<512x250xbf16, #row>, !qt.tensor<1000x250xbf16, #row> -> tensor<512x1000xbf16>
  return %y, %dw : tensor<250x512xbf16>, tensor<512x1000xbf16>
}

// -----

// Codes that are recomputed for a requantizer alone are left in panels for it, from a tensor of any rank; along the rows of its
// matrix, where they are codes of the transpose.
//
// CHECK-LABEL: func.func @main
// CHECK-NOT: qt.
// CHECK: %[[M:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<2x125x1000xbf16> into tensor<250x1000xbf16>
// CHECK: %[[XQ:.*]]:2 = qtile.launch @{{.*}}(%[[M]]) {{.*}} -> (tensor<8x256x128xi8, #qtile.stored<panels of 250x1000>>,
// CHECK: %[[XT:.*]]:2 = qtile.launch @{{.*}}(%[[XQ]]#0, %[[XQ]]#1) {{.*}} -> (tensor<2x1008x128xi8, #qtile.stored<panels of 1000x250>>,
// CHECK: qtile.launch @{{.*}}(%{{.*}}, %{{.*}}, %[[XT]]#0, %[[XT]]#1) {{.*}} -> tensor<512x1000xbf16>
// CHECK: %[[WQ:.*]]:2 = qtile.launch @{{.*}}(%[[W:arg[0-9]]]) {{.*}} -> (tensor<4x1008x128xi8, #qtile.stored<panels of 1000x512>>, tensor<4x1000xf32,
// CHECK: %[[ROWS:.*]] = arith.constant 1000 : i32
// CHECK: %[[COLUMNS:.*]] = arith.constant 512 : i32
// CHECK: %[[WR:.*]]:2 = qtile.launch @{{.*}}(%[[WQ]]#0, %[[WQ]]#1) sizes(%[[ROWS]], %[[COLUMNS]]) {{.*}} -> (tensor<8x512x128xi8, #qtile.stored<panels of 512x1000>>,
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv_pow2>]>
#first = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1, 1] by fdiv_pow2>]>
func.func @main(%x: tensor<2x125x1000xbf16>, %g: tensor<512x250xbf16>, %w: tensor<512x1000xbf16>, %h: tensor<64x1000xbf16>)
    -> (tensor<512x1000xbf16>, tensor<512x64xbf16>) {
  %q = qt.multi_quantize %x permutations [[2, 0, 1]] : tensor<2x125x1000xbf16> to !qt.tensor<1000x2x125xbf16, #first>
  %t = qt.reshape %q [[0], [1, 2]] : !qt.tensor<1000x2x125xbf16, #first> -> !qt.tensor<1000x250xbf16, #column>
  %r = qt.requantize %t : !qt.tensor<1000x250xbf16, #column> to !qt.tensor<1000x250xbf16, #row>
  %gq = qt.quantize %g : tensor<512x250xbf16> to !qt.tensor<512x250xbf16, #row>
  %dw = qt.matmul %gq, %r : !qt.tensor<512x250xbf16, #row>, !qt.tensor<1000x250xbf16, #row> -> tensor<512x1000xbf16>
  %wq = qt.quantize %w : tensor<512x1000xbf16> to !qt.tensor<512x1000xbf16, #column>
  %wr = qt.requantize %wq : !qt.tensor<512x1000xbf16, #column> to !qt.tensor<512x1000xbf16, #row>
  %hq = qt.quantize %h : tensor<64x1000xbf16> to !qt.tensor<64x1000xbf16, #row>
  %y = qt.matmul %wr, %hq : !qt.tensor<512x1000xbf16, #row>, !qt.tensor<64x1000xbf16, #row> -> tensor<512x64xbf16>
  return %dw, %y : tensor<512x1000xbf16>, tensor<512x64xbf16>
}

// -----

// Who else reads numbers of what lies in panels reads them from there: no codes are computed a second time.
//
// CHECK-LABEL: func.func @main
// CHECK-NOT: qt.
// CHECK: %[[XQ:.*]]:2 = qtile.launch @{{.*}}(%{{.*}}) {{.*}} -> (tensor<8x256x128xi8, #qtile.stored<panels of 250x1000>>,
// CHECK: %[[N:.*]] = qtile.launch @[[DECODE:.*]](%[[XQ]]#0, %[[XQ]]#1) {{.*}} tied [-1] : {{.*}} -> tensor<250x1000xbf16>
// CHECK: %[[N3:.*]] = tensor.expand_shape %[[N]] {{\[}}[0, 1], [2]] output_shape [2, 125, 1000]
// CHECK: linalg.transpose ins(%[[N3]] : tensor<2x125x1000xbf16>) {{.*}} permutation = [2, 0, 1]
// CHECK: qtile.kernel @[[DECODE]](
// CHECK-NEXT: qtile.dequantize %{{.*}} by %{{.*}} as #{{.*}} along columns sizes(%{{.*}}, %{{.*}}) into %{{.*}} : !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#first = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1, 1] by fdiv>]>
func.func @main(%x: tensor<2x125x1000xbf16>, %w: tensor<512x1000xbf16>) -> (tensor<250x512xbf16>, tensor<1000x2x125xbf16>) {
  %q = qt.quantize %x : tensor<2x125x1000xbf16> to !qt.tensor<2x125x1000xbf16, #row>
  %c = qt.reshape %q [[0, 1], [2]] : !qt.tensor<2x125x1000xbf16, #row> -> !qt.tensor<250x1000xbf16, #row>
  %wq = qt.quantize %w : tensor<512x1000xbf16> to !qt.tensor<512x1000xbf16, #row>
  %y = qt.matmul %c, %wq : !qt.tensor<250x1000xbf16, #row>, !qt.tensor<512x1000xbf16, #row> -> tensor<250x512xbf16>
  %t = qt.transpose %q permutation = [2, 0, 1] : !qt.tensor<2x125x1000xbf16, #row> -> !qt.tensor<1000x2x125xbf16, #first>
  %n = qt.dequantize %t : !qt.tensor<1000x2x125xbf16, #first> to tensor<1000x2x125xbf16>
  return %y, %n : tensor<250x512xbf16>, tensor<1000x2x125xbf16>
}

// -----

// But not where the codes themselves are read: they are there, and decoding them is one byte.
//
// CHECK-LABEL: func.func @main
// CHECK: %[[Q:.*]] = qt.quantize
// CHECK: qtile.launch
// CHECK: qt.dequantize %[[Q]]
// CHECK: return %{{.*}}, %{{.*}}, %[[Q]]
// CHECK-NOT: qtile.dequantize
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
func.func @main(%x: tensor<250x1000xbf16>, %w: tensor<512x1000xbf16>)
    -> (tensor<250x512xbf16>, tensor<250x1000xbf16>, !qt.tensor<250x1000xbf16, #row>) {
  %q = qt.quantize %x : tensor<250x1000xbf16> to !qt.tensor<250x1000xbf16, #row>
  %wq = qt.quantize %w : tensor<512x1000xbf16> to !qt.tensor<512x1000xbf16, #row>
  %y = qt.matmul %q, %wq : !qt.tensor<250x1000xbf16, #row>, !qt.tensor<512x1000xbf16, #row> -> tensor<250x512xbf16>
  %n = qt.dequantize %q : !qt.tensor<250x1000xbf16, #row> to tensor<250x1000xbf16>
  return %y, %n, %q : tensor<250x512xbf16>, tensor<250x1000xbf16>, !qt.tensor<250x1000xbf16, #row>
}

// -----

// A scheme that no kernel requantizes by: numbers are made of the panels, and quantized.
//
// CHECK-LABEL: func.func @main
// CHECK-NOT: qt.
// CHECK: %[[XQ:.*]]:2 = qtile.launch @{{.*}}(%{{.*}}) {{.*}} -> (tensor<8x256x128xi8, #qtile.stored<panels of 250x1000>>,
// CHECK: %[[N:.*]] = qtile.launch @{{.*}}(%[[XQ]]#0, %[[XQ]]#1) {{.*}} -> tensor<250x1000xbf16>
// CHECK: %[[NT:.*]] = linalg.transpose ins(%[[N]] : tensor<250x1000xbf16>)
// CHECK: qtile.launch @{{.*}}(%[[NT]]) {{.*}} -> (tensor<2x1008x128xi8, #qtile.stored<panels of 1000x250>>, tensor<1000xf32, #qtile.stored<row of 1000x1>>)
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv_pow2>]>
#all = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @main(%x: tensor<250x1000xbf16>, %w: tensor<512x1000xbf16>, %g: tensor<512x250xbf16>) -> (tensor<250x512xbf16>, tensor<512x1000xbf16>) {
  %q = qt.quantize %x : tensor<250x1000xbf16> to !qt.tensor<250x1000xbf16, #row>
  %t = qt.transpose %q permutation = [1, 0] : !qt.tensor<250x1000xbf16, #row> -> !qt.tensor<1000x250xbf16, #column>
  %r = qt.requantize %t : !qt.tensor<1000x250xbf16, #column> to !qt.tensor<1000x250xbf16, #all>
  %wq = qt.quantize %w : tensor<512x1000xbf16> to !qt.tensor<512x1000xbf16, #row>
  %gq = qt.quantize %g : tensor<512x250xbf16> to !qt.tensor<512x250xbf16, #all>
  %y = qt.matmul %q, %wq : !qt.tensor<250x1000xbf16, #row>, !qt.tensor<512x1000xbf16, #row> -> tensor<250x512xbf16>
  %dw = qt.matmul %gq, %r : !qt.tensor<512x250xbf16, #all>, !qt.tensor<1000x250xbf16, #all> -> tensor<512x1000xbf16>
  return %y, %dw : tensor<250x512xbf16>, tensor<512x1000xbf16>
}
