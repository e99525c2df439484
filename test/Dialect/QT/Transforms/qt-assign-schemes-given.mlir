// RUN: fp8-opt %s --fp8-import-elementwise --fp8-import-linalg --fp8-import-quantized --qt-infer-roles --qt-assign-schemes=remarks=false \
// RUN:   --qt-verify-stage=after=schemes | FileCheck %s
// RUN: fp8-opt %s --fp8-import-elementwise --fp8-import-linalg --fp8-import-quantized --qt-infer-roles --qt-assign-schemes=remarks=false \
// RUN:   --qt-materialize-quantization --qt-verify-stage=after=quantize | FileCheck %s --check-prefix=QUANTIZE

// Codes and scales of the graph are an operand's scheme: they need no rule, and two of them nothing of the recipe, which
// quantizes the other operand, or keeps the product. Blocks that do not divide one another keep it too.

// CHECK-DAG: #[[$GIVEN:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-DAG: #[[$WIDE:.*]] = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-DAG: #[[$MX:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
qt.recipe @blocks {
  qt.rule <activation> -> #mx
  qt.keep sizes [3, 8, 96]
  qt.keep sizes [2, 8, 96]
}

// CHECK-LABEL: func.func @main
// QUANTIZE-LABEL: func.func @main
func.func @main(%a: tensor<16x96xf8E4M3FN>, %w: tensor<96x8xf8E5M2>, %x: tensor<16x96xbf16>, %few: tensor<3x96xbf16>,
                %s: tensor<8x2xf32>, %codes: tensor<8x96xf8E4M3FN>)
    -> (tensor<16x8xf32>, tensor<16x8xf32>, tensor<3x8xf32>, tensor<16x8xf32>, tensor<2x8xf32>) {
  %z = arith.constant dense<0.0> : tensor<16x8xf32>
  // There is no rule for weights.
  // CHECK: linalg.contract {{.*}}qt.schemes = #qt.schemes<#[[$GIVEN]], #[[$WIDE]]>
  // QUANTIZE-NOT: qt.quantize
  // QUANTIZE: qt.matmul
  %0 = linalg.matmul ins(%a, %w : tensor<16x96xf8E4M3FN>, tensor<96x8xf8E5M2>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>
  // CHECK: linalg.contract {{.*}}qt.schemes = #qt.schemes<#[[$MX]], #[[$WIDE]]>
  // QUANTIZE: qt.quantize {{.*}} : tensor<16x96xbf16>
  // QUANTIZE: qt.matmul
  %1 = linalg.matmul ins(%x, %w : tensor<16x96xbf16>, tensor<96x8xf8E5M2>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>
  // CHECK: linalg.contract {{.*}}qt.kept = #qt.kept<size, {{.*}}>
  // QUANTIZE: linalg.contract
  %z3 = arith.constant dense<0.0> : tensor<3x8xf32>
  %2 = linalg.matmul ins(%few, %w : tensor<3x96xbf16>, tensor<96x8xf8E5M2>) outs(%z3 : tensor<3x8xf32>) -> tensor<3x8xf32>
  // Two given operands that the recipe would keep.
  // CHECK: linalg.contract {{.*}}qt.schemes = #qt.schemes<#[[$GIVEN]], #[[$WIDE]]>
  // QUANTIZE: qt.matmul
  %two = tensor.extract_slice %a[0, 0] [2, 96] [1, 1] : tensor<16x96xf8E4M3FN> to tensor<2x96xf8E4M3FN>
  %z2 = arith.constant dense<0.0> : tensor<2x8xf32>
  %4 = linalg.matmul ins(%two, %w : tensor<2x96xf8E4M3FN>, tensor<96x8xf8E5M2>) outs(%z2 : tensor<2x8xf32>) -> tensor<2x8xf32>
  // Blocks of 48 against blocks of 32.
  // CHECK: linalg.contract {{.*}}qt.kept = #qt.kept<given, "the blocks of its operands along K, of which the graph has brought some, do not divide one another">
  // QUANTIZE: linalg.contract
  %e = tensor.empty() : tensor<8x2x48xf32>
  %b = linalg.broadcast ins(%s : tensor<8x2xf32>) outs(%e : tensor<8x2x48xf32>) dimensions = [2]
  %sc = tensor.collapse_shape %b [[0], [1, 2]] : tensor<8x2x48xf32> into tensor<8x96xf32>
  %c32 = arith.extf %codes : tensor<8x96xf8E4M3FN> to tensor<8x96xf32>
  %cs = arith.mulf %c32, %sc : tensor<8x96xf32>
  %et = tensor.empty() : tensor<96x8xf32>
  %ct = linalg.transpose ins(%cs : tensor<8x96xf32>) outs(%et : tensor<96x8xf32>) permutation = [1, 0]
  %3 = linalg.matmul ins(%x, %ct : tensor<16x96xbf16>, tensor<96x8xf32>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0, %1, %2, %3, %4 : tensor<16x8xf32>, tensor<16x8xf32>, tensor<3x8xf32>, tensor<16x8xf32>, tensor<2x8xf32>
}
