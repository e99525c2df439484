// RUN: fp8-opt %s --convert-to-iree | FileCheck %s
// RUN: fp8-opt %s --convert-to-iree | sed 's/iree.reflection = {.*}//' | not grep -E 'qt[.]|!qt|#qt'

// A quantized graph leaves in upstream dialects alone. A product is one contraction of operands that bf16 holds
// exactly: codes times powers of two.

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
module attributes {qt.signature = #qt.signature<arguments = [#qt.value<"x", input>, #qt.value<"w", parameter>] results = [#qt.value<"y", unknown>]>, qt.step = #qt.step<axes>} {
  qt.recipe @mxfp8 {
    qt.rule <activation> -> #mx
  }
  // CHECK-NOT: qt.recipe
  // CHECK-LABEL: func @main
  // CHECK-SAME: (%{{.*}}: tensor<16x64xbf16>, %{{.*}}: tensor<8x64xbf16>) -> tensor<16x8xbf16>
  // CHECK: linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<16x64xbf16>, tensor<8x64xbf16>) outs(%{{.*}} : tensor<16x8xf32>)
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  func.func @main(%x: tensor<16x64xbf16> {qt.role = #qt.role<activation>}, %w: tensor<8x64xbf16>) -> tensor<16x8xbf16> {
    %a = qt.quantize %x : tensor<16x64xbf16> to !qt.tensor<16x64xbf16, #mx>
    %b = qt.quantize %w : tensor<8x64xbf16> to !qt.tensor<8x64xbf16, #mx>
    %y = qt.matmul %a, %b : !qt.tensor<16x64xbf16, #mx>, !qt.tensor<8x64xbf16, #mx> -> tensor<16x8xbf16>
    return %y : tensor<16x8xbf16>
  }
}
