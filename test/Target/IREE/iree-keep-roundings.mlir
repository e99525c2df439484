// RUN: fp8-opt %s --iree-keep-roundings | FileCheck %s

// A bf16 number becomes f32 through its sign bits, which IREE does not read as an extf that it could fold; the rounding
// before it stays as it is.

#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func @round
// CHECK: %[[T:.*]] = arith.truncf %{{.*}} : f32 to bf16
// CHECK: %[[B:.*]] = arith.bitcast %[[T]] : bf16 to i16
// CHECK: %[[W:.*]] = arith.extsi %[[B]] : i16 to i32
// CHECK: %[[S:.*]] = arith.shli %[[W]], %{{.*}} : i32
// CHECK: %[[F:.*]] = arith.bitcast %[[S]] : i32 to f32
// CHECK: linalg.yield %[[F]]
func.func @round(%x: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.truncf %a : f32 to bf16
    %f = arith.extf %t : bf16 to f32
    linalg.yield %f : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// Arithmetic rounds after each operation. A comparison has nothing to round.

// CHECK-LABEL: func @arithmetic
// CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: arith.truncf %[[P]] : f32 to bf16
// CHECK: %[[S:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: arith.truncf %[[S]] : f32 to bf16
// CHECK: arith.cmpf ogt, %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: arith.select %{{.*}} : bf16
func.func @arithmetic(%x: tensor<8xbf16>, %y: tensor<8xbf16>) -> tensor<8xbf16> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xbf16>) outs(%y : tensor<8xbf16>) {
  ^bb0(%a: bf16, %b: bf16):
    %p = arith.mulf %a, %b : bf16
    %s = arith.addf %p, %b : bf16
    %c = arith.cmpf ogt, %s, %a : bf16
    %m = arith.select %c, %s, %a : bf16
    linalg.yield %m : bf16
  } -> tensor<8xbf16>
  return %r : tensor<8xbf16>
}

// A contraction stays what engines know as one; f16 is not IREE's concern.

// CHECK-LABEL: func @others
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: arith.extf %{{.*}} : f16 to f32
func.func @others(%x: tensor<4x8xbf16>, %y: tensor<8x4xbf16>, %z: tensor<4x4xf32>, %h: f16) -> (tensor<4x4xf32>, f32) {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<4x8xbf16>, tensor<8x4xbf16>) outs(%z : tensor<4x4xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %fa = arith.extf %a : bf16 to f32
    %fb = arith.extf %b : bf16 to f32
    %p = arith.mulf %fa, %fb : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %f = arith.extf %h : f16 to f32
  return %r, %f : tensor<4x4xf32>, f32
}

// Floats of eight bits are not bf16: what they are as bf16 is rounded from f32, without a change.

// CHECK-LABEL: func @codes
// CHECK: %[[F:.*]] = arith.extf %{{.*}} : f8E4M3FN to f32
// CHECK: arith.truncf %[[F]] : f32 to bf16
func.func @codes(%x: tensor<8xf8E4M3FN>, %y: tensor<8xbf16>) -> tensor<8xbf16> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf8E4M3FN>) outs(%y : tensor<8xbf16>) {
  ^bb0(%a: f8E4M3FN, %b: bf16):
    %w = arith.extf %a : f8E4M3FN to bf16
    linalg.yield %w : bf16
  } -> tensor<8xbf16>
  return %r : tensor<8xbf16>
}
