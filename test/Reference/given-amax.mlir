// RUN: fp8-run %s | FileCheck %s
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// Quantizing by an amax that qt.amax computed, and quantizing in two orientations at once, have the bits of quantizing:
// per tensor, row, partial block and two levels, with a NaN, an infinity and a block of zeros among the numbers.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#te = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv_te>]>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 4] by rceil_mul>]>
#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 4] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>

// How many codes differ.
func.func private @differ(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>) -> i64 {
  %zero = arith.constant dense<0> : tensor<i64>
  %n = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
                       iterator_types = ["reduction", "reduction"]}
         ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%zero : tensor<i64>) {
  ^bb0(%x: i8, %y: i8, %sum: i64):
    %differs = arith.cmpi ne, %x, %y : i8
    %one = arith.extui %differs : i1 to i64
    %next = arith.addi %sum, %one : i64
    linalg.yield %next : i64
  } -> tensor<i64>
  %r = tensor.extract %n[] : tensor<i64>
  return %r : i64
}

func.func private @tensor(%x: tensor<3x10xbf16>) -> i64 {
  %a = qt.amax %x <per tensor> : tensor<3x10xbf16> -> tensor<f32>
  %q = qt.quantize %x amax(%a : tensor<f32>) : tensor<3x10xbf16> to !qt.tensor<3x10xbf16, #fp8>
  %p = qt.quantize %x : tensor<3x10xbf16> to !qt.tensor<3x10xbf16, #fp8>
  %qc, %qs = qt.disassemble %q : !qt.tensor<3x10xbf16, #fp8> -> tensor<3x10xi8>, tensor<f32>
  %pc, %ps = qt.disassemble %p : !qt.tensor<3x10xbf16, #fp8> -> tensor<3x10xi8>, tensor<f32>
  %u = tensor.cast %qc : tensor<3x10xi8> to tensor<?x?xi8>
  %v = tensor.cast %pc : tensor<3x10xi8> to tensor<?x?xi8>
  %n = call @differ(%u, %v) : (tensor<?x?xi8>, tensor<?x?xi8>) -> i64
  return %n : i64
}

func.func private @row(%x: tensor<3x10xbf16>) -> i64 {
  %a = qt.amax %x <per block [1, *], nan = ignore> : tensor<3x10xbf16> -> tensor<3x1xf32>
  %q = qt.quantize %x amax(%a : tensor<3x1xf32>) : tensor<3x10xbf16> to !qt.tensor<3x10xbf16, #te>
  %p = qt.quantize %x : tensor<3x10xbf16> to !qt.tensor<3x10xbf16, #te>
  %qc, %qs = qt.disassemble %q : !qt.tensor<3x10xbf16, #te> -> tensor<3x10xi8>, tensor<3x1xf32>
  %pc, %ps = qt.disassemble %p : !qt.tensor<3x10xbf16, #te> -> tensor<3x10xi8>, tensor<3x1xf32>
  %u = tensor.cast %qc : tensor<3x10xi8> to tensor<?x?xi8>
  %v = tensor.cast %pc : tensor<3x10xi8> to tensor<?x?xi8>
  %n = call @differ(%u, %v) : (tensor<?x?xi8>, tensor<?x?xi8>) -> i64
  return %n : i64
}

