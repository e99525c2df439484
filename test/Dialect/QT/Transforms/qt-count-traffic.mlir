// RUN: fp8-opt %s --split-input-file --qt-count-traffic | FileCheck %s --check-prefixes=CHECK,BEFORE
// RUN: fp8-opt %s --split-input-file --qt-count-traffic --qt-hoist-quantization=remarks=false --qt-merge-quantizers --qt-fuse-amax=remarks=false --qt-count-traffic | FileCheck %s --check-prefixes=CHECK,AFTER
//
// What quantizing a tensor moves through memory: 1024 elements of 2 bytes.

// Per tensor: two reads of 2048 bytes, codes of 1024 and a scale of 4. Fused: one read and the amax, of which the producer
// writes 16 for 16 rows, that are read; the one of the tensor is written and read.
// BEFORE: qt.traffic = #qt.traffic<[<location = {{.*}}, before = <reads = 2, writes = 1, bytesRead = 4096, bytesWritten = 1028>>]>
// AFTER: qt.traffic = #qt.traffic<[<location = {{.*}}, before = <reads = 2, writes = 1, bytesRead = 4096, bytesWritten = 1028>, after = <reads = 1, writes = 1, bytesRead = 2116, bytesWritten = 1096>>]>
// CHECK-LABEL: func @main

#m = affine_map<(d0, d1) -> (d0, d1)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%x: tensor<16x64xbf16>, %e: tensor<16x64xbf16>) -> !qt.tensor<16x64xbf16, #fp8> {
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<16x64xbf16>) outs(%e : tensor<16x64xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.negf %in : bf16
    linalg.yield %0 : bf16
  } -> tensor<16x64xbf16>
  %q = qt.quantize %y : tensor<16x64xbf16> to !qt.tensor<16x64xbf16, #fp8>
  return %q : !qt.tensor<16x64xbf16, #fp8>
}

// -----

// Two orientations of blocks: two reads, and one when they are one op. 32 scales of one byte for each.
// BEFORE: argument = 0 : i64, before = <reads = 2, writes = 2, bytesRead = 4096, bytesWritten = 2144>>
// AFTER: argument = 0 : i64, before = <reads = 2, writes = 2, bytesRead = 4096, bytesWritten = 2144>, after = <reads = 1, writes = 2, bytesRead = 2048, bytesWritten = 2144>>
// CHECK-LABEL: func @main

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @main(%x: tensor<16x64xbf16>, %e: tensor<64x16xbf16>) -> (!qt.tensor<16x64xbf16, #mx>, !qt.tensor<64x16xbf16, #mx>) {
  %q = qt.quantize %x : tensor<16x64xbf16> to !qt.tensor<16x64xbf16, #mx>
  %t = linalg.transpose ins(%x : tensor<16x64xbf16>) outs(%e : tensor<64x16xbf16>) permutation = [1, 0]
  %r = qt.quantize %t : tensor<64x16xbf16> to !qt.tensor<64x16xbf16, #mx>
  return %q, %r : !qt.tensor<16x64xbf16, #mx>, !qt.tensor<64x16xbf16, #mx>
}

// -----

// An argument in both halves: its amax is computed once, by one read, for both; four reads become three.
// BEFORE: argument = 0 : i64, before = <reads = 4, writes = 2, bytesRead = 8192, bytesWritten = 2056>>
// AFTER: after = <reads = 3, writes = 2, bytesRead = 6152, bytesWritten = 2060>>
// CHECK-LABEL: func @main

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%x: tensor<16x64xbf16>) -> (!qt.tensor<16x64xbf16, #fp8>, !qt.tensor<16x64xbf16, #fp8>) {
  %q = qt.quantize %x in <forward> : tensor<16x64xbf16> to !qt.tensor<16x64xbf16, #fp8>
  %r = qt.quantize %x in <backward> : tensor<16x64xbf16> to !qt.tensor<16x64xbf16, #fp8>
  return %q, %r : !qt.tensor<16x64xbf16, #fp8>, !qt.tensor<16x64xbf16, #fp8>
}

// -----

// Codes that are transposed or requantized are read and written once more: 2048 + 1056 + 1056 bytes, and 1056 + 1056 + 1088.
// BEFORE: before = <reads = 3, writes = 3, bytesRead = 4160, bytesWritten = 3200>>
// CHECK-LABEL: func @main

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#mt = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [32, 1] by rceil_mul>]>
func.func @main(%x: tensor<16x64xbf16>) -> !qt.tensor<64x16xbf16, #mx> {
  %q = qt.quantize %x : tensor<16x64xbf16> to !qt.tensor<16x64xbf16, #mx>
  %t = qt.transpose %q permutation = [1, 0] : !qt.tensor<16x64xbf16, #mx> -> !qt.tensor<64x16xbf16, #mt>
  %r = qt.requantize %t : !qt.tensor<64x16xbf16, #mt> to !qt.tensor<64x16xbf16, #mx>
  return %r : !qt.tensor<64x16xbf16, #mx>
}

// -----

