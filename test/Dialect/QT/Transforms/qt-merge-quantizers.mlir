// RUN: fp8-opt %s --split-input-file --qt-merge-quantizers --verify-diagnostics | FileCheck %s
//
// Quantizations of one tensor and of its transposes become one op where the first stood.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<256x1024xbf16>
func.func @main(%x: tensor<256x1024xbf16>, %e: tensor<1024x256xbf16>)
    -> (!qt.tensor<256x1024xbf16, #mx>, !qt.tensor<1024x256xbf16, #mx>) {
  // CHECK: %[[Q:.*]]:2 = qt.multi_quantize %[[X]] permutations {{\[\[}}0, 1], [1, 0]] in <forward>
  %q = qt.quantize %x in <forward> : tensor<256x1024xbf16> to !qt.tensor<256x1024xbf16, #mx>
  // CHECK-NOT: linalg.transpose
  %t = linalg.transpose ins(%x : tensor<256x1024xbf16>) outs(%e : tensor<1024x256xbf16>) permutation = [1, 0]
  // CHECK-NOT: qt.quantize
  %r = qt.quantize %t in <forward> : tensor<1024x256xbf16> to !qt.tensor<1024x256xbf16, #mx>
  // CHECK: return %[[Q]]#0, %[[Q]]#1
  return %q, %r : !qt.tensor<256x1024xbf16, #mx>, !qt.tensor<1024x256xbf16, #mx>
}

// -----

// The first may see a transpose: what is quantized is the tensor below it, which stands in front of the first.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#fp8 = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<?x64xbf16>
func.func @main(%x: tensor<?x64xbf16>, %e: tensor<64x?xbf16>, %f: tensor<64x?xbf16>)
    -> (!qt.tensor<64x?xbf16, #mx>, !qt.tensor<64x?xbf16, #fp8>, !qt.tensor<?x64xbf16, #mx>) {
  // CHECK: %[[Q:.*]]:3 = qt.multi_quantize %[[X]] permutations {{\[\[}}1, 0], [1, 0], [0, 1]] : tensor<?x64xbf16>
  %t = linalg.transpose ins(%x : tensor<?x64xbf16>) outs(%e : tensor<64x?xbf16>) permutation = [1, 0]
  %q = qt.quantize %t : tensor<64x?xbf16> to !qt.tensor<64x?xbf16, #mx>
  %u = linalg.transpose ins(%x : tensor<?x64xbf16>) outs(%f : tensor<64x?xbf16>) permutation = [1, 0]
  %r = qt.quantize %u : tensor<64x?xbf16> to !qt.tensor<64x?xbf16, #fp8>
  %s = qt.quantize %x : tensor<?x64xbf16> to !qt.tensor<?x64xbf16, #mx>
  // CHECK: return %[[Q]]#0, %[[Q]]#1, %[[Q]]#2
  return %q, %r, %s : !qt.tensor<64x?xbf16, #mx>, !qt.tensor<64x?xbf16, #fp8>, !qt.tensor<?x64xbf16, #mx>
}

// -----

// Halves are apart, so is another block of the control flow, and what has its scales or its amax given.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#e5 = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK-LABEL: func @main
// CHECK-COUNT-5: qt.quantize
// CHECK-NOT: qt.multi_quantize
func.func @main(%x: tensor<4x8xbf16>, %s: tensor<f32>, %c: i1)
    -> (!qt.tensor<4x8xbf16, #e5>, !qt.tensor<4x8xbf16, #fp8>, !qt.tensor<4x8xbf16, #fp8>, !qt.tensor<4x8xbf16, #fp8>) {
  %0 = qt.quantize %x in <forward> : tensor<4x8xbf16> to !qt.tensor<4x8xbf16, #fp8>
  %1 = qt.quantize %x in <backward> : tensor<4x8xbf16> to !qt.tensor<4x8xbf16, #e5>
  %2 = qt.quantize %x scales(%s : tensor<f32>) in <forward> : tensor<4x8xbf16> to !qt.tensor<4x8xbf16, #fp8>
  %3 = qt.quantize %x amax(%s : tensor<f32>) in <forward> : tensor<4x8xbf16> to !qt.tensor<4x8xbf16, #fp8>
  %4 = scf.if %c -> !qt.tensor<4x8xbf16, #fp8> {
    %5 = qt.quantize %x in <forward> : tensor<4x8xbf16> to !qt.tensor<4x8xbf16, #fp8>
    scf.yield %5 : !qt.tensor<4x8xbf16, #fp8>
  } else {
    scf.yield %0 : !qt.tensor<4x8xbf16, #fp8>
  }
  return %1, %2, %3, %4 : !qt.tensor<4x8xbf16, #e5>, !qt.tensor<4x8xbf16, #fp8>, !qt.tensor<4x8xbf16, #fp8>, !qt.tensor<4x8xbf16, #fp8>
}