func.func private @blocks(%x: tensor<3x10xbf16>) -> i64 {
  %a = qt.amax %x <per block [1, 4]> : tensor<3x10xbf16> -> tensor<3x3xf32>
  %q = qt.quantize %x amax(%a : tensor<3x3xf32>) : tensor<3x10xbf16> to !qt.tensor<3x10xbf16, #mx>
  %p = qt.quantize %x : tensor<3x10xbf16> to !qt.tensor<3x10xbf16, #mx>
  %qc, %qs = qt.disassemble %q : !qt.tensor<3x10xbf16, #mx> -> tensor<3x10xi8>, tensor<3x3xi8>
  %pc, %ps = qt.disassemble %p : !qt.tensor<3x10xbf16, #mx> -> tensor<3x10xi8>, tensor<3x3xi8>
  %u = tensor.cast %qc : tensor<3x10xi8> to tensor<?x?xi8>
  %v = tensor.cast %pc : tensor<3x10xi8> to tensor<?x?xi8>
  %n = call @differ(%u, %v) : (tensor<?x?xi8>, tensor<?x?xi8>) -> i64
  %us = tensor.cast %qs : tensor<3x3xi8> to tensor<?x?xi8>
  %vs = tensor.cast %ps : tensor<3x3xi8> to tensor<?x?xi8>
  %m = call @differ(%us, %vs) : (tensor<?x?xi8>, tensor<?x?xi8>) -> i64
  %r = arith.addi %n, %m : i64
  return %r : i64
}

func.func private @levels(%x: tensor<3x10xbf16>) -> i64 {
  %a = qt.amax %x <per tensor> : tensor<3x10xbf16> -> tensor<f32>
  %q = qt.quantize %x amax(%a : tensor<f32>) : tensor<3x10xbf16> to !qt.tensor<3x10xbf16, #nv>
  %p = qt.quantize %x : tensor<3x10xbf16> to !qt.tensor<3x10xbf16, #nv>
  %qc, %qs, %qt = qt.disassemble %q : !qt.tensor<3x10xbf16, #nv> -> tensor<3x10xi8>, tensor<3x3xi8>, tensor<f32>
  %pc, %ps, %pt = qt.disassemble %p : !qt.tensor<3x10xbf16, #nv> -> tensor<3x10xi8>, tensor<3x3xi8>, tensor<f32>
  %u = tensor.cast %qc : tensor<3x10xi8> to tensor<?x?xi8>
  %v = tensor.cast %pc : tensor<3x10xi8> to tensor<?x?xi8>
  %n = call @differ(%u, %v) : (tensor<?x?xi8>, tensor<?x?xi8>) -> i64
  %us = tensor.cast %qs : tensor<3x3xi8> to tensor<?x?xi8>
  %vs = tensor.cast %ps : tensor<3x3xi8> to tensor<?x?xi8>
  %m = call @differ(%us, %vs) : (tensor<?x?xi8>, tensor<?x?xi8>) -> i64
  %r = arith.addi %n, %m : i64
  return %r : i64
}

// Along rows and along columns at once, against one after the other; the second with a given amax.
func.func private @orientations(%x: tensor<3x10xbf16>) -> i64 {
  %columns = qt.amax %x <per block [*, 1]> : tensor<3x10xbf16> -> tensor<1x10xf32>
  %q:2 = qt.multi_quantize %x permutations [[0, 1], [1, 0]] amax(%columns : tensor<1x10xf32>) reads [-1, 0]
           : tensor<3x10xbf16> to !qt.tensor<3x10xbf16, #mx>, !qt.tensor<10x3xbf16, #row>
  %empty = tensor.empty() : tensor<10x3xbf16>
  %t = linalg.transpose ins(%x : tensor<3x10xbf16>) outs(%empty : tensor<10x3xbf16>) permutation = [1, 0]
  %p0 = qt.quantize %x : tensor<3x10xbf16> to !qt.tensor<3x10xbf16, #mx>
  %p1 = qt.quantize %t : tensor<10x3xbf16> to !qt.tensor<10x3xbf16, #row>
  %qc0, %qs0 = qt.disassemble %q#0 : !qt.tensor<3x10xbf16, #mx> -> tensor<3x10xi8>, tensor<3x3xi8>
  %pc0, %ps0 = qt.disassemble %p0 : !qt.tensor<3x10xbf16, #mx> -> tensor<3x10xi8>, tensor<3x3xi8>
  %qc1, %qs1 = qt.disassemble %q#1 : !qt.tensor<10x3xbf16, #row> -> tensor<10x3xi8>, tensor<10x1xf32>
  %pc1, %ps1 = qt.disassemble %p1 : !qt.tensor<10x3xbf16, #row> -> tensor<10x3xi8>, tensor<10x1xf32>
  %u0 = tensor.cast %qc0 : tensor<3x10xi8> to tensor<?x?xi8>
  %v0 = tensor.cast %pc0 : tensor<3x10xi8> to tensor<?x?xi8>
  %u1 = tensor.cast %qc1 : tensor<10x3xi8> to tensor<?x?xi8>
  %v1 = tensor.cast %pc1 : tensor<10x3xi8> to tensor<?x?xi8>
  %n = call @differ(%u0, %v0) : (tensor<?x?xi8>, tensor<?x?xi8>) -> i64
  %m = call @differ(%u1, %v1) : (tensor<?x?xi8>, tensor<?x?xi8>) -> i64
  %r = arith.addi %n, %m : i64
  return %r : i64
}

