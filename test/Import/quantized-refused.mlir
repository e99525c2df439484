// RUN: fp8-opt %s --fp8-import-elementwise --fp8-import-linalg --fp8-import-quantized --verify-diagnostics | FileCheck %s

// Operands that are decoded from codes in a way that no scheme has stay as they are, each with its reason; what is more than
// codes and scales is a number like any other, and nothing is said.

#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
// CHECK-LABEL: func.func @main
func.func @main(%a: tensor<16x64xf8E4M3FN>, %w: tensor<64x8xbf16>, %each: tensor<16x64xf32>, %k: tensor<64xf32>, %b3: tensor<16x4xf32>,
                %b2: tensor<16x2xf32>, %f3: tensor<16x64xf8E3M4>)
    -> (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<4x8xf32>, tensor<16x8xf64>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) {
  %z = arith.constant dense<0.0> : tensor<16x8xf32>
  %e = tensor.empty() : tensor<16x64xf32>
  %a32 = arith.extf %a : tensor<16x64xf8E4M3FN> to tensor<16x64xf32>

  // CHECK: qt.given = #qt.given<refused, not, "the left operand is decoded from codes, which the product cannot take: it has a scale for each element along K">} ins(%{{.*}}, %{{.*}} : tensor<16x64xf32>
  // A scale for each number.
  %a0 = arith.mulf %a32, %each : tensor<16x64xf32>
  // expected-remark @+1 {{the left operand is decoded from codes, which the product cannot take: it has a scale for each element along K}}
  %r0 = linalg.matmul ins(%a0, %w : tensor<16x64xf32>, tensor<64x8xbf16>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>

  // A scale for each k.
  %kb = linalg.broadcast ins(%k : tensor<64xf32>) outs(%e : tensor<16x64xf32>) dimensions = [0]
  %a1 = arith.mulf %a32, %kb : tensor<16x64xf32>
  // expected-remark @+1 {{it has a scale for each element along K}}
  %r1 = linalg.matmul ins(%a1, %w : tensor<16x64xf32>, tensor<64x8xbf16>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>

  // Blocks of 32 and of 16.
  %e2 = tensor.empty() : tensor<16x2x32xf32>
  %s2 = linalg.broadcast ins(%b2 : tensor<16x2xf32>) outs(%e2 : tensor<16x2x32xf32>) dimensions = [2]
  %s32 = tensor.collapse_shape %s2 [[0], [1, 2]] : tensor<16x2x32xf32> into tensor<16x64xf32>
  %e3 = tensor.empty() : tensor<16x4x16xf32>
  %s3 = linalg.broadcast ins(%b3 : tensor<16x4xf32>) outs(%e3 : tensor<16x4x16xf32>) dimensions = [2]
  %s16 = tensor.collapse_shape %s3 [[0], [1, 2]] : tensor<16x4x16xf32> into tensor<16x64xf32>
  %m2 = arith.mulf %a32, %s32 : tensor<16x64xf32>
  %a2 = arith.mulf %m2, %s16 : tensor<16x64xf32>
  // expected-remark @+1 {{two of its scales have different blocks along one dimension}}
  %r2 = linalg.matmul ins(%a2, %w : tensor<16x64xf32>, tensor<64x8xbf16>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>

  // A slice that begins inside a block.
  %cut = tensor.extract_slice %m2[0, 8] [4, 32] [1, 1] : tensor<16x64xf32> to tensor<4x32xf32>
  %w32 = tensor.extract_slice %w[0, 0] [32, 8] [1, 1] : tensor<64x8xbf16> to tensor<32x8xbf16>
  %z3 = arith.constant dense<0.0> : tensor<4x8xf32>
  // expected-remark @+1 {{'tensor.extract_slice' cuts the blocks of its scales}}
  %r3 = linalg.matmul ins(%cut, %w32 : tensor<4x32xf32>, tensor<32x8xbf16>) outs(%z3 : tensor<4x8xf32>) -> tensor<4x8xf32>

  // f64 has no quantized product: nothing to say, the recipe's report has it.
  // CHECK: linalg.contract indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}] ins(%{{.*}}, %{{.*}} : tensor<16x64xf64>
  %z4 = arith.constant dense<0.0> : tensor<16x8xf64>
  %a64 = arith.extf %a : tensor<16x64xf8E4M3FN> to tensor<16x64xf64>
  %r4 = linalg.matmul ins(%a64, %w : tensor<16x64xf64>, tensor<64x8xbf16>) outs(%z4 : tensor<16x8xf64>) -> tensor<16x8xf64>

  // A format without a row.
  %f32 = arith.extf %f3 : tensor<16x64xf8E3M4> to tensor<16x64xf32>
  // expected-remark @+1 {{no scheme has codes of type f8E3M4}}
  %r5 = linalg.matmul ins(%f32, %w : tensor<16x64xf32>, tensor<64x8xbf16>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>

  // A number added to what was decoded: an activation.
  // CHECK: arith.addf
  // CHECK: linalg.contract indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}] ins(
  %a6 = arith.addf %a32, %each : tensor<16x64xf32>
  %r6 = linalg.matmul ins(%a6, %w : tensor<16x64xf32>, tensor<64x8xbf16>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>

  // A scale that depends on the place in another way than by blocks.
  %a7 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<16x64xf8E4M3FN>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%x: f8E4M3FN, %o: f32):
    %row = linalg.index 0 : index
    %n = arith.index_cast %row : index to i32
    %s = arith.sitofp %n : i32 to f32
    %wide = arith.extf %x : f8E4M3FN to f32
    %p = arith.mulf %wide, %s : f32
    linalg.yield %p : f32
  } -> tensor<16x64xf32>
  // expected-remark @+1 {{what it is multiplied by depends on the place}}
  %r7 = linalg.matmul ins(%a7, %w : tensor<16x64xf32>, tensor<64x8xbf16>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<4x8xf32>, tensor<16x8xf64>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
}
