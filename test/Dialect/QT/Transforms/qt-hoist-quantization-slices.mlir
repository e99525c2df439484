// RUN: fp8-opt %s --split-input-file --qt-hoist-quantization -verify-diagnostics | FileCheck %s
//
// A quantizer moves above a slice only if nothing is quantized that was not.

// Slices that leave nothing out: one quantizer of their source.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<8x100xbf16>
func.func @main(%x: tensor<8x100xbf16>) -> (!qt.tensor<8x64xbf16, #mx>, !qt.tensor<8x36xbf16, #mx>) {
  // CHECK-NEXT: %[[Q:.*]] = qt.quantize %[[X]] : tensor<8x100xbf16>
  // CHECK-NEXT: qt.slice %[[Q]][0, 0] [8, 64] [1, 1]
  // CHECK-NEXT: qt.slice %[[Q]][0, 64] [8, 36] [1, 1]
  // CHECK-NEXT: return
  %a = tensor.extract_slice %x[0, 0] [8, 64] [1, 1] : tensor<8x100xbf16> to tensor<8x64xbf16>
  %b = tensor.extract_slice %x[0, 64] [8, 36] [1, 1] : tensor<8x100xbf16> to tensor<8x36xbf16>
  %p = qt.quantize %a : tensor<8x64xbf16> to !qt.tensor<8x64xbf16, #mx>
  %q = qt.quantize %b : tensor<8x36xbf16> to !qt.tensor<8x36xbf16, #mx>
  return %p, %q : !qt.tensor<8x64xbf16, #mx>, !qt.tensor<8x36xbf16, #mx>
}

// -----

// The source is quantized anyway, later.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<4x8x100xbf16>
func.func @main(%x: tensor<4x8x100xbf16>) -> (!qt.tensor<8x64xbf16, #mx>, !qt.tensor<4x8x100xbf16, #mx>) {
  // CHECK-NEXT: %[[Q:.*]] = qt.quantize %[[X]]
  // CHECK-NEXT: %[[S:.*]] = qt.slice %[[Q]][2, 0, 0] [1, 8, 64] [1, 1, 1]
  // CHECK-NEXT: %[[R:.*]] = qt.reshape %[[S]] {{\[\[}}0, 1], [2]]
  // CHECK-NEXT: return %[[R]], %[[Q]]
  %a = tensor.extract_slice %x[2, 0, 0] [1, 8, 64] [1, 1, 1] : tensor<4x8x100xbf16> to tensor<8x64xbf16>
  %p = qt.quantize %a : tensor<8x64xbf16> to !qt.tensor<8x64xbf16, #mx>
  %q = qt.quantize %x : tensor<4x8x100xbf16> to !qt.tensor<4x8x100xbf16, #mx>
  return %p, %q : !qt.tensor<8x64xbf16, #mx>, !qt.tensor<4x8x100xbf16, #mx>
}

// -----

// A part is left out, or in another half.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<8x96xbf16>) -> (!qt.tensor<8x32xbf16, #mx>, !qt.tensor<8x32xbf16, #mx>) {
  // CHECK: qt.quantize %extracted_slice
  // CHECK: qt.quantize %extracted_slice
  %a = tensor.extract_slice %x[0, 0] [8, 32] [1, 1] : tensor<8x96xbf16> to tensor<8x32xbf16>
  %b = tensor.extract_slice %x[0, 64] [8, 32] [1, 1] : tensor<8x96xbf16> to tensor<8x32xbf16>
  // expected-remark @+1 {{quantizer stays below 'tensor.extract_slice': expected slices quantized alike that leave nothing out, or a quantizer of their source, got neither: more would be quantized than is read}}
  %p = qt.quantize %a : tensor<8x32xbf16> to !qt.tensor<8x32xbf16, #mx>
  // expected-remark @+1 {{more would be quantized than is read}}
  %q = qt.quantize %b : tensor<8x32xbf16> to !qt.tensor<8x32xbf16, #mx>
  return %p, %q : !qt.tensor<8x32xbf16, #mx>, !qt.tensor<8x32xbf16, #mx>
}

// -----

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<8x64xbf16>) -> (!qt.tensor<8x32xbf16, #mx>, !qt.tensor<8x32xbf16, #mx>) {
  // CHECK: qt.quantize %extracted_slice
  // CHECK: qt.quantize %extracted_slice
  %a = tensor.extract_slice %x[0, 0] [8, 32] [1, 1] : tensor<8x64xbf16> to tensor<8x32xbf16>
  %b = tensor.extract_slice %x[0, 32] [8, 32] [1, 1] : tensor<8x64xbf16> to tensor<8x32xbf16>
  // expected-remark @+1 {{more would be quantized than is read}}
  %p = qt.quantize %a in <forward> : tensor<8x32xbf16> to !qt.tensor<8x32xbf16, #mx>
  // expected-remark @+1 {{more would be quantized than is read}}
  %q = qt.quantize %b in <backward> : tensor<8x32xbf16> to !qt.tensor<8x32xbf16, #mx>
  return %p, %q : !qt.tensor<8x32xbf16, #mx>, !qt.tensor<8x32xbf16, #mx>
}

// -----

// One layer of stacked weights in a loop: the stack is not quantized in every turn.
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<4x8x64xbf16>, %n: index, %y: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  // CHECK: scf.for
  // CHECK: tensor.extract_slice
  // CHECK: qt.quantize %extracted_slice
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%z = %y) -> tensor<8x64xbf16> {
    %a = tensor.extract_slice %x[%i, 0, 0] [1, 8, 64] [1, 1, 1] : tensor<4x8x64xbf16> to tensor<8x64xbf16>
    // expected-remark @+1 {{expected its operand in one block of the control flow with it, got it from outside}}
    %q = qt.quantize %a : tensor<8x64xbf16> to !qt.tensor<8x64xbf16, #mx>
    %d = qt.dequantize %q : !qt.tensor<8x64xbf16, #mx> to tensor<8x64xbf16>
    scf.yield %d : tensor<8x64xbf16>
  }
  return %r : tensor<8x64xbf16>
}