// Two results of one op are two tensors.
// BEFORE: qt.traffic<[<location = {{.*}}, before = <reads = 1, {{.*}}>>, <location = {{.*}}, result = 1 : i64, before = <reads = 1, {{.*}}>>]>
// AFTER: after = <reads = 1, writes = 1, {{[^<]*}}>>, <location = {{.*}}, result = 1 : i64, before = {{.*}}, after = <reads = 1, writes = 1,
// CHECK-LABEL: func @main

#m = affine_map<(d0, d1) -> (d0, d1)>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @main(%x: tensor<16x64xbf16>, %e: tensor<16x64xbf16>) -> (!qt.tensor<16x64xbf16, #mx>, !qt.tensor<16x64xbf16, #mx>) {
  %y:2 = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<16x64xbf16>) outs(%e, %e : tensor<16x64xbf16>, tensor<16x64xbf16>) {
  ^bb0(%in: bf16, %first: bf16, %second: bf16):
    %0 = arith.negf %in : bf16
    %1 = arith.addf %in, %in : bf16
    linalg.yield %0, %1 : bf16, bf16
  } -> (tensor<16x64xbf16>, tensor<16x64xbf16>)
  %q = qt.quantize %y#0 : tensor<16x64xbf16> to !qt.tensor<16x64xbf16, #mx>
  %r = qt.quantize %y#1 : tensor<16x64xbf16> to !qt.tensor<16x64xbf16, #mx>
  return %q, %r : !qt.tensor<16x64xbf16, #mx>, !qt.tensor<16x64xbf16, #mx>
}

// -----

// A concatenation is what it joins, each by its part of the bytes, before quantizers are moved above it and after. The part
// that is joined twice is quantized once then; what is padded and what is repeated is what it was made of, too.
// BEFORE: argument = 0 : i64, before = <reads = 1, writes = 1, bytesRead = 2048, bytesWritten = 1056>>, <location = {{.*}}, argument = 1 : i64, before = <reads = 2, writes = 2, bytesRead = 8192, bytesWritten = 4224>>, <location = {{.*}}, argument = 2 : i64, before = <reads = 1, writes = 1, bytesRead = 2048, bytesWritten = 1056>>]>
// AFTER: argument = 0 : i64, {{.*}}, after = <reads = 1, writes = 1, bytesRead = 2048, bytesWritten = 1056>>, <location = {{.*}}, argument = 1 : i64, {{.*}}, after = <reads = 1, writes = 1, bytesRead = 2048, bytesWritten = 1056>>, <location = {{.*}}, argument = 2 : i64, {{.*}}, after = <reads = 1, writes = 1, bytesRead = 128, bytesWritten = 66>>]>
// CHECK-LABEL: func @main

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @main(%a: tensor<16x64xbf16>, %b: tensor<16x64xbf16>, %v: tensor<64xbf16>, %e: tensor<16x64xbf16>)
    -> (!qt.tensor<48x64xbf16, #mx>, !qt.tensor<32x64xbf16, #mx>, !qt.tensor<16x64xbf16, #mx>) {
  %zero = arith.constant 0.0 : bf16
  %c = tensor.concat dim(0) %a, %b, %b : (tensor<16x64xbf16>, tensor<16x64xbf16>, tensor<16x64xbf16>) -> tensor<48x64xbf16>
  %q = qt.quantize %c : tensor<48x64xbf16> to !qt.tensor<48x64xbf16, #mx>
  %p = tensor.pad %b low[16, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : bf16
  } : tensor<16x64xbf16> to tensor<32x64xbf16>
  %r = qt.quantize %p : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #mx>
  %w = linalg.broadcast ins(%v : tensor<64xbf16>) outs(%e : tensor<16x64xbf16>) dimensions = [0]
  %s = qt.quantize %w : tensor<16x64xbf16> to !qt.tensor<16x64xbf16, #mx>
  return %q, %r, %s : !qt.tensor<48x64xbf16, #mx>, !qt.tensor<32x64xbf16, #mx>, !qt.tensor<16x64xbf16, #mx>
}

// -----

// The amax of a concatenation is made of its parts': one comes from the op that computes it, one takes a pass.
// BEFORE: argument = 0 : i64, before = <reads = 2, writes = 1, bytesRead = 4096, bytesWritten = 1026>>, <location = {{.*}}, before = <reads = 2, writes = 1, bytesRead = 4096, bytesWritten = 1026>>]>
// AFTER: argument = 0 : i64, {{.*}}, after = <reads = 2, writes = 1, bytesRead = 4130, bytesWritten = 1064>>, <location = {{[^,]*}}, before = {{.*}}, after = <reads = 1, writes = 1, bytesRead = 2082, bytesWritten = 1064>>]>
// CHECK-LABEL: func @main

#m = affine_map<(d0, d1) -> (d0, d1)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%a: tensor<16x64xbf16>, %x: tensor<16x64xbf16>, %e: tensor<16x64xbf16>) -> !qt.tensor<32x64xbf16, #fp8> {
  %b = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<16x64xbf16>) outs(%e : tensor<16x64xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.negf %in : bf16
    linalg.yield %0 : bf16
  } -> tensor<16x64xbf16>
  %c = tensor.concat dim(0) %a, %b : (tensor<16x64xbf16>, tensor<16x64xbf16>) -> tensor<32x64xbf16>
  %q = qt.quantize %c : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #fp8>
  return %q : !qt.tensor<32x64xbf16, #fp8>
}
