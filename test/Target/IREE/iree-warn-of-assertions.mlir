// RUN: fp8-opt %s --iree-warn-of-assertions --verify-diagnostics
//
// Assertions in bodies of linalg ops are warned of once a function; others IREE checks.

func.func @main(%ids: tensor<2xi64>, %table: tensor<3xf32>, %same: i1) -> tensor<2xf32> {
  cf.assert %same, "sizes differ"
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : i64
  %e = tensor.empty() : tensor<2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%ids : tensor<2xi64>) outs(%e : tensor<2xf32>) {
  ^bb0(%id: i64, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %below = arith.cmpi slt, %i, %c3 : index
    // expected-warning @+1 {{not checked by IREE, as it stands in the body of an op: "index must be smaller than dim size", the first of 2 such assertions of 'main'}}
    cf.assert %below, "index must be smaller than dim size"
    %above = arith.cmpi sge, %id, %c0 : i64
    cf.assert %above, "index must be larger or equal to 0"
    %v = tensor.extract %table[%i] : tensor<3xf32>
    linalg.yield %v : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

func.func @quiet(%same: i1) {
  cf.assert %same, "sizes differ"
  return
}
