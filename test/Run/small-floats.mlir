// All 65536 bf16 and f16 numbers widened, and f32 numbers around every one of them narrowed again.

// RUN: fp8-run %s --out=%t.out
// RUN: %python %S/Inputs/check_small_floats.py %t.out | FileCheck %s
// CHECK: checked 65536 widened, {{[0-9]+}} narrowed of bf16 and f16: no difference
#id = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
func.func @main() -> (tensor<65536xf32>, tensor<65536xf32>, tensor<65536x8xi32>, tensor<65536x8xi16>, tensor<65536x8xi16>) {
  %c = arith.constant 8191 : i32
  %e = tensor.empty() : tensor<65536xf32>
  %wide:2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      outs(%e, %e : tensor<65536xf32>, tensor<65536xf32>) {
  ^bb0(%o: f32, %p: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i16
    %b = arith.bitcast %n : i16 to bf16
    %h = arith.bitcast %n : i16 to f16
    %bw = arith.extf %b : bf16 to f32
    %hw = arith.extf %h : f16 to f32
    linalg.yield %bw, %hw : f32, f32
  } -> (tensor<65536xf32>, tensor<65536xf32>)
  %ei = tensor.empty() : tensor<65536x8xi32>
  %bits = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%ei : tensor<65536x8xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %m = arith.index_cast %j : index to i32
    %sixteen = arith.constant 16 : i32
    %top = arith.shli %n, %sixteen : i32
    // 0, 8191, 16382, ... and one past each: ties of both formats and their neighbours.
    %one = arith.constant 1 : i32
    %half = arith.shrui %m, %one : i32
    %low = arith.muli %half, %c : i32
    %odd = arith.andi %m, %one : i32
    %low2 = arith.addi %low, %odd : i32
    %r = arith.addi %top, %low2 : i32
    linalg.yield %r : i32
  } -> tensor<65536x8xi32>
  %es = tensor.empty() : tensor<65536x8xi16>
  %narrow:2 = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%bits : tensor<65536x8xi32>) outs(%es, %es : tensor<65536x8xi16>, tensor<65536x8xi16>) {
  ^bb0(%x: i32, %o: i16, %p: i16):
    %f = arith.bitcast %x : i32 to f32
    %b = arith.truncf %f : f32 to bf16
    %h = arith.truncf %f : f32 to f16
    %bi = arith.bitcast %b : bf16 to i16
    %hi = arith.bitcast %h : f16 to i16
    linalg.yield %bi, %hi : i16, i16
  } -> (tensor<65536x8xi16>, tensor<65536x8xi16>)
  return %wide#0, %wide#1, %bits, %narrow#0, %narrow#1
    : tensor<65536xf32>, tensor<65536xf32>, tensor<65536x8xi32>, tensor<65536x8xi16>, tensor<65536x8xi16>
}