// -----

// One scale for each batch slice: of other slices than those of the tensor.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK-LABEL: func @main
// CHECK-NOT: qt.multi_quantize
func.func @main(%x: tensor<2x3x4xbf16>, %e: tensor<3x2x4xbf16>)
    -> (!qt.tensor<2x3x4xbf16, #fp8>, !qt.tensor<3x2x4xbf16, #fp8>) {
  %q = qt.quantize %x : tensor<2x3x4xbf16> to !qt.tensor<2x3x4xbf16, #fp8>
  %t = linalg.transpose ins(%x : tensor<2x3x4xbf16>) outs(%e : tensor<3x2x4xbf16>) permutation = [1, 0, 2]
  // expected-remark @+1 {{quantized in a pass of its own: its scales per tensor belong to batch slices that are none of the tensor that others quantize}}
  %r = qt.quantize %t : tensor<3x2x4xbf16> to !qt.tensor<3x2x4xbf16, #fp8>
  return %q, %r : !qt.tensor<2x3x4xbf16, #fp8>, !qt.tensor<3x2x4xbf16, #fp8>
}

// -----

// A quantizer writes the transpose of its codes too, or only that.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [32, 1] by rceil_mul>]>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xbf16>, %[[Y:.*]]: tensor<64x8xbf16>
func.func @main(%x: tensor<4x8xbf16>, %y: tensor<64x8xbf16>)
    -> (!qt.tensor<4x8xbf16, #fp8>, !qt.tensor<8x4xbf16, #fp8>, !qt.tensor<8x4xbf16, #fp8>, !qt.tensor<8x64xbf16, #mx>) {
  // CHECK: %[[Q:.*]]:2 = qt.multi_quantize %[[X]] permutations {{\[\[}}0, 1], [1, 0]]
  // CHECK: %[[R:.*]] = qt.multi_quantize %[[Y]] permutations {{\[\[}}1, 0]]
  // CHECK-NOT: qt.transpose
  // CHECK: return %[[Q]]#0, %[[Q]]#1, %[[Q]]#1, %[[R]]
  %q = qt.quantize %x : tensor<4x8xbf16> to !qt.tensor<4x8xbf16, #fp8>
  %r = qt.quantize %y : tensor<64x8xbf16> to !qt.tensor<64x8xbf16, #column>
  %t = qt.transpose %q permutation = [1, 0] : !qt.tensor<4x8xbf16, #fp8> -> !qt.tensor<8x4xbf16, #fp8>
  %u = qt.transpose %q permutation = [1, 0] : !qt.tensor<4x8xbf16, #fp8> -> !qt.tensor<8x4xbf16, #fp8>
  %v = qt.transpose %r permutation = [1, 0] : !qt.tensor<64x8xbf16, #column> -> !qt.tensor<8x64xbf16, #mx>
  return %q, %t, %u, %v : !qt.tensor<4x8xbf16, #fp8>, !qt.tensor<8x4xbf16, #fp8>, !qt.tensor<8x4xbf16, #fp8>, !qt.tensor<8x64xbf16, #mx>
}

// -----

// Codes that the plan keeps and transposes behind the border of the halves stay as they are.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK-LABEL: func @main
// CHECK: %[[Q:.*]] = qt.quantize
// CHECK: qt.transpose %[[Q]]
func.func @main(%x: tensor<4x8xbf16>, %w: tensor<5x8xbf16>, %dy: tensor<5x4xbf16>) -> (tensor<4x5xf32>, tensor<5x8xf32>) {
  %q = qt.quantize %x in <forward> : tensor<4x8xbf16> to !qt.tensor<4x8xbf16, #fp8>
  %v = qt.quantize %w in <forward> : tensor<5x8xbf16> to !qt.tensor<5x8xbf16, #fp8>
  %y = qt.matmul %q, %v : !qt.tensor<4x8xbf16, #fp8>, !qt.tensor<5x8xbf16, #fp8> -> tensor<4x5xf32>
  %d = qt.quantize %dy in <backward> : tensor<5x4xbf16> to !qt.tensor<5x4xbf16, #fp8>
  %t = qt.transpose %q permutation = [1, 0] : !qt.tensor<4x8xbf16, #fp8> -> !qt.tensor<8x4xbf16, #fp8>
  %dw = qt.matmul %d, %t : !qt.tensor<5x4xbf16, #fp8>, !qt.tensor<8x4xbf16, #fp8> -> tensor<5x8xf32>
  return %y, %dw : tensor<4x5xf32>, tensor<5x8xf32>
}

// -----

// Read transposed on this side of the border too, and in no other way: one orientation is made, of which the far side
// reads the transpose.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
#first = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [32, 1, 1] by floor>]>

