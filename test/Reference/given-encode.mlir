// RUN: fp8-opt %s --recipe=%S/Inputs/all_fp8_current.mlir -o %t.mlirbc 2> %t.err
// RUN: FileCheck %s < %t.err
// RUN: %python %S/Inputs/given_encode.py %t.args
// RUN: fp8-run %t.mlirbc --args=%t.args --out=%t.codes
// RUN: fp8-run %t.mlirbc --args=%t.args --function=main_unquantized --out=%t.graph
// RUN: cmp %t.codes %t.graph

// A graph's own quantizations become quantizers and its products products of codes, without a bit that changes: 2000 numbers
// of all sizes, infinities and minus zero; scales that are no powers of two, times and divided by, clamped and not. The
// products are with a unit matrix, so that each sum is one number.

// CHECK-COUNT-3: recognized:
// CHECK: 3 of 3 contractions

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%x: tensor<50x40xf32>, %s: tensor<f32>, %rows: tensor<50xf32>, %unit: tensor<40x40xf8E4M3FN>)
    -> (tensor<50x40xf32>, tensor<50x40xf32>, tensor<50x40xf32>) {
  %z = arith.constant dense<0.0> : tensor<50x40xf32>
  %e = tensor.empty() : tensor<50x40xf32>
  %sb = linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<50x40xf32>) dimensions = [0, 1]
  %max = arith.constant dense<448.0> : tensor<50x40xf32>
  %min = arith.constant dense<-448.0> : tensor<50x40xf32>
  %m0 = arith.mulf %x, %sb : tensor<50x40xf32>
  %l0 = arith.maximumf %m0, %min : tensor<50x40xf32>
  %u0 = arith.minimumf %l0, %max : tensor<50x40xf32>
  %q0 = arith.truncf %u0 : tensor<50x40xf32> to tensor<50x40xf8E4M3FN>
  %one = arith.constant dense<1.0> : tensor<f32>
  %inverse = arith.divf %one, %s : tensor<f32>
  %ib = linalg.broadcast ins(%inverse : tensor<f32>) outs(%e : tensor<50x40xf32>) dimensions = [0, 1]
  %w0 = arith.extf %q0 : tensor<50x40xf8E4M3FN> to tensor<50x40xf32>
  %d0 = arith.mulf %w0, %ib : tensor<50x40xf32>
  %r0 = linalg.matmul ins(%d0, %unit : tensor<50x40xf32>, tensor<40x40xf8E4M3FN>) outs(%z : tensor<50x40xf32>) -> tensor<50x40xf32>

  %rb = linalg.broadcast ins(%rows : tensor<50xf32>) outs(%e : tensor<50x40xf32>) dimensions = [1]
  %m1 = arith.divf %x, %rb : tensor<50x40xf32>
  %l1 = arith.maximumf %m1, %min : tensor<50x40xf32>
  %u1 = arith.minimumf %l1, %max : tensor<50x40xf32>
  %q1 = arith.truncf %u1 : tensor<50x40xf32> to tensor<50x40xf8E4M3FN>
  %w1 = arith.extf %q1 : tensor<50x40xf8E4M3FN> to tensor<50x40xf32>
  %d1 = arith.mulf %w1, %rb : tensor<50x40xf32>
  %r1 = linalg.matmul ins(%d1, %unit : tensor<50x40xf32>, tensor<40x40xf8E4M3FN>) outs(%z : tensor<50x40xf32>) -> tensor<50x40xf32>

  // Beyond the largest code there is an infinity, which a unit matrix would make NaN: those rows are scaled down.
  %e5 = tensor.empty() : tensor<50x40xf8E5M2>
  %q2 = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%u0, %rows : tensor<50x40xf32>, tensor<50xf32>) outs(%e5 : tensor<50x40xf8E5M2>) {
  ^bb0(%v: f32, %by: f32, %o: f8E5M2):
    %p = arith.mulf %v, %by : f32
    %r = arith.truncf %p : f32 to f8E5M2
    linalg.yield %r : f8E5M2
  } -> tensor<50x40xf8E5M2>
  %r2 = linalg.matmul ins(%q2, %unit : tensor<50x40xf8E5M2>, tensor<40x40xf8E4M3FN>) outs(%z : tensor<50x40xf32>) -> tensor<50x40xf32>
  return %r0, %r1, %r2 : tensor<50x40xf32>, tensor<50x40xf32>, tensor<50x40xf32>
}
