// RUN: fp8-opt %s --split-input-file --qt-hoist-quantization=remarks=false | FileCheck %s
//
// Where codes are moved and then transposed, they are transposed first, at the quantizer, which can write it: a transpose below a
// view would be a pass over codes of its own.

// What is repeated is transposed once, not each time; new dimensions of sizes that are not known keep their sizes.
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<128x256xbf16>, %[[N:.*]]: index, %[[M:.*]]: index)
func.func @main(%x: tensor<128x256xbf16>, %n: index, %m: index) -> !qt.tensor<?x256x?x128xbf16, #row> {
  // CHECK: %[[Q:.*]] = qt.quantize %[[X]]
  // CHECK-NEXT: %[[T:.*]] = qt.transpose %[[Q]] permutation = [1, 0]
  // CHECK-NEXT: %[[B:.*]] = qt.broadcast %[[T]] dimensions = [0, 2] sizes(%[[M]], %[[N]])
  // CHECK-NEXT: return %[[B]]
  %e = tensor.empty(%n, %m) : tensor<?x128x?x256xbf16>
  %b = linalg.broadcast ins(%x : tensor<128x256xbf16>) outs(%e : tensor<?x128x?x256xbf16>) dimensions = [0, 2]
  %f = tensor.empty(%m, %n) : tensor<?x256x?x128xbf16>
  %t = linalg.transpose ins(%b : tensor<?x128x?x256xbf16>) outs(%f : tensor<?x256x?x128xbf16>) permutation = [2, 3, 0, 1]
  %q = qt.quantize %t : tensor<?x256x?x128xbf16> to !qt.tensor<?x256x?x128xbf16, #row>
  return %q : !qt.tensor<?x256x?x128xbf16, #row>
}

// -----

// A transpose of a transpose, with a repetition in between, is none.
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<256x128xbf16>)
func.func @main(%x: tensor<256x128xbf16>) -> !qt.tensor<2x256x128xbf16, #row> {
  // CHECK-NEXT: %[[Q:.*]] = qt.quantize %[[X]]
  // CHECK-NEXT: %[[B:.*]] = qt.broadcast %[[Q]] dimensions = [0]
  // CHECK-NEXT: return %[[B]]
  %e = tensor.empty() : tensor<128x256xbf16>
  %u = linalg.transpose ins(%x : tensor<256x128xbf16>) outs(%e : tensor<128x256xbf16>) permutation = [1, 0]
  %f = tensor.empty() : tensor<2x128x256xbf16>
  %b = linalg.broadcast ins(%u : tensor<128x256xbf16>) outs(%f : tensor<2x128x256xbf16>) dimensions = [0]
  %g = tensor.empty() : tensor<2x256x128xbf16>
  %t = linalg.transpose ins(%b : tensor<2x128x256xbf16>) outs(%g : tensor<2x256x128xbf16>) permutation = [0, 2, 1]
  %q = qt.quantize %t : tensor<2x256x128xbf16> to !qt.tensor<2x256x128xbf16, #row>
  return %q : !qt.tensor<2x256x128xbf16, #row>
}

// -----

// Concatenations and pads.
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<128x64xbf16>, %[[Y:.*]]: tensor<128x32xbf16>, %[[N:.*]]: index)
func.func @main(%x: tensor<128x64xbf16>, %y: tensor<128x32xbf16>, %n: index) -> (!qt.tensor<96x128xbf16, #row>, !qt.tensor<?x128xbf16, #row>) {
  // CHECK-DAG: %[[P:.*]] = qt.transpose %{{.*}} permutation = [1, 0] : !qt.tensor<128x64xbf16,
  // CHECK-DAG: %[[Q:.*]] = qt.transpose %{{.*}} permutation = [1, 0] : !qt.tensor<128x32xbf16,
  // CHECK-DAG: %[[C:.*]] = qt.concat dim(0) %[[P]], %[[Q]]
  // CHECK-DAG: %[[D:.*]] = qt.pad %[[P]] low[%[[N]], 0] high[0, 0]
  // CHECK: return %[[C]], %[[D]]
  %c = tensor.concat dim(1) %x, %y : (tensor<128x64xbf16>, tensor<128x32xbf16>) -> tensor<128x96xbf16>
  %e = tensor.empty() : tensor<96x128xbf16>
  %t = linalg.transpose ins(%c : tensor<128x96xbf16>) outs(%e : tensor<96x128xbf16>) permutation = [1, 0]
  %q = qt.quantize %t : tensor<96x128xbf16> to !qt.tensor<96x128xbf16, #row>
  %zero = arith.constant 0.0 : bf16
  %d = tensor.pad %x low[0, %n] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : bf16
  } : tensor<128x64xbf16> to tensor<128x?xbf16>
  %c1 = arith.constant 1 : index
  %s = tensor.dim %d, %c1 : tensor<128x?xbf16>
  %f = tensor.empty(%s) : tensor<?x128xbf16>
  %u = linalg.transpose ins(%d : tensor<128x?xbf16>) outs(%f : tensor<?x128xbf16>) permutation = [1, 0]
  %r = qt.quantize %u : tensor<?x128xbf16> to !qt.tensor<?x128xbf16, #row>
  return %q, %r : !qt.tensor<96x128xbf16, #row>, !qt.tensor<?x128xbf16, #row>
}

