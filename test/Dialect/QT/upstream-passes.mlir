// RUN: fp8-opt %s --split-input-file --inline --cse | FileCheck %s
//
// Passes of upstream that may run on quantized programs do what they do on others.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

// CSE merges equal quantizations of one half, and keeps the halves apart.
// CHECK-LABEL: func @cse_within_a_half
func.func @cse_within_a_half(%x: tensor<2xf32>)
    -> (!qt.tensor<2xf32, #fp8>, !qt.tensor<2xf32, #fp8>, !qt.tensor<2xf32, #fp8>) {
  // CHECK-NEXT: %[[F:.*]] = qt.quantize %{{.*}} in <forward>
  // CHECK-NEXT: %[[B:.*]] = qt.quantize %{{.*}} in <backward>
  // CHECK-NEXT: return %[[F]], %[[F]], %[[B]]
  %0 = qt.quantize %x in <forward> : tensor<2xf32> to !qt.tensor<2xf32, #fp8>
  %1 = qt.quantize %x in <forward> : tensor<2xf32> to !qt.tensor<2xf32, #fp8>
  %2 = qt.quantize %x in <backward> : tensor<2xf32> to !qt.tensor<2xf32, #fp8>
  return %0, %1, %2 : !qt.tensor<2xf32, #fp8>, !qt.tensor<2xf32, #fp8>, !qt.tensor<2xf32, #fp8>
}

// What nobody reads goes.
// CHECK-LABEL: func @unread
func.func @unread(%x: tensor<2xf32>) {
  // CHECK-NEXT: return
  %0 = qt.quantize %x : tensor<2xf32> to !qt.tensor<2xf32, #fp8>
  return
}

// -----

// CHECK-LABEL: func @inlines
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @inlines(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK-NEXT: qt.quantize
  // CHECK-NEXT: qt.dequantize
  %0 = func.call @callee(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @callee(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = qt.quantize %x : tensor<2xf32> to !qt.tensor<2xf32, #fp8>
  %1 = qt.dequantize %0 : !qt.tensor<2xf32, #fp8> to tensor<2xf32>
  return %1 : tensor<2xf32>
}
