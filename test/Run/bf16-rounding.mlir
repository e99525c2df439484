// Each bf16 operation rounds once, ties to even; NaN, infinities and subnormals are kept; f64 is not rounded twice.

// RUN: %python %S/Inputs/tensors.py write %t.in arg0=BF16:6:0x3f80,0x3f81,0x7f7f,0x0001,0x7f80,0xffc5 \
// RUN:   arg1=BF16:6:0x3b80,0x3b80,0x7b00,0x0001,0xff80,0x3f80 arg2=F64:2:1.00390625000000022,1.0039062499999998
// RUN: fp8-run %s --args=%t.in --out=%t.out
// RUN: %python %S/Inputs/tensors.py print %t.out | FileCheck %s

// 1 + 2^-8 is a tie between 1 and 1 + 2^-7: the even one. 1 + 2^-7 + 2^-8 is one, too: up. The largest number and a half
// of its last place: infinity. inf - inf: NaN. A NaN stays the same one.
// CHECK: result0 BF16 6 0x3f80 0x3f82 0x7f80 0x0002 0x{{[7f]}}fc0 0xffc5
// Just above and just below the tie; through f32 both would be on it.
// CHECK: result1 BF16 2 0x3f81 0x3f80
#id = affine_map<(d0) -> (d0)>
func.func @main(%a: tensor<6xbf16>, %b: tensor<6xbf16>, %c: tensor<2xf64>) -> (tensor<6xbf16>, tensor<2xbf16>) {
  %e = tensor.empty() : tensor<6xbf16>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<6xbf16>, tensor<6xbf16>) outs(%e : tensor<6xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %o: bf16):
    %s = arith.addf %x, %y : bf16
    linalg.yield %s : bf16
  } -> tensor<6xbf16>
  %f = tensor.empty() : tensor<2xbf16>
  %narrow = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%c : tensor<2xf64>) outs(%f : tensor<2xbf16>) {
  ^bb0(%x: f64, %o: bf16):
    %s = arith.truncf %x : f64 to bf16
    linalg.yield %s : bf16
  } -> tensor<2xbf16>
  return %sum, %narrow : tensor<6xbf16>, tensor<2xbf16>
}
