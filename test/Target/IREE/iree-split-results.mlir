// RUN: fp8-opt %s --iree-split-results | FileCheck %s

// Each result becomes an op of its own; IREE 3.13 miscounts what an op yields when it drops a result without a reader.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-LABEL: func @both
func.func @both(%x: tensor<4x8xf32>, %e: tensor<4x8xbf16>, %a: tensor<4x1xf32>) -> (tensor<4x8xbf16>, tensor<4x1xf32>) {
  // CHECK: %[[Y:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ID]]], iterator_types = ["parallel", "parallel"]}
  // CHECK-NOT: arith.maximumf
  // CHECK: %[[M:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ROW]]], iterator_types = ["parallel", "reduction"]}
  // CHECK: arith.truncf
  // CHECK: arith.maximumf
  // CHECK: return %[[Y]], %[[M]]
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]}
           ins(%x : tensor<4x8xf32>) outs(%e, %a : tensor<4x8xbf16>, tensor<4x1xf32>) {
  ^bb0(%in: f32, %o: bf16, %m: f32):
    %t = arith.truncf %in : f32 to bf16
    %w = arith.extf %t : bf16 to f32
    %v = math.absf %w : f32
    %n = arith.maximumf %v, %m : f32
    linalg.yield %t, %n : bf16, f32
  } -> (tensor<4x8xbf16>, tensor<4x1xf32>)
  return %r#0, %r#1 : tensor<4x8xbf16>, tensor<4x1xf32>
}

// So do results over the same loops.
// CHECK-LABEL: func @same
func.func @same(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK: %[[A:.*]] = linalg.generic
  // CHECK: %[[B:.*]] = linalg.generic
  // CHECK: return %[[A]], %[[B]]
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
           ins(%x : tensor<4x8xf32>) outs(%e, %e : tensor<4x8xf32>, tensor<4x8xf32>) {
  ^bb0(%in: f32, %o: f32, %p: f32):
    %t = arith.negf %in : f32
    linalg.yield %t, %in : f32, f32
  } -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return %r#0, %r#1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// A reduction of what is no operand has its sizes from the other result: that one's init stays an operand, unread.
// CHECK-LABEL: func @indices
// CHECK-SAME: (%[[E:[a-z0-9]+]]: tensor<4x8xf32>, %[[A:[a-z0-9]+]]: tensor<4x1xf32>)
func.func @indices(%e: tensor<4x8xf32>, %a: tensor<4x1xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>) {
  // CHECK: linalg.generic {indexing_maps = [#[[ID]]], iterator_types = ["parallel", "parallel"]} outs(%[[E]]
  // CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[ROW]]], iterator_types = ["parallel", "reduction"]} ins(%[[E]] : {{.*}}) outs(%[[A]]
  %r:2 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
           outs(%e, %a : tensor<4x8xf32>, tensor<4x1xf32>) {
  ^bb0(%o: f32, %m: f32):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i32
    %t = arith.sitofp %k : i32 to f32
    %n = arith.maximumf %t, %m : f32
    linalg.yield %t, %n : f32, f32
  } -> (tensor<4x8xf32>, tensor<4x1xf32>)
  return %r#0, %r#1 : tensor<4x8xf32>, tensor<4x1xf32>
}
