// RUN: %python %S/Inputs/given_scales.py %t.args %t.expected
// RUN: fp8-run %s --args=%t.args --compare=%t.expected | FileCheck %s --check-prefix=GRAPH
// RUN: fp8-opt %s --recipe=%S/Inputs/all_fp8_current.mlir -o %t.mlirbc 2> %t.err
// RUN: FileCheck %s --check-prefix=REPORT < %t.err
// RUN: fp8-run %t.mlirbc --args=%t.args --compare=%t.expected | FileCheck %s
// RUN: fp8-opt %s --recipe=%S/Inputs/all_fp8_current.mlir --until=axes -o - 2> /dev/null | FileCheck %s --check-prefix=IR

// Scales that a graph brings meet the elements that they meet in the graph: a scalar, rows, columns, blocks, in f32, bf16,
// E8M0 or E4M3, times or divided by, several, in front of and behind transposes, reshapes and slices, in three spellings.

// The graph as it stands, and with all products on codes, gives the numbers of the loops in Inputs/given_scales.py.
// GRAPH-COUNT-18: relative error 0{{(,|$)}}
// CHECK-COUNT-18: relative error 0{{(,|$)}}
// CHECK-NOT: result{{[0-9]+}}:

// One product has an operand in high precision, which the recipe quantizes; all other codes are the graph's.
// REPORT-COUNT-14: recognized: {{.*}}(left operand codes and scales{{.*}}, right operand codes and scales)
// REPORT: recognized: {{.*}}(left operand in high precision, right operand codes and scales)
// REPORT-COUNT-3: recognized: {{.*}}(left operand codes and scales{{.*}}, right operand codes and scales)
// REPORT: 18 of 18 contractions
// IR-LABEL: func.func @main(
// IR: qt.quantize
// IR-NOT: qt.quantize
// IR: func.func @main_unquantized

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> ()>
#zeros = affine_map<(i, j) -> (0, 0)>
#i0 = affine_map<(i, j) -> (i, 0)>
#ji = affine_map<(i, j) -> (j, i)>
#kij = affine_map<(i, j, k) -> (k, i)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ijk = affine_map<(i, j, k) -> (i, j)>
#bij = affine_map<(b, i, j) -> (b, i, j)>
#b = affine_map<(b, i, j) -> (b)>
func.func @main(%a: tensor<6x64xf8E4M3FN>, %w: tensor<64x4xf8E5M2>, %t: tensor<f32>, %t16: tensor<bf16>, %rows: tensor<6xf32>,
                %cols: tensor<4xf32>, %blocks: tensor<6x2xf32>, %square: tensor<2x2xf32>, %mx: tensor<6x2xi8>,
                %b: tensor<3x6x64xf8E4M3FN>, %batch: tensor<3xf32>, %nibbles: tensor<6x64xi8>, %fine: tensor<6x4xf8E4M3FN>,
                %high: tensor<6x64xf32>)
    -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>,
        tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>,
        tensor<3x6x4xf32>, tensor<2x4xf32>, tensor<6x4xf32>, tensor<1x1xf32>, tensor<6x4xf32>, tensor<6x4xf32>) {
  %z = arith.constant dense<0.0> : tensor<6x4xf32>
  %e = tensor.empty() : tensor<6x64xf32>
  %a32 = arith.extf %a : tensor<6x64xf8E4M3FN> to tensor<6x64xf32>
  %w32 = arith.extf %w : tensor<64x4xf8E5M2> to tensor<64x4xf32>

  // 0: an f32 scalar, broadcast by name.
  %t0 = linalg.broadcast ins(%t : tensor<f32>) outs(%e : tensor<6x64xf32>) dimensions = [0, 1]
  %a0 = arith.mulf %a32, %t0 : tensor<6x64xf32>
  %r0 = linalg.matmul ins(%a0, %w32 : tensor<6x64xf32>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // 1: a bf16 scalar and bf16 arithmetic.
  %a16 = arith.extf %a : tensor<6x64xf8E4M3FN> to tensor<6x64xbf16>
  %w16 = arith.extf %w : tensor<64x4xf8E5M2> to tensor<64x4xbf16>
  %e16 = tensor.empty() : tensor<6x64xbf16>
  %t1 = linalg.broadcast ins(%t16 : tensor<bf16>) outs(%e16 : tensor<6x64xbf16>) dimensions = [0, 1]
  %a1 = arith.mulf %a16, %t1 : tensor<6x64xbf16>
  %r1 = linalg.matmul ins(%a1, %w16 : tensor<6x64xbf16>, tensor<64x4xbf16>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // 2: divided, in one generic op, and rounded to bf16.
  %a2 = linalg.generic {indexing_maps = [#ij, #all, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%a, %t : tensor<6x64xf8E4M3FN>, tensor<f32>) outs(%e16 : tensor<6x64xbf16>) {
  ^bb0(%x: f8E4M3FN, %s: f32, %o: bf16):
    %wide = arith.extf %x : f8E4M3FN to f32
    %d = arith.divf %wide, %s : f32
    %narrow = arith.truncf %d : f32 to bf16
    linalg.yield %narrow : bf16
  } -> tensor<6x64xbf16>
  %r2 = linalg.matmul ins(%a2, %w16 : tensor<6x64xbf16>, tensor<64x4xbf16>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // 3: rows, the factor on the left.
  %a3 = linalg.generic {indexing_maps = [#i, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%rows, %a : tensor<6xf32>, tensor<6x64xf8E4M3FN>) outs(%e : tensor<6x64xf32>) {
  ^bb0(%s: f32, %x: f8E4M3FN, %o: f32):
    %wide = arith.extf %x : f8E4M3FN to f32
    %d = arith.mulf %s, %wide : f32
    linalg.yield %d : f32
  } -> tensor<6x64xf32>
  %r3 = linalg.matmul ins(%a3, %w32 : tensor<6x64xf32>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // 4: columns of a weight that is transposed first.
  %f4 = tensor.empty() : tensor<4x64xf32>
  %wt = linalg.transpose ins(%w32 : tensor<64x4xf32>) outs(%f4 : tensor<4x64xf32>) permutation = [1, 0]
  %c4 = linalg.broadcast ins(%cols : tensor<4xf32>) outs(%f4 : tensor<4x64xf32>) dimensions = [1]
  %w4 = arith.mulf %wt, %c4 : tensor<4x64xf32>
  %g4 = tensor.empty() : tensor<64x4xf32>
  %w4t = linalg.transpose ins(%w4 : tensor<4x64xf32>) outs(%g4 : tensor<64x4xf32>) permutation = [1, 0]
  %r4 = linalg.matmul ins(%a32, %w4t : tensor<6x64xf32>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // 5: blocks, the codes reshaped to them.
  %x5 = tensor.expand_shape %a32 [[0], [1, 2]] output_shape [6, 2, 32] : tensor<6x64xf32> into tensor<6x2x32xf32>
  %e5 = tensor.empty() : tensor<6x2x32xf32>
  %b5 = linalg.broadcast ins(%blocks : tensor<6x2xf32>) outs(%e5 : tensor<6x2x32xf32>) dimensions = [2]
  %m5 = arith.mulf %x5, %b5 : tensor<6x2x32xf32>
  %a5 = tensor.collapse_shape %m5 [[0], [1, 2]] : tensor<6x2x32xf32> into tensor<6x64xf32>
  %r5 = linalg.matmul ins(%a5, %w32 : tensor<6x64xf32>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // 6: blocks, the scales reshaped to the codes.
  %b6 = tensor.collapse_shape %b5 [[0], [1, 2]] : tensor<6x2x32xf32> into tensor<6x64xf32>
  %a6 = linalg.mul ins(%b6, %a32 : tensor<6x64xf32>, tensor<6x64xf32>) outs(%e : tensor<6x64xf32>) -> tensor<6x64xf32>
  %r6 = linalg.matmul ins(%a6, %w32 : tensor<6x64xf32>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // 7: blocks in both directions.
  %e7 = tensor.empty() : tensor<2x32x2x2xf32>
  %b7 = linalg.broadcast ins(%square : tensor<2x2xf32>) outs(%e7 : tensor<2x32x2x2xf32>) dimensions = [1, 3]
  %s7 = tensor.collapse_shape %b7 [[0, 1], [2, 3]] : tensor<2x32x2x2xf32> into tensor<64x4xf32>
  %w7 = arith.mulf %w32, %s7 : tensor<64x4xf32>
  %r7 = linalg.matmul ins(%a32, %w7 : tensor<6x64xf32>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // 8: E8M0.
  %m8 = arith.bitcast %mx : tensor<6x2xi8> to tensor<6x2xf8E8M0FNU>
  %w8 = arith.extf %m8 : tensor<6x2xf8E8M0FNU> to tensor<6x2xf32>
  %b8 = linalg.broadcast ins(%w8 : tensor<6x2xf32>) outs(%e5 : tensor<6x2x32xf32>) dimensions = [2]
  %s8 = tensor.collapse_shape %b8 [[0], [1, 2]] : tensor<6x2x32xf32> into tensor<6x64xf32>
  %a8 = arith.mulf %a32, %s8 : tensor<6x64xf32>
  %r8 = linalg.matmul ins(%a8, %w32 : tensor<6x64xf32>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // 9: three scales, one of them a constant.
  %quarter = arith.constant dense<0.25> : tensor<6x64xf32>
  %s9 = linalg.broadcast ins(%rows : tensor<6xf32>) outs(%e : tensor<6x64xf32>) dimensions = [1]
  %m9 = arith.mulf %a0, %s9 : tensor<6x64xf32>
  %a9 = arith.divf %m9, %quarter : tensor<6x64xf32>
  %r9 = linalg.matmul ins(%a9, %w32 : tensor<6x64xf32>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // 10: no scale, the codes themselves.
  %r10 = linalg.matmul ins(%a, %w : tensor<6x64xf8E4M3FN>, tensor<64x4xf8E5M2>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // 11: codes of four bits under E4M3 blocks under one f32.
  %n11 = arith.trunci %nibbles : tensor<6x64xi8> to tensor<6x64xi4>
  %c11 = arith.bitcast %n11 : tensor<6x64xi4> to tensor<6x64xf4E2M1FN>
  %x11 = arith.extf %c11 : tensor<6x64xf4E2M1FN> to tensor<6x64xf32>
  %e11 = tensor.empty() : tensor<6x4xf32>
  %f11 = arith.extf %fine : tensor<6x4xf8E4M3FN> to tensor<6x4xf32>
  %t11 = linalg.broadcast ins(%t : tensor<f32>) outs(%e11 : tensor<6x4xf32>) dimensions = [0, 1]
  %s11 = arith.mulf %f11, %t11 : tensor<6x4xf32>
  %g11 = tensor.empty() : tensor<6x4x16xf32>
  %b11 = linalg.broadcast ins(%s11 : tensor<6x4xf32>) outs(%g11 : tensor<6x4x16xf32>) dimensions = [2]
  %k11 = tensor.collapse_shape %b11 [[0], [1, 2]] : tensor<6x4x16xf32> into tensor<6x64xf32>
  %a11 = arith.mulf %x11, %k11 : tensor<6x64xf32>
  %r11 = linalg.matmul ins(%a11, %w32 : tensor<6x64xf32>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // 12: a batch, with a scale for each of it, against one weight for all.
  %e12 = tensor.empty() : tensor<3x6x64xf32>
  %a12 = linalg.generic {indexing_maps = [#bij, #b, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b, %batch : tensor<3x6x64xf8E4M3FN>, tensor<3xf32>) outs(%e12 : tensor<3x6x64xf32>) {
  ^bb0(%x: f8E4M3FN, %s: f32, %o: f32):
    %wide = arith.extf %x : f8E4M3FN to f32
    %d = arith.mulf %wide, %s : f32
    linalg.yield %d : f32
  } -> tensor<3x6x64xf32>
  %f12 = tensor.empty() : tensor<3x64x4xf32>
  %w12 = linalg.broadcast ins(%w32 : tensor<64x4xf32>) outs(%f12 : tensor<3x64x4xf32>) dimensions = [0]
  %z12 = arith.constant dense<0.0> : tensor<3x6x4xf32>
  %r12 = linalg.batch_matmul ins(%a12, %w12 : tensor<3x6x64xf32>, tensor<3x64x4xf32>) outs(%z12 : tensor<3x6x4xf32>) -> tensor<3x6x4xf32>

  // 13: rows, of which a slice is taken.
  %a13 = tensor.extract_slice %a3[3, 0] [2, 64] [1, 1] : tensor<6x64xf32> to tensor<2x64xf32>
  %z13 = arith.constant dense<0.0> : tensor<2x4xf32>
  %r13 = linalg.matmul ins(%a13, %w32 : tensor<2x64xf32>, tensor<64x4xf32>) outs(%z13 : tensor<2x4xf32>) -> tensor<2x4xf32>

  // 14: only the weight is quantized.
  %h14 = arith.truncf %high : tensor<6x64xf32> to tensor<6x64xbf16>
  %w14 = arith.truncf %w4t : tensor<64x4xf32> to tensor<64x4xbf16>
  %r14 = linalg.matmul ins(%h14, %w14 : tensor<6x64xbf16>, tensor<64x4xbf16>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // 15: scales dropped would give 11, not 22.
  %l15 = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf8E4M3FN>
  %k15 = arith.constant dense<[[3.0], [4.0]]> : tensor<2x1xf8E4M3FN>
  %four = arith.constant dense<4.0> : tensor<1x2xbf16>
  %half = arith.constant dense<0.5> : tensor<2x1xbf16>
  %lw = arith.extf %l15 : tensor<1x2xf8E4M3FN> to tensor<1x2xbf16>
  %kw = arith.extf %k15 : tensor<2x1xf8E4M3FN> to tensor<2x1xbf16>
  %ls = arith.mulf %lw, %four : tensor<1x2xbf16>
  %ks = arith.mulf %kw, %half : tensor<2x1xbf16>
  %z15 = arith.constant dense<0.0> : tensor<1x1xf32>
  %r15 = linalg.matmul ins(%ls, %ks : tensor<1x2xbf16>, tensor<2x1xbf16>) outs(%z15 : tensor<1x1xf32>) -> tensor<1x1xf32>

  // 16: a dimension of one that is indexed by a constant, once in the op and once to broadcast.
  %col = tensor.expand_shape %rows [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
  %flat = tensor.expand_shape %t [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %t16b = linalg.generic {indexing_maps = [#zeros, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%flat : tensor<1x1xf32>) outs(%e : tensor<6x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<6x64xf32>
  %a16c = linalg.generic {indexing_maps = [#ij, #i0, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%a, %col, %t16b : tensor<6x64xf8E4M3FN>, tensor<6x1xf32>, tensor<6x64xf32>) outs(%e : tensor<6x64xf32>) {
  ^bb0(%x: f8E4M3FN, %s: f32, %u: f32, %o: f32):
    %wide = arith.extf %x : f8E4M3FN to f32
    %both = arith.mulf %s, %u : f32
    %d = arith.mulf %wide, %both : f32
    linalg.yield %d : f32
  } -> tensor<6x64xf32>
  %r16 = linalg.matmul ins(%a16c, %w32 : tensor<6x64xf32>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // 17: the op that scales transposes too.
  %f17 = tensor.empty() : tensor<64x6xf32>
  %a17 = linalg.generic {indexing_maps = [#ji, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%a3, %rows : tensor<6x64xf32>, tensor<6xf32>) outs(%f17 : tensor<64x6xf32>) {
  ^bb0(%x: f32, %s: f32, %o: f32):
    %d = arith.mulf %x, %s : f32
    linalg.yield %d : f32
  } -> tensor<64x6xf32>
  %r17 = linalg.matmul indexing_maps = [#kij, #kj, #ijk] ins(%a17, %w32 : tensor<64x6xf32>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17
      : tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>,
        tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>,
        tensor<3x6x4xf32>, tensor<2x4xf32>, tensor<6x4xf32>, tensor<1x1xf32>, tensor<6x4xf32>, tensor<6x4xf32>
}
