// RUN: fp8-opt %s --fp8-import-elementwise --split-input-file --verify-diagnostics | FileCheck %s

// Arithmetic on whole tensors becomes linalg, and no constant is folded: codes that are constants stay codes.

// CHECK-LABEL: func.func @constants
// CHECK: %[[C:.*]] = arith.constant dense<{{.*}}> : tensor<2xf8E4M3FN>
// CHECK: linalg.generic {{.*}} ins(%[[C]] : tensor<2xf8E4M3FN>)
// CHECK: arith.extf
func.func @constants() -> tensor<2xf32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FN>
  %w = arith.extf %c : tensor<2xf8E4M3FN> to tensor<2xf32>
  return %w : tensor<2xf32>
}

// A scaling cast is a cast and a product or quotient, on tensors and in bodies.
// CHECK-LABEL: func.func @scaling
// CHECK-NOT: scaling
// CHECK: arith.extf %{{.*}} : f4E2M1FN to bf16
// CHECK: arith.extf %{{.*}} : f8E8M0FNU to bf16
// CHECK: arith.mulf
// CHECK: arith.extf %{{.*}} : f8E8M0FNU to f32
// CHECK: arith.divf %{{.*}}, %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} to_nearest_even : f32 to f8E4M3FN
func.func @scaling(%x: tensor<4xf4E2M1FN>, %s: tensor<4xf8E8M0FNU>, %y: tensor<4xf32>) -> (tensor<4xbf16>, tensor<4xf8E4M3FN>) {
  %0 = arith.scaling_extf %x, %s : tensor<4xf4E2M1FN>, tensor<4xf8E8M0FNU> to tensor<4xbf16>
  %e = tensor.empty() : tensor<4xf8E4M3FN>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%y, %s : tensor<4xf32>, tensor<4xf8E8M0FNU>) outs(%e : tensor<4xf8E4M3FN>) {
  ^bb0(%v: f32, %by: f8E8M0FNU, %o: f8E4M3FN):
    %r = arith.scaling_truncf %v, %by to_nearest_even : f32, f8E8M0FNU to f8E4M3FN
    linalg.yield %r : f8E4M3FN
  } -> tensor<4xf8E4M3FN>
  return %0, %1 : tensor<4xbf16>, tensor<4xf8E4M3FN>
}

// Constants that are powers of two need no rounding.
// CHECK-LABEL: func.func @powers
// CHECK-NOT: scaling
func.func @powers(%x: tensor<2xf32>) -> tensor<2xf8E4M3FN> {
  %s = arith.constant dense<[0.5, 4.0]> : tensor<2xf32>
  %0 = arith.scaling_truncf %x, %s : tensor<2xf32>, tensor<2xf32> to tensor<2xf8E4M3FN>
  return %0 : tensor<2xf8E4M3FN>
}

// -----

func.func @constant(%x: tensor<2xf32>) -> tensor<2xf8E4M3FN> {
  %s = arith.constant dense<[0.5, 1.6]> : tensor<2xf32>
  // expected-error @+1 {{expected scales of type f8E8M0FNU, or constants that are powers of two, got a constant that is none, of type 'tensor<2xf32>'}}
  %0 = arith.scaling_truncf %x, %s : tensor<2xf32>, tensor<2xf32> to tensor<2xf8E4M3FN>
  return %0 : tensor<2xf8E4M3FN>
}

// -----

func.func @variable(%x: tensor<2xf4E2M1FN>, %s: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{expected scales of type f8E8M0FNU, or constants that are powers of two, got scales of type 'tensor<2xf32>'}}
  %0 = arith.scaling_extf %x, %s : tensor<2xf4E2M1FN>, tensor<2xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Linalg's names for it become generic too, with what the user has written on them, and a softmax what it computes; names for
// movement stay, and so do ops on buffers.
// CHECK-LABEL: func.func @named
// CHECK: linalg.generic {{.*}} attrs = {mine = 1 : i32}
// CHECK: arith.addf
// CHECK: linalg.generic {indexing_maps = [#[[$TURNED:.*]], #{{.*}}], iterator_types = ["parallel", "parallel"]}
// CHECK: math.exp
// CHECK: linalg.copy
// CHECK: linalg.fill
// CHECK: linalg.transpose
// CHECK: linalg.broadcast
// CHECK: linalg.generic
// CHECK: math.absf
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], iterator_types = ["parallel", "reduction"]}
// CHECK: arith.addf
// CHECK: arith.maxnumf
// CHECK: arith.subf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
// CHECK-NOT: linalg.softmax
// CHECK: linalg.add {{.*}}memref
func.func @named(%x: tensor<4x4xf32>, %v: tensor<4xf32>, %m: memref<4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %zero = arith.constant 0.0 : f32
  %0 = linalg.add {mine = 1 : i32} ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<exp> indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>]
    ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.copy ins(%1 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = linalg.transpose ins(%2 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %5 = linalg.broadcast ins(%v : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
  %6 = linalg.map { math.absf } ins(%5 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>)
  %7 = linalg.reduce { arith.addf } ins(%6 : tensor<4x4xf32>) outs(%v : tensor<4xf32>) dimensions = [1]
  %8 = linalg.softmax dimension(1) ins(%6 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  linalg.add ins(%m, %m : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>)
  return %3, %4, %7, %8 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>
}

// What is generated of indices.
// CHECK-LABEL: func.func @generated
// CHECK-NOT: tensor.generate
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: linalg.index 0
// CHECK: tensor.extract
// CHECK: math.erf
func.func @generated(%x: tensor<4x?xf32>, %n: index) -> tensor<4x?xf32> {
  %g = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %e = tensor.extract %x[%i, %j] : tensor<4x?xf32>
    %m = math.erf %e : f32
    tensor.yield %m : f32
  } : tensor<4x?xf32>
  return %g : tensor<4x?xf32>
}