// A given amax is read: by twice the amax the codes are not those of the amax.
func.func private @amax_is_read(%x: tensor<3x10xbf16>) -> i64 {
  %a = arith.constant dense<64.0> : tensor<f32>
  %one = arith.constant 1 : i64
  %q = qt.quantize %x amax(%a : tensor<f32>) : tensor<3x10xbf16> to !qt.tensor<3x10xbf16, #fp8>
  %qc, %qs = qt.disassemble %q : !qt.tensor<3x10xbf16, #fp8> -> tensor<3x10xi8>, tensor<f32>
  %s = tensor.extract %qs[] : tensor<f32>
  %wanted = arith.constant 0.142857149 : f32
  %same = arith.cmpf oeq, %s, %wanted : f32
  %equal = arith.extui %same : i1 to i64
  %r = arith.subi %one, %equal : i64
  return %r : i64
}

func.func @main() -> i64 {
  %x = arith.constant dense<[[1.0, -2.5, 0.0, 3.75, 100.0, -0.001, 7.0, 8.0, 448.0, -500.0],
                             [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.0],
                             [0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.7, -0.8, 0.9, -1.0]]> : tensor<3x10xbf16>
  %y = arith.constant dense<[[1.0, 0x7FC0, 0.0, 3.75, 100.0, -0.001, 7.0, 8.0, 448.0, -500.0],
                             [0.0, 0.0, 0.0, 0.0, 0.0, 0x7F80, 0.0, 0.0, 0.0, -0.0],
                             [0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.7, -0.8, 0.9, -1.0]]> : tensor<3x10xbf16>
  %0 = call @tensor(%x) : (tensor<3x10xbf16>) -> i64
  %1 = call @row(%x) : (tensor<3x10xbf16>) -> i64
  %2 = call @blocks(%x) : (tensor<3x10xbf16>) -> i64
  %3 = call @levels(%x) : (tensor<3x10xbf16>) -> i64
  %4 = call @orientations(%x) : (tensor<3x10xbf16>) -> i64
  %5 = call @tensor(%y) : (tensor<3x10xbf16>) -> i64
  %6 = call @row(%y) : (tensor<3x10xbf16>) -> i64
  %7 = call @blocks(%y) : (tensor<3x10xbf16>) -> i64
  %8 = call @levels(%y) : (tensor<3x10xbf16>) -> i64
  %9 = call @orientations(%y) : (tensor<3x10xbf16>) -> i64
  %10 = call @amax_is_read(%x) : (tensor<3x10xbf16>) -> i64
  %s0 = arith.addi %0, %1 : i64
  %s1 = arith.addi %s0, %2 : i64
  %s2 = arith.addi %s1, %3 : i64
  %s3 = arith.addi %s2, %4 : i64
  %s4 = arith.addi %s3, %5 : i64
  %s5 = arith.addi %s4, %6 : i64
  %s6 = arith.addi %s5, %7 : i64
  %s7 = arith.addi %s6, %8 : i64
  %s8 = arith.addi %s7, %9 : i64
  %s9 = arith.addi %s8, %10 : i64
  return %s9 : i64
}
