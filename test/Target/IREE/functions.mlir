// RUN: fp8-opt %s --convert-to-iree | FileCheck %s
// RUN: fp8-opt %s --convert-to-iree=object-ending=sm_90a.cubin -allow-unregistered-dialect | FileCheck %s --check-prefix=DEVICE
//
// For the processor, functions are the formulas of the reference, whose f64 stays f64; what has none is IREE's. For a GPU all are IREE's.

// CHECK-LABEL: func @main
// CHECK-NOT: math.exp
// CHECK: arith.truncf %{{.*}} : f64 to f32
// CHECK: math.acos
// DEVICE-LABEL: func @main
// DEVICE: math.exp
// DEVICE: math.acos
#map = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %empty = tensor.empty() : tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp %a : f32
    %c = math.acos %e : f32
    linalg.yield %c : f32
  } -> tensor<64xf32>
  return %y : tensor<64xf32>
}
