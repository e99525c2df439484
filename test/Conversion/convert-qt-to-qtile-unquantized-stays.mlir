// Products in high precision that no kernel computes, and why.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile --split-input-file --verify-diagnostics | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>

// Rows of 24 bytes.
//
// CHECK-LABEL: func.func @main
// CHECK: linalg.contract
// CHECK-NOT: qtile.kernel
func.func @main(%x: tensor<64x12xbf16>, %w: tensor<16x12xbf16>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<64x16xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{not computed by a kernel of ours: of its left operand: its rows are of 24 bytes, no multiple of 16}}
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x, %w : tensor<64x12xbf16>, tensor<16x12xbf16>) outs(%y1 : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>

// The size of a row may be anything.
//
// CHECK-LABEL: func.func @main
// CHECK: linalg.contract
// CHECK-NOT: qtile.kernel
func.func @main(%x: tensor<64x?xbf16>, %w: tensor<16x?xbf16>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<64x16xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{not computed by a kernel of ours: of its left operand: its rows are of a size that is not known to be a multiple of 16 bytes}}
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x, %w : tensor<64x?xbf16>, tensor<16x?xbf16>) outs(%y1 : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>

// Sums start from something.
//
// CHECK-LABEL: func.func @main
// CHECK: linalg.contract
// CHECK-NOT: qtile.kernel
func.func @main(%x: tensor<64x16xbf16>, %w: tensor<16x16xbf16>, %init: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // expected-remark @below {{not computed by a kernel of ours: it adds to a tensor, which kernels do for quantized operands alone}}
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x, %w : tensor<64x16xbf16>, tensor<16x16xbf16>) outs(%init : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>

// Numbers of 32 bits.
//
// CHECK-LABEL: func.func @main
// CHECK: linalg.contract
// CHECK-NOT: qtile.kernel
func.func @main(%x: tensor<64x16xf32>, %w: tensor<16x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<64x16xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{not computed by a kernel of ours: of its left operand: no kernel is for numbers of f32}}
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x, %w : tensor<64x16xf32>, tensor<16x16xf32>) outs(%y1 : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>

// No instruction takes both types at once.
//
// CHECK-LABEL: func.func @main
// CHECK: linalg.contract
// CHECK-NOT: qtile.kernel
func.func @main(%x: tensor<64x16xbf16>, %w: tensor<16x16xf16>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<64x16xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{not computed by a kernel of ours: no kernel is for it: expected a schedule that target "sm_90a" can run, got none for 'bf16' as none and 'f16' as none into 'f32'}}
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x, %w : tensor<64x16xbf16>, tensor<16x16xf16>) outs(%y1 : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>

// Nothing to compute.
//
// CHECK-LABEL: func.func @main
// CHECK: linalg.contract
// CHECK-NOT: qtile.kernel
func.func @main(%x: tensor<0x16xbf16>, %w: tensor<16x16xbf16>) -> tensor<0x16xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<0x16xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<0x16xf32>) -> tensor<0x16xf32>
  // expected-remark @below {{not computed by a kernel of ours: it has a size of 0}}
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x, %w : tensor<0x16xbf16>, tensor<16x16xbf16>) outs(%y1 : tensor<0x16xf32>) -> tensor<0x16xf32>
  return %y : tensor<0x16xf32>
}
