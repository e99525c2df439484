// RUN: fp8-opt %s --qt-merge-quantizers --qt-fuse-amax="blocks=true remarks=false" -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: fp8-run %s --init=normal:5 --out=%t.apart.safetensors
// RUN: fp8-run %t.mlir --init=normal:5 --out=%t.fused.safetensors
// RUN: cmp %t.apart.safetensors %t.fused.safetensors

// Codes and scales by an amax that the producer returns are those by an amax of one's own: in batches, with sizes known at
// run time only, through reshapes in both directions, of no elements, with a NaN and an infinity among the numbers.

// Eleven quantizations, of which two are one op.
// CHECK-COUNT-10: amax(
// CHECK-NOT: amax(

#m2 = affine_map<(i, j) -> (i, j)>
#m3 = affine_map<(b, i, j) -> (b, i, j)>
#t3 = affine_map<(b, i, j) -> (j, b, i)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#te = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv_te>]>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
#b = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [2, 24] by fdiv>]>
#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>

func.func @main(%x: tensor<3x4x24xf32>, %z: tensor<0x24xf32>)
    -> (tensor<3x4x24xi8>, tensor<3xf32>, tensor<?x?x?xi8>, tensor<?xf32>, tensor<12x24xi8>, tensor<12x1xf32>,
        tensor<?x24xi8>, tensor<?x1xf32>, tensor<?x2x2x24xi8>, tensor<?x2x2x1xf32>, tensor<24x12xi8>, tensor<f32>,
        tensor<12x24xi8>, tensor<12x2xi8>, tensor<f32>, tensor<0x24xi8>, tensor<0x1xf32>, tensor<f32>,
        tensor<3x4x4xi8>, tensor<3xf32>, tensor<12x24xi8>, tensor<6x1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %nan = arith.constant 0x7FC0 : bf16
  %inf = arith.constant 0xFF80 : bf16

  // A scale for each batch slice; NaN in one, infinity in another.
  %e = tensor.empty() : tensor<3x4x24xbf16>
  %y = linalg.generic {indexing_maps = [#m3, #m3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%x : tensor<3x4x24xf32>) outs(%e : tensor<3x4x24xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %b = linalg.index 0 : index
    %j = linalg.index 2 : index
    %0 = arith.truncf %in : f32 to bf16
    %third = arith.cmpi eq, %j, %c3 : index
    %one = arith.cmpi eq, %b, %c1 : index
    %two = arith.cmpi eq, %b, %c2 : index
    %n = arith.andi %one, %third : i1
    %f = arith.andi %two, %third : i1
    %1 = arith.select %n, %nan, %0 : bf16
    %2 = arith.select %f, %inf, %1 : bf16
    linalg.yield %2 : bf16
  } -> tensor<3x4x24xbf16>
  %q0 = qt.quantize %y : tensor<3x4x24xbf16> to !qt.tensor<3x4x24xbf16, #fp8>
  %q0c, %q0s = qt.disassemble %q0 : !qt.tensor<3x4x24xbf16, #fp8> -> tensor<3x4x24xi8>, tensor<3xf32>

  // All sizes dynamic, NaN left out of the amax.
  %xd = tensor.cast %x : tensor<3x4x24xf32> to tensor<?x?x?xf32>
  %d0 = tensor.dim %xd, %c0 : tensor<?x?x?xf32>
  %d1 = tensor.dim %xd, %c1 : tensor<?x?x?xf32>
  %d2 = tensor.dim %xd, %c2 : tensor<?x?x?xf32>
  %ed = tensor.empty(%d0, %d1, %d2) : tensor<?x?x?xbf16>
  %yd = linalg.generic {indexing_maps = [#m3, #m3], iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%xd : tensor<?x?x?xf32>) outs(%ed : tensor<?x?x?xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %j = linalg.index 2 : index
    %0 = arith.truncf %in : f32 to bf16
    %third = arith.cmpi eq, %j, %c3 : index
    %1 = arith.select %third, %nan, %0 : bf16
    linalg.yield %1 : bf16
  } -> tensor<?x?x?xbf16>
  %q1 = qt.quantize %yd : tensor<?x?x?xbf16> to !qt.tensor<?x?x?xbf16, #te>
  %q1c, %q1s = qt.disassemble %q1 : !qt.tensor<?x?x?xbf16, #te> -> tensor<?x?x?xi8>, tensor<?xf32>

  // Rows, through a collapse.
  %c = tensor.collapse_shape %y [[0, 1], [2]] : tensor<3x4x24xbf16> into tensor<12x24xbf16>
  %q2 = qt.quantize %c in <forward> : tensor<12x24xbf16> to !qt.tensor<12x24xbf16, #row>
  %q2c, %q2s = qt.disassemble %q2 : !qt.tensor<12x24xbf16, #row> -> tensor<12x24xi8>, tensor<12x1xf32>

  // Rows, through a collapse of dynamic sizes, and through an expansion.
  %xs = tensor.cast %x : tensor<3x4x24xf32> to tensor<?x4x24xf32>
  %es = tensor.empty(%d0) : tensor<?x4x24xbf16>
  %ys = linalg.generic {indexing_maps = [#m3, #m3], iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%xs : tensor<?x4x24xf32>) outs(%es : tensor<?x4x24xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<?x4x24xbf16>
  %cs = tensor.collapse_shape %ys [[0, 1], [2]] : tensor<?x4x24xbf16> into tensor<?x24xbf16>
  %q3 = qt.quantize %cs : tensor<?x24xbf16> to !qt.tensor<?x24xbf16, #row>
  %q3c, %q3s = qt.disassemble %q3 : !qt.tensor<?x24xbf16, #row> -> tensor<?x24xi8>, tensor<?x1xf32>
  %xp = tensor.expand_shape %ys [[0], [1, 2], [3]] output_shape [%d0, 2, 2, 24] : tensor<?x4x24xbf16> into tensor<?x2x2x24xbf16>
  %q4 = qt.quantize %xp : tensor<?x2x2x24xbf16> to !qt.tensor<?x2x2x24xbf16, #row>
  %q4c, %q4s = qt.disassemble %q4 : !qt.tensor<?x2x2x24xbf16, #row> -> tensor<?x2x2x24xi8>, tensor<?x2x2x1xf32>

  // One tensor in two orientations, of which one has two levels, by a producer with a loop order of its own.
  %et = tensor.empty() : tensor<24x3x4xbf16>
  %yt = linalg.generic {indexing_maps = [#m3, #t3], iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%x : tensor<3x4x24xf32>) outs(%et : tensor<24x3x4xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<24x3x4xbf16>
  %ct = tensor.collapse_shape %yt [[0], [1, 2]] : tensor<24x3x4xbf16> into tensor<24x12xbf16>
  %q5 = qt.quantize %ct in <backward> : tensor<24x12xbf16> to !qt.tensor<24x12xbf16, #fp8>
  %q5c, %q5s = qt.disassemble %q5 : !qt.tensor<24x12xbf16, #fp8> -> tensor<24x12xi8>, tensor<f32>
  %ett = tensor.empty() : tensor<12x24xbf16>
  %tt = linalg.transpose ins(%ct : tensor<24x12xbf16>) outs(%ett : tensor<12x24xbf16>) permutation = [1, 0]
  %q6 = qt.quantize %tt in <backward> : tensor<12x24xbf16> to !qt.tensor<12x24xbf16, #nv>
  %q6c, %q6s, %q6t = qt.disassemble %q6 : !qt.tensor<12x24xbf16, #nv> -> tensor<12x24xi8>, tensor<12x2xi8>, tensor<f32>

  // No elements.
  %ez = tensor.empty() : tensor<0x24xbf16>
  %yz = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]}
          ins(%z : tensor<0x24xf32>) outs(%ez : tensor<0x24xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<0x24xbf16>
  %q7 = qt.quantize %yz in <forward> : tensor<0x24xbf16> to !qt.tensor<0x24xbf16, #row>
  %q7c, %q7s = qt.disassemble %q7 : !qt.tensor<0x24xbf16, #row> -> tensor<0x24xi8>, tensor<0x1xf32>
  %q8 = qt.quantize %yz in <backward> : tensor<0x24xbf16> to !qt.tensor<0x24xbf16, #fp8>
  %q8c, %q8s = qt.disassemble %q8 : !qt.tensor<0x24xbf16, #fp8> -> tensor<0x24xi8>, tensor<f32>

  // A batched product.
  %p = qt.matmul %q0, %q0 : !qt.tensor<3x4x24xbf16, #fp8>, !qt.tensor<3x4x24xbf16, #fp8> -> tensor<3x4x4xbf16>
  %q9 = qt.quantize %p : tensor<3x4x4xbf16> to !qt.tensor<3x4x4xbf16, #fp8>
  %q9c, %q9s = qt.disassemble %q9 : !qt.tensor<3x4x4xbf16, #fp8> -> tensor<3x4x4xi8>, tensor<3xf32>

  // Blocks of two rows.
  %qa = qt.quantize %c in <backward> : tensor<12x24xbf16> to !qt.tensor<12x24xbf16, #b>
  %qac, %qas = qt.disassemble %qa : !qt.tensor<12x24xbf16, #b> -> tensor<12x24xi8>, tensor<6x1xf32>

  return %q0c, %q0s, %q1c, %q1s, %q2c, %q2s, %q3c, %q3s, %q4c, %q4s, %q5c, %q5s, %q6c, %q6s, %q6t, %q7c, %q7s, %q8s,
         %q9c, %q9s, %qac, %qas
    : tensor<3x4x24xi8>, tensor<3xf32>, tensor<?x?x?xi8>, tensor<?xf32>, tensor<12x24xi8>, tensor<12x1xf32>,
      tensor<?x24xi8>, tensor<?x1xf32>, tensor<?x2x2x24xi8>, tensor<?x2x2x1xf32>, tensor<24x12xi8>, tensor<f32>,
      tensor<12x24xi8>, tensor<12x2xi8>, tensor<f32>, tensor<0x24xi8>, tensor<0x1xf32>, tensor<f32>,
      tensor<3x4x4xi8>, tensor<3xf32>, tensor<12x24xi8>, tensor<6x1xf32>
}
