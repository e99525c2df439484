// RUN: fp8-opt %s --qt-merge-quantizers --qt-fuse-amax="blocks=true remarks=false" -o %t.mlir
// RUN: FileCheck %s --check-prefix=FUSED < %t.mlir
// RUN: fp8-run %t.mlir | FileCheck %s
// RUN: fp8-run %s | FileCheck %s
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// The amax that a producer returns is that of the numbers the quantizer reads: magnitudes, after the rounding to the
// stored type, of the sum that is stored and not of what goes into it, after bias and activation. Fused or not, a
// program gives the numbers that stand here.

// Six quantizers, each by the amax of the op before it.
// FUSED-COUNT-6: amax(
// FUSED-NOT: amax(

#m = affine_map<(d0, d1) -> (d0, d1)>
#v = affine_map<(d0, d1) -> (d1)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv, stored = encode>]>
#enc = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv, stored = encode>]>
#b = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 4] by fdiv, stored = encode>]>
#dec = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

// 1 where a scale is not the one wanted.
func.func private @differs(%s: f32, %wanted: f32) -> i64 {
  %c = arith.cmpf une, %s, %wanted : f32
  %r = arith.extui %c : i1 to i64
  return %r : i64
}
// How many codes differ.
func.func private @codes(%a: tensor<1x2xi8>, %b: tensor<1x2xi8>) -> i64 {
  %zero = arith.constant dense<0> : tensor<i64>
  %n = linalg.generic {indexing_maps = [#m, #m, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
         ins(%a, %b : tensor<1x2xi8>, tensor<1x2xi8>) outs(%zero : tensor<i64>) {
  ^bb0(%x: i8, %y: i8, %sum: i64):
    %differs = arith.cmpi ne, %x, %y : i8
    %one = arith.extui %differs : i1 to i64
    %next = arith.addi %sum, %one : i64
    linalg.yield %next : i64
  } -> tensor<i64>
  %r = tensor.extract %n[] : tensor<i64>
  return %r : i64
}

func.func @main() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<1x2xbf16>
  %ef = tensor.empty() : tensor<1x2xf32>

  // 257 stored as bf16 is 256: the scale is 448 / 256 = 1.75, not 448 / 257. And -5 counts as 5.
  %x = arith.constant dense<[[257.0, 1.0]]> : tensor<1x2xf32>
  %stored = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
              ins(%x : tensor<1x2xf32>) outs(%e : tensor<1x2xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<1x2xbf16>
  %q = qt.quantize %stored : tensor<1x2xbf16> to !qt.tensor<1x2xbf16, #fp8>
  %qc, %qs = qt.disassemble %q : !qt.tensor<1x2xbf16, #fp8> -> tensor<1x2xi8>, tensor<f32>
  %s0 = tensor.extract %qs[] : tensor<f32>
  %w0 = arith.constant 1.75 : f32
  %n0 = func.call @differs(%s0, %w0) : (f32, f32) -> i64

  // The residual sum: 2.5 and -5.5, which stay as they are in bf16; codes 208 and -448 under 448 / 5.5.
  %mm = arith.constant dense<[[1.0, -3.0]]> : tensor<1x2xbf16>
  %skip = arith.constant dense<[[1.5, -2.5]]> : tensor<1x2xbf16>
  %sum = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]}
           ins(%mm, %skip : tensor<1x2xbf16>, tensor<1x2xbf16>) outs(%e : tensor<1x2xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %0 = arith.addf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<1x2xbf16>
  %r = qt.quantize %sum : tensor<1x2xbf16> to !qt.tensor<1x2xbf16, #fp8>
  %rc, %rs = qt.disassemble %r : !qt.tensor<1x2xbf16, #fp8> -> tensor<1x2xi8>, tensor<f32>
  %s1 = tensor.extract %rs[] : tensor<f32>
  %w1 = arith.constant 0x42A2E8BA : f32
  %n1 = func.call @differs(%s1, %w1) : (f32, f32) -> i64
  %wanted = arith.constant dense<[[117, 254]]> : tensor<1x2xi8>
  %n2 = func.call @codes(%rc, %wanted) : (tensor<1x2xi8>, tensor<1x2xi8>) -> i64
  %y1b = tensor.extract %sum[%c0, %c1] : tensor<1x2xbf16>
  %y1 = arith.extf %y1b : bf16 to f32
  %w1y = arith.constant -5.5 : f32
  %n3 = func.call @differs(%y1, %w1y) : (f32, f32) -> i64

  // Bias and activation: 8 code units under a scale of 0.25, plus 1, is 3; relu of it, and of -3, is what is quantized.
  %lc = arith.constant dense<[[80]]> : tensor<1x1xi8>
  %rc1 = arith.constant dense<[[56], [184]]> : tensor<2x1xi8>
  %quarter = arith.constant dense<0.25> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %lhs = qt.assemble %lc, %quarter : tensor<1x1xi8>, tensor<f32> -> !qt.tensor<1x1xf32, #dec>
  %rhs = qt.assemble %rc1, %one : tensor<2x1xi8>, tensor<f32> -> !qt.tensor<2x1xf32, #dec>
  %bias = arith.constant dense<[[1.0, -1.0]]> : tensor<1x2xf32>
  %acc = qt.matmul %lhs, %rhs plus %bias : tensor<1x2xf32> : !qt.tensor<1x1xf32, #dec>, !qt.tensor<2x1xf32, #dec> -> tensor<1x2xf32>
  %zero = arith.constant 0.0 : f32
  %relu = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
            ins(%acc : tensor<1x2xf32>) outs(%ef : tensor<1x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    %1 = arith.addf %0, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x2xf32>
  %a = qt.quantize %relu : tensor<1x2xf32> to !qt.tensor<1x2xf32, #enc>
  %ac, %as = qt.disassemble %a : !qt.tensor<1x2xf32, #enc> -> tensor<1x2xi8>, tensor<1x1xf32>
  %s2 = tensor.extract %as[%c0, %c0] : tensor<1x1xf32>
  %w2 = arith.constant 0x42955555 : f32
  %n4 = func.call @differs(%s2, %w2) : (f32, f32) -> i64

  // A product that is quantized itself, and one that is rounded: 257 is 256 there too.
  %p = qt.quantize %acc : tensor<1x2xf32> to !qt.tensor<1x2xf32, #enc>
  %pc, %ps = qt.disassemble %p : !qt.tensor<1x2xf32, #enc> -> tensor<1x2xi8>, tensor<1x1xf32>
  %s3 = tensor.extract %ps[%c0, %c0] : tensor<1x1xf32>
  %w3 = arith.constant 0x43155555 : f32
  %n5 = func.call @differs(%s3, %w3) : (f32, f32) -> i64
  %bias1 = arith.constant dense<[[255.0, 0.0]]> : tensor<1x2xf32>
  %rounded = qt.matmul %lhs, %rhs plus %bias1 : tensor<1x2xf32> : !qt.tensor<1x1xf32, #dec>, !qt.tensor<2x1xf32, #dec> -> tensor<1x2xbf16>
  %o = qt.quantize %rounded : tensor<1x2xbf16> to !qt.tensor<1x2xbf16, #fp8>
  %oc, %os = qt.disassemble %o : !qt.tensor<1x2xbf16, #fp8> -> tensor<1x2xi8>, tensor<f32>
  %s4 = tensor.extract %os[] : tensor<f32>
  %n6 = func.call @differs(%s4, %w0) : (f32, f32) -> i64

  // Blocks of 4 in rows of 10, the last of 2 elements: amaxes 4, 8, 10 and then 0, 16, 20 of twice these.
  %long = arith.constant dense<[[1.0, -2.0, 3.0, -4.0, 5.0, 6.0, 7.0, -8.0, 9.0, -10.0],
                                [0.0, 0.0, 0.0, 0.0, 5.0, 6.0, 7.0, -8.0, 9.0, -10.0]]> : tensor<2x10xf32>
  %e10 = tensor.empty() : tensor<2x10xf32>
  %twice = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
             ins(%long : tensor<2x10xf32>) outs(%e10 : tensor<2x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %in : f32
    linalg.yield %0 : f32
  } -> tensor<2x10xf32>
  %k = qt.quantize %twice : tensor<2x10xf32> to !qt.tensor<2x10xf32, #b>
  %kc, %ks = qt.disassemble %k : !qt.tensor<2x10xf32, #b> -> tensor<2x10xi8>, tensor<2x3xf32>
  %s5 = tensor.extract %ks[%c0, %c0] : tensor<2x3xf32>
  %w5 = arith.constant 56.0 : f32
  %n7 = func.call @differs(%s5, %w5) : (f32, f32) -> i64
  %s6 = tensor.extract %ks[%c1, %c1] : tensor<2x3xf32>
  %w6 = arith.constant 28.0 : f32
  %n8 = func.call @differs(%s6, %w6) : (f32, f32) -> i64
  %s7 = tensor.extract %ks[%c1, %c2] : tensor<2x3xf32>
  %w7 = arith.constant 0x41B33333 : f32
  %n9 = func.call @differs(%s7, %w7) : (f32, f32) -> i64
  %s8 = tensor.extract %ks[%c1, %c0] : tensor<2x3xf32>
  %w8 = arith.constant 1.0 : f32
  %n10 = func.call @differs(%s8, %w8) : (f32, f32) -> i64

  %t0 = arith.addi %n0, %n1 : i64
  %t1 = arith.addi %t0, %n2 : i64
  %t2 = arith.addi %t1, %n3 : i64
  %t3 = arith.addi %t2, %n4 : i64
  %t4 = arith.addi %t3, %n5 : i64
  %t5 = arith.addi %t4, %n6 : i64
  %t6 = arith.addi %t5, %n7 : i64
  %t7 = arith.addi %t6, %n8 : i64
  %t8 = arith.addi %t7, %n9 : i64
  %t9 = arith.addi %t8, %n10 : i64
  return %t9 : i64
}