// -----

// Slices that leave nothing out, all of them transposed: one transpose of their source.
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<256x64xbf16>)
func.func @main(%x: tensor<256x64xbf16>) -> (!qt.tensor<64x128xbf16, #square>, !qt.tensor<64x128xbf16, #square>) {
  // CHECK-NEXT: %[[Q:.*]] = qt.quantize %[[X]]
  // CHECK-NEXT: %[[T:.*]] = qt.transpose %[[Q]] permutation = [1, 0]
  // CHECK-NEXT: qt.slice %[[T]][0, 0] [64, 128] [1, 1]
  // CHECK-NEXT: qt.slice %[[T]][0, 128] [64, 128] [1, 1]
  // CHECK-NEXT: return
  %e = tensor.empty() : tensor<64x128xbf16>
  %a = tensor.extract_slice %x[0, 0] [128, 64] [1, 1] : tensor<256x64xbf16> to tensor<128x64xbf16>
  %b = tensor.extract_slice %x[128, 0] [128, 64] [1, 1] : tensor<256x64xbf16> to tensor<128x64xbf16>
  %at = linalg.transpose ins(%a : tensor<128x64xbf16>) outs(%e : tensor<64x128xbf16>) permutation = [1, 0]
  %bt = linalg.transpose ins(%b : tensor<128x64xbf16>) outs(%e : tensor<64x128xbf16>) permutation = [1, 0]
  %p = qt.quantize %at : tensor<64x128xbf16> to !qt.tensor<64x128xbf16, #square>
  %q = qt.quantize %bt : tensor<64x128xbf16> to !qt.tensor<64x128xbf16, #square>
  return %p, %q : !qt.tensor<64x128xbf16, #square>, !qt.tensor<64x128xbf16, #square>
}

// -----

// A slice beside a quantizer of the whole: to transpose all of it would be more.
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<512x64xbf16>)
func.func @main(%x: tensor<512x64xbf16>) -> (!qt.tensor<64x128xbf16, #square>, !qt.tensor<512x64xbf16, #square>) {
  // CHECK-NEXT: %[[Q:.*]] = qt.quantize %[[X]]
  // CHECK-NEXT: %[[S:.*]] = qt.slice %[[Q]][128, 0] [128, 64] [1, 1]
  // CHECK-NEXT: %[[T:.*]] = qt.transpose %[[S]] permutation = [1, 0]
  // CHECK-NEXT: return %[[T]], %[[Q]]
  %e = tensor.empty() : tensor<64x128xbf16>
  %a = tensor.extract_slice %x[128, 0] [128, 64] [1, 1] : tensor<512x64xbf16> to tensor<128x64xbf16>
  %at = linalg.transpose ins(%a : tensor<128x64xbf16>) outs(%e : tensor<64x128xbf16>) permutation = [1, 0]
  %p = qt.quantize %at : tensor<64x128xbf16> to !qt.tensor<64x128xbf16, #square>
  %q = qt.quantize %x : tensor<512x64xbf16> to !qt.tensor<512x64xbf16, #square>
  return %p, %q : !qt.tensor<64x128xbf16, #square>, !qt.tensor<512x64xbf16, #square>
}