// CHECK-LABEL: func @main
// CHECK: %[[Q:.*]] = qt.multi_quantize %{{.*}} permutations {{\[\[}}1, 2, 0]] in <forward>
// CHECK: qt.matmul %[[Q]]
// CHECK-NOT: qt.matmul
// CHECK: %[[T:.*]] = qt.transpose %[[Q]] permutation = [1, 0, 2]
// CHECK: qt.matmul %{{.*}}, %[[T]]
func.func @main(%x: tensor<8x3x4xbf16>, %w: tensor<3x5x8xbf16>, %dy: tensor<4x5x8xbf16>) -> (tensor<3x4x5xf32>, tensor<4x5x3xf32>) {
  %q = qt.quantize %x in <forward> : tensor<8x3x4xbf16> to !qt.tensor<8x3x4xbf16, #first>
  %n = qt.transpose %q permutation = [1, 2, 0] : !qt.tensor<8x3x4xbf16, #first> -> !qt.tensor<3x4x8xbf16, #mx>
  %v = qt.quantize %w in <forward> : tensor<3x5x8xbf16> to !qt.tensor<3x5x8xbf16, #mx>
  %y = qt.matmul %n, %v : !qt.tensor<3x4x8xbf16, #mx>, !qt.tensor<3x5x8xbf16, #mx> -> tensor<3x4x5xf32>
  %d = qt.quantize %dy in <backward> : tensor<4x5x8xbf16> to !qt.tensor<4x5x8xbf16, #mx>
  %t = qt.transpose %q permutation = [2, 1, 0] : !qt.tensor<8x3x4xbf16, #first> -> !qt.tensor<4x3x8xbf16, #mx>
  %dw = qt.matmul %d, %t : !qt.tensor<4x5x8xbf16, #mx>, !qt.tensor<4x3x8xbf16, #mx> -> tensor<4x5x3xf32>
  return %y, %dw : tensor<3x4x5xf32>, tensor<4x5x3xf32>
}

// -----

// A tensor that is itself seen transposed, through a reshape: permutations are counted from what is read.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<4x1x4xf32>)
// CHECK: %[[T:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]]
// CHECK: %[[Q:.*]]:2 = qt.multi_quantize %[[T]] permutations {{\[\[}}0, 1], [1, 0]]
// CHECK: return %[[Q]]#0, %[[Q]]#1
func.func @main(%x: tensor<4x1x4xf32>) -> (!qt.tensor<4x4xf32, #mx>, !qt.tensor<4x4xf32, #mx>) {
  %e = tensor.empty() : tensor<4x4x1xf32>
  %t = linalg.transpose ins(%x : tensor<4x1x4xf32>) outs(%e : tensor<4x4x1xf32>) permutation = [2, 0, 1]
  %c = tensor.collapse_shape %t [[0], [1, 2]] : tensor<4x4x1xf32> into tensor<4x4xf32>
  %q = qt.quantize %c : tensor<4x4xf32> to !qt.tensor<4x4xf32, #mx>
  %d = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x1x4xf32> into tensor<4x4xf32>
  %r = qt.quantize %d : tensor<4x4xf32> to !qt.tensor<4x4xf32, #mx>
  return %q, %r : !qt.tensor<4x4xf32, #mx>, !qt.tensor<4x4xf32, #mx>
}

// -----

// What nothing reads is no result: hoisting leaves a quantizer whose codes are read in another orientation by now.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [32, 1] by rceil_mul>]>

// CHECK-LABEL: func @main
func.func @main(%x: tensor<256x1024xbf16>) -> (!qt.tensor<256x1024xbf16, #mx>, !qt.tensor<1024x256xbf16, #mx>) {
  // CHECK: %[[Q:.*]]:2 = qt.multi_quantize %{{.*}} permutations {{\[\[}}0, 1], [1, 0]] in <forward> :
  // CHECK-NOT: {{= qt\.}}
  %q = qt.quantize %x in <forward> : tensor<256x1024xbf16> to !qt.tensor<256x1024xbf16, #mx>
  %unread = qt.quantize %x in <forward> : tensor<256x1024xbf16> to !qt.tensor<256x1024xbf16, #column>
  %transposed = qt.transpose %unread permutation = [1, 0] : !qt.tensor<256x1024xbf16, #column> -> !qt.tensor<1024x256xbf16, #mx>
  %dead = qt.quantize %x in <forward> : tensor<256x1024xbf16> to !qt.tensor<256x1024xbf16, #column>
  // CHECK: return %[[Q]]#0, %[[Q]]#1
  return %q, %transposed : !qt.tensor<256x1024xbf16, #mx>, !qt.tensor<1024x256xbf16, #mx>
}
