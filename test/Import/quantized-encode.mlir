// RUN: fp8-opt %s --fp8-import-elementwise --fp8-import-linalg --fp8-import-quantized --verify-diagnostics | FileCheck %s

// Codes that the graph rounds from x * scale or x / scale are a qt.quantize with given scales, where its bits are those of the
// graph; else the graph goes on computing them, with the reason.

// CHECK-DAG: #[[$MUL:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [*, *] by fdiv, stored = encode>]>
// CHECK-DAG: #[[$DIV:.*]] = #qt.scheme<f8E5M2, [#qt.scale<f32 per block [1, *] by fdiv, apply = div_decode>], overflow = ieee>
// CHECK-DAG: #[[$PLAIN:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [*, *] by fdiv, stored = encode>], overflow = ieee>

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> ()>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<6x64xbf16>, %[[Y:.*]]: tensor<6x64xf32>
func.func @main(%x: tensor<6x64xbf16>, %y: tensor<6x64xf32>, %s: tensor<f32>, %t: tensor<6xf32>, %w: tensor<64x4xf32>)
    -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>) {
  %z = arith.constant dense<0.0> : tensor<6x4xf32>
  %e = tensor.empty() : tensor<6x64xf32>
  %e4 = tensor.empty() : tensor<6x64xf8E4M3FN>
  %e5 = tensor.empty() : tensor<6x64xf8E5M2>

  // Op by op, clamped: it saturates. The quantizer reads bf16, which is what was widened.
  // CHECK: %[[Q0:.*]] = qt.quantize %[[X]] scales(%{{.*}} : tensor<1x1xf32>) : tensor<6x64xbf16> to !qt.tensor<6x64xbf16, #[[$MUL]]>
  // CHECK: qt.disassemble %[[Q0]]
  %sb = linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<6x64xf32>) dimensions = [0, 1]
  %x32 = arith.extf %x : tensor<6x64xbf16> to tensor<6x64xf32>
  %m0 = arith.mulf %sb, %x32 : tensor<6x64xf32>
  %max = arith.constant dense<448.0> : tensor<6x64xf32>
  %min = arith.constant dense<-448.0> : tensor<6x64xf32>
  %l0 = arith.maximumf %m0, %min : tensor<6x64xf32>
  %u0 = arith.minimumf %max, %l0 : tensor<6x64xf32>
  %q0 = arith.truncf %u0 : tensor<6x64xf32> to tensor<6x64xf8E4M3FN>
  %r0 = linalg.matmul ins(%q0, %w : tensor<6x64xf8E4M3FN>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // In one op, divided, not clamped: what overflows is infinite.
  // CHECK: qt.quantize %[[Y]] scales(%{{.*}} : tensor<6x1xf32>) : tensor<6x64xf32> to !qt.tensor<6x64xf32, #[[$DIV]]>
  %q1 = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%y, %t : tensor<6x64xf32>, tensor<6xf32>) outs(%e5 : tensor<6x64xf8E5M2>) {
  ^bb0(%v: f32, %by: f32, %o: f8E5M2):
    %d = arith.divf %v, %by : f32
    %r = arith.truncf %d : f32 to f8E5M2
    linalg.yield %r : f8E5M2
  } -> tensor<6x64xf8E5M2>
  %r1 = linalg.matmul ins(%q1, %w : tensor<6x64xf8E5M2>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // A cast alone has the scale one.
  // CHECK: qt.quantize %[[Y]] scales(%{{.*}} : tensor<1x1xf32>) : tensor<6x64xf32> to !qt.tensor<6x64xf32, #[[$PLAIN]]>
  %q2 = arith.truncf %y : tensor<6x64xf32> to tensor<6x64xf8E4M3FN>
  %r2 = linalg.matmul ins(%q2, %w : tensor<6x64xf8E4M3FN>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // CHECK-NOT: qt.quantize
  // Scaled in bf16, which rounds once more.
  %e16 = tensor.empty() : tensor<6x64xbf16>
  %s16 = arith.truncf %s : tensor<f32> to tensor<bf16>
  %sb16 = linalg.broadcast ins(%s16 : tensor<bf16>) outs(%e16 : tensor<6x64xbf16>) dimensions = [0, 1]
  %m3 = arith.mulf %x, %sb16 : tensor<6x64xbf16>
  // expected-remark @+1 {{codes of type 'f8E4M3FN' are computed as the graph does, not as one quantization: they are scaled in bf16}}
  %q3 = arith.truncf %m3 : tensor<6x64xbf16> to tensor<6x64xf8E4M3FN>
  %r3 = linalg.matmul ins(%q3, %w : tensor<6x64xf8E4M3FN>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // Clamped to the range of another format.
  %max4 = arith.constant dense<240.0> : tensor<6x64xf32>
  %u4 = arith.minimumf %y, %max4 : tensor<6x64xf32>
  // expected-remark @+1 {{they are clamped to other numbers than the largest code and its negative}}
  %q4 = arith.truncf %u4 : tensor<6x64xf32> to tensor<6x64xf8E4M3FN>
  %r4 = linalg.matmul ins(%q4, %w : tensor<6x64xf8E4M3FN>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>

  // Rounded toward zero.
  // expected-remark @+1 {{they are rounded in another way than to nearest even}}
  %q5 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<6x64xf32>) outs(%e4 : tensor<6x64xf8E4M3FN>) {
  ^bb0(%v: f32, %o: f8E4M3FN):
    %r = arith.truncf %v toward_zero : f32 to f8E4M3FN
    linalg.yield %r : f8E4M3FN
  } -> tensor<6x64xf8E4M3FN>
  %r5 = linalg.matmul ins(%q5, %w : tensor<6x64xf8E4M3FN>, tensor<64x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5 : tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>
}
