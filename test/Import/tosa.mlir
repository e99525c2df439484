// RUN: fp8-opt %s --fp8-import-tosa --split-input-file --verify-diagnostics | FileCheck %s

// Block-scaled TOSA is lowered, with sizes that are known at run time only too; what cannot be is an error at the op.

// CHECK-LABEL: func.func @dynamic
// CHECK-NOT: tosa
// CHECK: linalg.contract {{.*}} -> tensor<?x?x?xf32>
func.func @dynamic(%a: tensor<?x?x?xf8E4M3FN>, %as: tensor<?x?x?xf8E8M0FNU>, %b: tensor<?x?x?xf8E4M3FN>, %bs: tensor<?x?x?xf8E8M0FNU>) -> tensor<?x?x?xf32> {
  %0 = tosa.matmul_t_block_scaled %a, %as, %b, %bs {block_size = #tosa.block_size<BLOCK_SIZE_32>} : (tensor<?x?x?xf8E4M3FN>, tensor<?x?x?xf8E8M0FNU>, tensor<?x?x?xf8E4M3FN>, tensor<?x?x?xf8E8M0FNU>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @cast
// CHECK-NOT: tosa
// CHECK: arith.mulf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to bf16
func.func @cast(%a: tensor<4x64xf8E4M3FN>, %as: tensor<4x2xf8E8M0FNU>) -> tensor<4x64xbf16> {
  %0 = tosa.cast_from_block_scaled %a, %as {block_size = #tosa.block_size<BLOCK_SIZE_32>} : (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

// -----

func.func @to(%x: tensor<4x64xf32>) -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{expected codes and scales that are there already, got a cast that makes them by a rule that the op does not name; give the numbers, and a recipe}}
  %0, %1 = tosa.cast_to_block_scaled %x {block_size = #tosa.block_size<BLOCK_SIZE_32>} : (tensor<4x64xf32>) -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>)
  return %0, %1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @int8(%a: tensor<4x64x!tosa.mxint8>, %as: tensor<4x2xf8E8M0FNU>) -> tensor<4x64xbf16> {
  // expected-error @+1 {{expected ranked tensors of floats to lower, got 'tensor<4x64x!tosa.mxint8>' for operand 0}}
  %0 = tosa.cast_from_block_scaled %a, %as {block_size = #tosa.block_size<BLOCK_SIZE_32>} : (tensor<4x64x!tosa.mxint8>, tensor<4x2xf8E8M0FNU>) -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

// -----

func.func @unranked(%a: tensor<*xf8E4M3FN>, %as: tensor<*xf8E8M0FNU>) -> tensor<*xf32> {
  // expected-error @+1 {{expected ranked tensors of floats to lower, got 'tensor<*xf8E4M3FN>' for operand 0}}
  %0 = tosa.cast_from_block_scaled %a, %as {block_size = #tosa.block_size<BLOCK_SIZE_32>} : (tensor<*xf8E4M3FN>, tensor<*xf8E8M0FNU>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
