// RUN: fp8-opt %s -allow-unregistered-dialect --recipe=mxfp8 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: fp8-opt %t.mlir -allow-unregistered-dialect --convert-to-iree | FileCheck %s --check-prefix=IREE
//
// An op that nobody has registered stays where it is, and everything around it is quantized.

// CHECK: %[[CHANGED:.*]] = "some.op"
// CHECK: qt.quantize %[[CHANGED]]
// CHECK: qt.matmul
// IREE: "some.op"
module attributes {qt.signature = #qt.signature<arguments = [#qt.value<"x", input>, #qt.value<"w", parameter>] results = [#qt.value<"y", unknown>]>} {
  func.func @main(%x: tensor<32x64xbf16>, %w: tensor<16x64xbf16>) -> tensor<32x16xbf16> {
    %empty = tensor.empty() : tensor<32x16xf32>
    %zero = arith.constant 0.0 : f32
    %from = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x16xf32>) -> tensor<32x16xf32>
    %changed = "some.op"(%x) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
    %sum = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>,
      affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%changed, %w : tensor<32x64xbf16>, tensor<16x64xbf16>) outs(%from : tensor<32x16xf32>) -> tensor<32x16xf32>
    %rounded = tensor.empty() : tensor<32x16xbf16>
    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<32x16xf32>) outs(%rounded : tensor<32x16xbf16>) {
    ^bb0(%a: f32, %b: bf16):
      %c = arith.truncf %a : f32 to bf16
      linalg.yield %c : bf16
    } -> tensor<32x16xbf16>
    return %y : tensor<32x16xbf16>
  }
}
