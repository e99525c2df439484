// Products of sizes that kernels, which count in 32 bits, cannot have.
//
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile --split-input-file --verify-diagnostics | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>

// As many rows as 32 bits with a sign count.
//
// CHECK-LABEL: func.func @main
// CHECK: qtile.launch @gemm_row_major
func.func @main(%x: tensor<2147483647x64xbf16>, %w: tensor<128x64xbf16>) -> tensor<2147483647x128xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<2147483647x128xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<2147483647x128xf32>) -> tensor<2147483647x128xf32>
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x, %w : tensor<2147483647x64xbf16>, tensor<128x64xbf16>) outs(%y1 : tensor<2147483647x128xf32>) -> tensor<2147483647x128xf32>
  return %y : tensor<2147483647x128xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>

// One more.
//
// CHECK-LABEL: func.func @main
// CHECK: linalg.contract
// CHECK-NOT: qtile.kernel
func.func @main(%x: tensor<2147483648x64xbf16>, %w: tensor<128x64xbf16>) -> tensor<2147483648x128xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<2147483648x128xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<2147483648x128xf32>) -> tensor<2147483648x128xf32>
  // expected-remark @below {{not computed by a kernel of ours: of its left operand: it has a dimension of 2147483648 elements, and kernels count in 32 bits}}
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x, %w : tensor<2147483648x64xbf16>, tensor<128x64xbf16>) outs(%y1 : tensor<2147483648x128xf32>) -> tensor<2147483648x128xf32>
  return %y : tensor<2147483648x128xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>

// Along the contraction.
//
// CHECK-LABEL: func.func @main
// CHECK: linalg.contract
// CHECK-NOT: qtile.kernel
func.func @main(%x: tensor<128x3000000000xbf16>, %w: tensor<64x3000000000xbf16>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<128x64xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<128x64xf32>) -> tensor<128x64xf32>
  // expected-remark @below {{not computed by a kernel of ours: of its left operand: it has a dimension of 3000000000 elements, and kernels count in 32 bits}}
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x, %w : tensor<128x3000000000xbf16>, tensor<64x3000000000xbf16>) outs(%y1 : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %y : tensor<128x64xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>

// Columns of the result.
//
// CHECK-LABEL: func.func @main
// CHECK: linalg.contract
// CHECK-NOT: qtile.kernel
func.func @main(%x: tensor<128x64xbf16>, %w: tensor<3000000000x64xbf16>) -> tensor<128x3000000000xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<128x3000000000xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<128x3000000000xf32>) -> tensor<128x3000000000xf32>
  // expected-remark @below {{not computed by a kernel of ours: of its right operand: it has a dimension of 3000000000 elements, and kernels count in 32 bits}}
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x, %w : tensor<128x64xbf16>, tensor<3000000000x64xbf16>) outs(%y1 : tensor<128x3000000000xf32>) -> tensor<128x3000000000xf32>
  return %y : tensor<128x3000000000xf32>
}

// -----

#lhs = affine_map<(b, m, n, k) -> (b, m, k)>
#rhs = affine_map<(b, m, n, k) -> (b, n, k)>
#result = affine_map<(b, m, n, k) -> (b, m, n)>

// Each size is small, a matrix is not.
//
// CHECK-LABEL: func.func @main
// CHECK: linalg.contract
// CHECK-NOT: qtile.kernel
func.func @main(%x: tensor<3x70000x70000xbf16>, %w: tensor<3x64x70000xbf16>) -> tensor<3x70000x64xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<3x70000x64xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<3x70000x64xf32>) -> tensor<3x70000x64xf32>
  // expected-remark @below {{not computed by a kernel of ours: of its left operand: its matrices are 4900000000 elements apart, and kernels count in 32 bits}}
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x, %w : tensor<3x70000x70000xbf16>, tensor<3x64x70000xbf16>) outs(%y1 : tensor<3x70000x64xf32>) -> tensor<3x70000x64xf32>
  return %y : tensor<3x70000x64xf32>
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
!x = !qt.tensor<3000000000x128xbf16, #s>
!w = !qt.tensor<128x128xbf16, #s>

