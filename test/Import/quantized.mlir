// RUN: fp8-opt %s --fp8-import-elementwise --fp8-import-linalg --fp8-import-quantized --verify-diagnostics | FileCheck %s

// Which operands are recognized as codes and scales, in what scheme, and whether the graph decodes as qt.dequantize does.

// CHECK-DAG: #[[$TENSOR:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-DAG: #[[$ROW:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
// CHECK-DAG: #[[$MX:.*]] = #qt.scheme<f4E2M1FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>
// CHECK-DAG: #[[$WIDE:.*]] = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> ()>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[A:.*]]: tensor<16x64xf8E4M3FN>, %[[W:.*]]: tensor<8x64xf8E5M2>, %[[S:.*]]: tensor<f32>
func.func @main(%a: tensor<16x64xf8E4M3FN>, %w: tensor<8x64xf8E5M2>, %s: tensor<f32>, %rows: tensor<16xbf16>,
                %mx: tensor<8x64xf4E2M1FN>, %bytes: tensor<8x2xf8E8M0FNU>, %h: tensor<?x64xf8E4M3FN>,
                %stack: tensor<4x16x64xf8E4M3FN>, %stacked: tensor<4x16xf32>, %high: tensor<16x64xbf16>)
    -> (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<?x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) {
  %z = arith.constant dense<0.0> : tensor<16x8xf32>
  %ew = tensor.empty() : tensor<64x8xf8E5M2>
  // Codes are read as bytes once, for all products.
  // CHECK: arith.bitcast %{{.*}} : f8E5M2 to i8
  // CHECK-NOT: : f8E5M2 to i8
  %wt = linalg.transpose ins(%w : tensor<8x64xf8E5M2>) outs(%ew : tensor<64x8xf8E5M2>) permutation = [1, 0]
  %e16 = tensor.empty() : tensor<16x64xbf16>

  // One scale, one rounding: the bits of the graph.
  // CHECK: %[[Q:.*]] = qt.assemble %{{.*}}, %[[S]] : tensor<16x64xi8>, tensor<f32> -> !qt.tensor<16x64xbf16, #[[$TENSOR]]>
  // CHECK: %[[D:.*]] = qt.dequantize %[[Q]]
  // CHECK: qt.assemble %{{.*}} -> !qt.tensor<8x64xf32, #[[$WIDE]]>
  // CHECK: linalg.contract {{.*}}{qt.given = #qt.given<exact, exact>} ins(%[[D]], %{{.*}} : tensor<16x64xbf16>, tensor<8x64xf32>)
  %a0 = linalg.generic {indexing_maps = [#ij, #all, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%a, %s : tensor<16x64xf8E4M3FN>, tensor<f32>) outs(%e16 : tensor<16x64xbf16>) {
  ^bb0(%x: f8E4M3FN, %by: f32, %o: bf16):
    %wide = arith.extf %x : f8E4M3FN to f32
    %p = arith.mulf %wide, %by : f32
    %r = arith.truncf %p : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<16x64xbf16>
  %r0 = linalg.matmul ins(%a0, %wt : tensor<16x64xbf16>, tensor<64x8xf8E5M2>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>

  // A division, and a rounding to bf16 before the scale of another type: the last bit may differ.
  // CHECK: qt.assemble {{.*}} -> !qt.tensor<16x64xf32, #[[$TENSOR]]>
  // CHECK: #qt.given<rounded, exact>
  %e32 = tensor.empty() : tensor<16x64xf32>
  %a1 = linalg.generic {indexing_maps = [#ij, #all, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%a, %s : tensor<16x64xf8E4M3FN>, tensor<f32>) outs(%e32 : tensor<16x64xf32>) {
  ^bb0(%x: f8E4M3FN, %by: f32, %o: f32):
    %wide = arith.extf %x : f8E4M3FN to f32
    %p = arith.divf %wide, %by : f32
    linalg.yield %p : f32
  } -> tensor<16x64xf32>
  %r1 = linalg.matmul ins(%a1, %wt : tensor<16x64xf32>, tensor<64x8xf8E5M2>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>

  // A division by a power of two is a product.
  // CHECK: #qt.given<exact, exact>
  %eight = arith.constant dense<8.0> : tensor<16x64xf32>
  %a32 = arith.extf %a : tensor<16x64xf8E4M3FN> to tensor<16x64xf32>
  %a2 = arith.divf %a32, %eight : tensor<16x64xf32>
  %r2 = linalg.matmul ins(%a2, %wt : tensor<16x64xf32>, tensor<64x8xf8E5M2>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>

  // bf16 scales of rows against E2M1 codes under scales of E8M0, which stay bytes.
  // CHECK: qt.assemble {{.*}} : tensor<16x64xi8>, tensor<16x1xf32> -> !qt.tensor<16x64xbf16, #[[$ROW]]>
  // CHECK: qt.assemble {{.*}} : tensor<8x64xi8>, tensor<8x2xi8> -> !qt.tensor<8x64xbf16, #[[$MX]]>
  // CHECK: #qt.given<exact, exact>
  %a16 = arith.extf %a : tensor<16x64xf8E4M3FN> to tensor<16x64xbf16>
  %row = linalg.broadcast ins(%rows : tensor<16xbf16>) outs(%e16 : tensor<16x64xbf16>) dimensions = [1]
  %a3 = arith.mulf %row, %a16 : tensor<16x64xbf16>
  %eb = tensor.empty() : tensor<8x2x32xf8E8M0FNU>
  %b3 = linalg.broadcast ins(%bytes : tensor<8x2xf8E8M0FNU>) outs(%eb : tensor<8x2x32xf8E8M0FNU>) dimensions = [2]
  %s3 = tensor.collapse_shape %b3 [[0], [1, 2]] : tensor<8x2x32xf8E8M0FNU> into tensor<8x64xf8E8M0FNU>
  %w3 = arith.scaling_extf %mx, %s3 : tensor<8x64xf4E2M1FN>, tensor<8x64xf8E8M0FNU> to tensor<8x64xbf16>
  %ew3 = tensor.empty() : tensor<64x8xbf16>
  %w3t = linalg.transpose ins(%w3 : tensor<8x64xbf16>) outs(%ew3 : tensor<64x8xbf16>) permutation = [1, 0]
  %r3 = linalg.matmul ins(%a3, %w3t : tensor<16x64xbf16>, tensor<64x8xbf16>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>

  // A size that is known at run time only.
  // CHECK: qt.assemble {{.*}} : tensor<?x64xi8>, tensor<f32> -> !qt.tensor<?x64xf32, #[[$TENSOR]]>
  // CHECK: #qt.given<exact, exact>
  %c0 = arith.constant 0 : index
  %m = tensor.dim %h, %c0 : tensor<?x64xf8E4M3FN>
  %h32 = arith.extf %h : tensor<?x64xf8E4M3FN> to tensor<?x64xf32>
  %eh = tensor.empty(%m) : tensor<?x64xf32>
  %sh = linalg.broadcast ins(%s : tensor<f32>) outs(%eh : tensor<?x64xf32>) dimensions = [0, 1]
  %a4 = arith.mulf %h32, %sh : tensor<?x64xf32>
  %zero = arith.constant 0.0 : f32
  %ez = tensor.empty(%m) : tensor<?x8xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%ez : tensor<?x8xf32>) -> tensor<?x8xf32>
  %r4 = linalg.matmul ins(%a4, %wt : tensor<?x64xf32>, tensor<64x8xf8E5M2>) outs(%zh : tensor<?x8xf32>) -> tensor<?x8xf32>

  // A layer of a stack: scales are sliced like codes.
  // CHECK: scf.for
  // CHECK: %[[SLICE:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}, 0, 0] [1, 16, 1] [1, 1, 1] : tensor<4x16x1xf32> to tensor<16x1xf32>
  // CHECK: qt.assemble %{{.*}}, %[[SLICE]] : tensor<16x64xi8>, tensor<16x1xf32> -> !qt.tensor<16x64xf32, #[[$ROW]]>
  // CHECK: #qt.given<exact, exact>
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %est = tensor.empty() : tensor<4x16x64xf32>
  %st = linalg.broadcast ins(%stacked : tensor<4x16xf32>) outs(%est : tensor<4x16x64xf32>) dimensions = [2]
  %stw = arith.extf %stack : tensor<4x16x64xf8E4M3FN> to tensor<4x16x64xf32>
  %all = arith.mulf %stw, %st : tensor<4x16x64xf32>
  %r5 = scf.for %layer = %c0 to %c4 step %c1 iter_args(%sum = %z) -> tensor<16x8xf32> {
    %one = tensor.extract_slice %all[%layer, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<4x16x64xf32> to tensor<16x64xf32>
    %next = linalg.matmul ins(%one, %wt : tensor<16x64xf32>, tensor<64x8xf8E5M2>) outs(%sum : tensor<16x8xf32>) -> tensor<16x8xf32>
    scf.yield %next : tensor<16x8xf32>
  }

  // Only one of the two is quantized.
  // CHECK: linalg.contract {{.*}}{qt.given = #qt.given<not, exact>}
  %r6 = linalg.matmul ins(%high, %wt : tensor<16x64xbf16>, tensor<64x8xf8E5M2>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6 : tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<?x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
}
