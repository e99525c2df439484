// A failed assertion of the graph is an error with its place.

// RUN: %python %S/Inputs/tensors.py write %t.good arg0=I64:2:1,0
// RUN: fp8-run %s --args=%t.good | FileCheck %s
// CHECK: result0: 2xF32 = [20, 10]
// RUN: %python %S/Inputs/tensors.py write %t.bad arg0=I64:2:1,7
// RUN: not fp8-run %s --args=%t.bad --out=%t.none 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not ls %t.none
// ERROR: fp8-run: {{.*}}assert.mlir{{.*}}:19:5: assertion of the graph failed: expected an index below 3
func.func @main(%ids: tensor<2xi64>) -> tensor<2xf32> {
  %table = arith.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%ids : tensor<2xi64>) outs(%e : tensor<2xf32>) {
  ^bb0(%id: i64, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %ok = arith.cmpi ult, %i, %c3 : index
    cf.assert %ok, "expected an index below 3"
    %v = tensor.extract %table[%i] : tensor<3xf32>
    linalg.yield %v : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}