// The quantizers stay too.
//
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: qt.quantize
// CHECK: qt.matmul
// CHECK-NOT: qtile.kernel
func.func @main(%x: tensor<3000000000x128xbf16>, %w: tensor<128x128xbf16>) -> tensor<3000000000x128xf32> {
  %xq = qt.quantize %x : tensor<3000000000x128xbf16> to !x
  %wq = qt.quantize %w : tensor<128x128xbf16> to !w
  // expected-remark @below {{not computed by a kernel of ours: of its left operand: it has a dimension of 3000000000 elements, and kernels count in 32 bits}}
  %y = qt.matmul %xq, %wq : !x, !w -> tensor<3000000000x128xf32>
  return %y : tensor<3000000000x128xf32>
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
!x = !qt.tensor<128x3000000000xbf16, #s>
!w = !qt.tensor<64x3000000000xbf16, #s>

// Along the contraction.
//
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: qt.quantize
// CHECK: qt.matmul
// CHECK-NOT: qtile.kernel
func.func @main(%x: tensor<128x3000000000xbf16>, %w: tensor<64x3000000000xbf16>) -> tensor<128x64xf32> {
  %xq = qt.quantize %x : tensor<128x3000000000xbf16> to !x
  %wq = qt.quantize %w : tensor<64x3000000000xbf16> to !w
  // expected-remark @below {{not computed by a kernel of ours: of its left operand: it has a dimension of 3000000000 elements, and kernels count in 32 bits}}
  %y = qt.matmul %xq, %wq : !x, !w -> tensor<128x64xf32>
  return %y : tensor<128x64xf32>
}

// -----

#lhs = affine_map<(a, b, m, n, k) -> (a, b, m, k)>
#rhs = affine_map<(a, b, m, n, k) -> (a, b, n, k)>
#result = affine_map<(a, b, m, n, k) -> (a, b, m, n)>

// The matrices of a batch of two dimensions.
//
// CHECK-LABEL: func.func @main
// CHECK: linalg.contract
// CHECK-NOT: qtile.kernel
func.func @main(%x: tensor<70000x70000x8x64xbf16>, %w: tensor<70000x70000x8x64xbf16>) -> tensor<70000x70000x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<70000x70000x8x8xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<70000x70000x8x8xf32>) -> tensor<70000x70000x8x8xf32>
  // expected-remark @below {{not computed by a kernel of ours: of its left operand: it has a dimension of 4900000000 elements, and kernels count in 32 bits}}
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x, %w : tensor<70000x70000x8x64xbf16>, tensor<70000x70000x8x64xbf16>) outs(%y1 : tensor<70000x70000x8x8xf32>) -> tensor<70000x70000x8x8xf32>
  return %y : tensor<70000x70000x8x8xf32>
}

// -----

#lhs = affine_map<(b, m, n, k) -> (b, m, k)>
#rhs = affine_map<(b, m, n, k) -> (b, n, k)>
#result = affine_map<(b, m, n, k) -> (b, m, n)>

// Rows of a batch are counted through.
//
// CHECK-LABEL: func.func @main
// CHECK: linalg.contract
// CHECK-NOT: qtile.kernel
func.func @main(%x: tensor<70000x70000x8xbf16>, %w: tensor<70000x8x8xbf16>) -> tensor<70000x70000x8xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<70000x70000x8xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<70000x70000x8xf32>) -> tensor<70000x70000x8xf32>
  // expected-remark @below {{not computed by a kernel of ours: it has a dimension of 4900000000 elements, and kernels count in 32 bits}}
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #result] ins(%x, %w : tensor<70000x70000x8xbf16>, tensor<70000x8x8xbf16>) outs(%y1 : tensor<70000x70000x8xf32>) -> tensor<70000x70000x8xf32>
  return %y : tensor<70000x70000x8xf32>
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
!x = !qt.tensor<2x128x64xbf16, #s>
!w = !qt.tensor<2x3000000000x64xbf16, #s>

// In a batch.
//
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: qt.quantize
// CHECK: qt.matmul
// CHECK-NOT: qtile.kernel
func.func @main(%x: tensor<2x128x64xbf16>, %w: tensor<2x3000000000x64xbf16>) -> tensor<2x128x3000000000xf32> {
  %xq = qt.quantize %x : tensor<2x128x64xbf16> to !x
  %wq = qt.quantize %w : tensor<2x3000000000x64xbf16> to !w
  // expected-remark @below {{not computed by a kernel of ours: of its right operand: it has a dimension of 3000000000 elements, and kernels count in 32 bits}}
  %y = qt.matmul %xq, %wq : !x, !w -> tensor<2x128x3000000000xf32>
  return %y : tensor<2x128x3000000000xf32>
}
