// RUN: fp8-opt %s --fp8-import-linalg --split-input-file | FileCheck %s

// What TOSA's lowering makes of a concatenation, in any order of the insertions.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[A:.*]]: tensor<2x4xf32>, %[[B:.*]]: tensor<2x3xf32>, %[[C:.*]]: tensor<2x1xf32>
// CHECK-NEXT: %[[R:.*]] = tensor.concat dim(1) %[[A]], %[[B]], %[[C]] : (tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @main(%a: tensor<2x4xf32>, %b: tensor<2x3xf32>, %c: tensor<2x1xf32>) -> tensor<2x8xf32> {
  %e = tensor.empty() : tensor<2x8xf32>
  %0 = tensor.insert_slice %a into %e[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x8xf32>
  %1 = tensor.insert_slice %c into %0[0, 7] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<2x8xf32>
  %2 = tensor.insert_slice %b into %1[0, 4] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}

// -----

// What StableHLO's lowering makes of one.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[A:.*]]: tensor<2x4xbf16>, %[[B:.*]]: tensor<3x4xbf16>, %[[C:.*]]: tensor<1x4xbf16>
// CHECK-NOT: linalg.generic
// CHECK: %[[R:.*]] = tensor.concat dim(0) %[[A]], %[[B]], %[[C]] : (tensor<2x4xbf16>, tensor<3x4xbf16>, tensor<1x4xbf16>) -> tensor<6x4xbf16>
// CHECK-NEXT: return %[[R]]
func.func @main(%a: tensor<2x4xbf16>, %b: tensor<3x4xbf16>, %c: tensor<1x4xbf16>) -> tensor<6x4xbf16> {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<6x4xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<6x4xbf16>) {
  ^bb0(%o: bf16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %isA = arith.cmpi ult, %i, %c2 : index
    %v = scf.if %isA -> (bf16) {
      %x = tensor.extract %a[%i, %j] : tensor<2x4xbf16>
      scf.yield %x : bf16
    } else {
      %isB = arith.cmpi ult, %i, %c5 : index
      %w = scf.if %isB -> (bf16) {
        %k = arith.subi %i, %c2 : index
        %x = tensor.extract %b[%k, %j] : tensor<3x4xbf16>
        scf.yield %x : bf16
      } else {
        %k = arith.subi %i, %c5 : index
        %x = tensor.extract %c[%k, %j] : tensor<1x4xbf16>
        scf.yield %x : bf16
      }
      scf.yield %w : bf16
    }
    linalg.yield %v : bf16
  } -> tensor<6x4xbf16>
  return %r : tensor<6x4xbf16>
}

// -----

// No concatenations: a gap, an overlap, insertions along two dimensions, one that is read between, a size that is not known; a choice
// that reads another place, in another order or more than there is.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tensor.concat
// CHECK: return
func.func @main(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>, %d: tensor<2x?xf32>, %n: index)
    -> (tensor<2x9xf32>, tensor<2x7xf32>, tensor<4x4xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x?xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<5x4xf32>) {
  %e9 = tensor.empty() : tensor<2x9xf32>
  %gap0 = tensor.insert_slice %a into %e9[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x9xf32>
  %gap = tensor.insert_slice %b into %gap0[0, 5] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x9xf32>
  %e7 = tensor.empty() : tensor<2x7xf32>
  %over0 = tensor.insert_slice %a into %e7[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x7xf32>
  %over = tensor.insert_slice %b into %over0[0, 3] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x7xf32>
  %e4 = tensor.empty() : tensor<4x4xf32>
  %half = tensor.extract_slice %b[0, 0] [2, 2] [1, 1] : tensor<2x4xf32> to tensor<2x2xf32>
  %two0 = tensor.insert_slice %a into %e4[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
  %two1 = tensor.insert_slice %half into %two0[2, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x4xf32>
  %two = tensor.insert_slice %half into %two1[2, 2] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x4xf32>
  %e8 = tensor.empty() : tensor<2x8xf32>
  %read0 = tensor.insert_slice %a into %e8[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x8xf32>
  %read = tensor.insert_slice %b into %read0[0, 4] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x8xf32>
  %ed = tensor.empty(%n) : tensor<2x?xf32>
  %dynamic = tensor.insert_slice %a into %ed[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x?xf32>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %shifted = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e4 : tensor<4x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %isA = arith.cmpi ult, %i, %c2 : index
    %v = scf.if %isA -> (f32) {
      %x = tensor.extract %a[%i, %j] : tensor<2x4xf32>
      scf.yield %x : f32
    } else {
      %k = arith.subi %i, %c1 : index
      %x = tensor.extract %b[%k, %j] : tensor<2x4xf32>
      scf.yield %x : f32
    }
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %turned = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]} outs(%e4 : tensor<4x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %isA = arith.cmpi ult, %i, %c2 : index
    %v = scf.if %isA -> (f32) {
      %x = tensor.extract %a[%i, %j] : tensor<2x4xf32>
      scf.yield %x : f32
    } else {
      %k = arith.subi %i, %c2 : index
      %x = tensor.extract %b[%k, %j] : tensor<2x4xf32>
      scf.yield %x : f32
    }
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %e5 = tensor.empty() : tensor<5x4xf32>
  %c3 = arith.constant 3 : index
  %beyond = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e5 : tensor<5x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %isA = arith.cmpi ult, %i, %c3 : index
    %v = scf.if %isA -> (f32) {
      %x = tensor.extract %a[%i, %j] : tensor<2x4xf32>
      scf.yield %x : f32
    } else {
      %k = arith.subi %i, %c3 : index
      %x = tensor.extract %b[%k, %j] : tensor<2x4xf32>
      scf.yield %x : f32
    }
    linalg.yield %v : f32
  } -> tensor<5x4xf32>
  return %gap, %over, %two, %read0, %read, %dynamic, %shifted, %turned, %beyond : tensor<2x9xf32>, tensor<2x7xf32>, tensor<4x4xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x?xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<5x4xf32>
}
