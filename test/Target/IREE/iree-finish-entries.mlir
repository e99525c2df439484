// RUN: fp8-opt %s --iree-finish-entries --split-input-file --verify-diagnostics | FileCheck %s

// Entry points take and return tensors; what they were is in the reflection, in the text of MLIR. Other functions are
// private.

module attributes {qt.signature = #qt.signature<arguments = [#qt.value<"scale", input>, #qt.value<"n", input>, #qt.value<"w", parameter>] results = [#qt.value<"loss", unknown>, #qt.value<"count", unknown>]>} {
  // CHECK-LABEL: func @main
  // CHECK-SAME: (%[[S:.*]]: tensor<f32>, %[[N:.*]]: tensor<i64>, %{{.*}}: tensor<4xf32>) -> (tensor<f32>, tensor<i64>)
  // CHECK-SAME: iree.reflection = {fp8.device = "\22local-task\22", fp8.signature = "#qt.signature<{{.*}}>", fp8.type = "(f32, index, tensor<4xf32>) -> (f32, index)", fp8.weights = "[]"}
  // CHECK-NOT: qt.role
  // CHECK-DAG: %[[F:.*]] = tensor.extract %[[S]][] : tensor<f32>
  // CHECK-DAG: %[[E:.*]] = tensor.extract %[[N]][] : tensor<i64>
  // CHECK-DAG: %[[I:.*]] = arith.index_cast %[[E]] : i64 to index
  // CHECK: %[[C:.*]]:2 = call @callee(%[[F]], %[[I]])
  // CHECK: %[[L:.*]] = tensor.from_elements %[[C]]#0 : tensor<f32>
  // CHECK: %[[R:.*]] = arith.index_cast %[[C]]#1 : index to i64
  // CHECK: %[[K:.*]] = tensor.from_elements %[[R]] : tensor<i64>
  // CHECK: return %[[L]], %[[K]]
  func.func @main(%s: f32, %n: index, %w: tensor<4xf32> {qt.role = #qt.role<weight>}) -> (f32, index) {
    %l, %c = call @callee(%s, %n) : (f32, index) -> (f32, index)
    return %l, %c : f32, index
  }
  // CHECK: func private @callee(%{{.*}}: f32, %{{.*}}: index) -> (f32, index)
  func.func @callee(%s: f32, %n: index) -> (f32, index) {
    return %s, %n : f32, index
  }
  // The program as imported is an entry point too.
  // CHECK: func @main_unquantized(%{{.*}}: tensor<f32>{{.*}}fp8.quantizers = "[]"
  func.func @main_unquantized(%s: f32, %n: index, %w: tensor<4xf32>) -> (f32, index) {
    return %s, %n : f32, index
  }
}

// -----

// expected-error @below {{expected a function 'main' with a body, got none}}
module {
  func.func @other() {
    return
  }
}
