// RUN: fp8-opt %s --split-input-file --qt-fuse-amax=remarks=false | FileCheck %s
//
// The op that computes a tensor returns its amax, of the values as they are stored.

#m = affine_map<(d0, d1) -> (d0, d1)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK: #[[PART:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<256x1024xf32>, %e: tensor<256x1024xbf16>)
    -> (tensor<256x1024xbf16>, !qt.tensor<256x1024xbf16, #fp8>) {
  // CHECK: %[[ZERO:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<256x1xf32>)
  // CHECK: %[[Y:.*]]:2 = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[PART]]], iterator_types = ["parallel", "reduction"]}
  // CHECK-SAME: outs(%{{.*}}, %[[ZERO]] : tensor<256x1024xbf16>, tensor<256x1xf32>)
  // CHECK: %[[R:.*]] = arith.truncf
  // CHECK: %[[STORED:.*]] = arith.extf %[[R]] : bf16 to f32
  // CHECK: %[[BITS:.*]] = arith.bitcast %[[STORED]]
  // CHECK: arith.andi %[[BITS]]
  // CHECK: arith.maxui
  // CHECK: linalg.yield %[[R]], %{{.*}} : bf16, f32
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<256x1024xf32>) outs(%e : tensor<256x1024xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.mulf %in, %in : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<256x1024xbf16>
  // CHECK: %[[A:.*]] = qt.amax %[[Y]]#1 <per block [*, 1]> : tensor<256x1xf32> -> tensor<1x1xf32>
  // CHECK: %[[S:.*]] = tensor.collapse_shape %[[A]] []
  // CHECK: qt.quantize %[[Y]]#0 amax(%[[S]] : tensor<f32>)
  %q = qt.quantize %y : tensor<256x1024xbf16> to !qt.tensor<256x1024xbf16, #fp8>
  // CHECK: return %[[Y]]#0
  return %y, %q : tensor<256x1024xbf16>, !qt.tensor<256x1024xbf16, #fp8>
}

// -----

// Whole rows need no second stage; a transposed reader's rows are columns here, and a maximum over the outer dimension.

#m = affine_map<(d0, d1) -> (d0, d1)>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>

// CHECK-LABEL: func @main
func.func @main(%x: tensor<256x128xbf16>, %e: tensor<256x128xbf16>, %f: tensor<128x256xbf16>)
    -> (!qt.tensor<256x128xbf16, #row>, !qt.tensor<128x256xbf16, #row>) {
  // CHECK: %[[Y:.*]]:3 = linalg.generic {{.*}}iterator_types = ["reduction", "reduction"]
  // CHECK: -> (tensor<256x128xbf16>, tensor<256x1xf32>, tensor<1x128xf32>)
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<256x128xbf16>) outs(%e : tensor<256x128xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.negf %in : bf16
    linalg.yield %0 : bf16
  } -> tensor<256x128xbf16>
  // CHECK: qt.quantize %[[Y]]#0 amax(%[[Y]]#1 : tensor<256x1xf32>)
  %q = qt.quantize %y : tensor<256x128xbf16> to !qt.tensor<256x128xbf16, #row>
  %t = linalg.transpose ins(%y : tensor<256x128xbf16>) outs(%f : tensor<128x256xbf16>) permutation = [1, 0]
  // CHECK: %[[T:.*]] = linalg.transpose ins(%[[Y]]#2 : tensor<1x128xf32>) outs(%{{.*}} : tensor<128x1xf32>)
  // CHECK: qt.quantize %{{.*}} amax(%[[T]] : tensor<128x1xf32>)
  %r = qt.quantize %t : tensor<128x256xbf16> to !qt.tensor<128x256xbf16, #row>
  return %q, %r : !qt.tensor<256x128xbf16, #row>, !qt.tensor<128x256xbf16, #row>
}

// -----

// One request for readers of one amax, in both halves and through a reshape; a loop order of the result's own.

#m = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#p = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d2, d0, 0)>
// CHECK-LABEL: func @main
func.func @main(%x: tensor<16x64x2xbf16>, %e: tensor<2x16x64xbf16>)
    -> (!qt.tensor<32x64xbf16, #fp8>, !qt.tensor<32x64xbf16, #fp8>) {
  // CHECK: %[[Y:.*]]:2 = linalg.generic {{.*}}#[[OUT]]], iterator_types = ["parallel", "reduction", "parallel"]
  %y = linalg.generic {indexing_maps = [#m, #p], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%x : tensor<16x64x2xbf16>) outs(%e : tensor<2x16x64xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<2x16x64xbf16>
  %c = tensor.collapse_shape %y [[0, 1], [2]] : tensor<2x16x64xbf16> into tensor<32x64xbf16>
  // CHECK: %[[A:.*]] = qt.amax %[[Y]]#1 <per block [*, *, 1]> : tensor<2x16x1xf32> -> tensor<1x1x1xf32>
  // CHECK: %[[S:.*]] = tensor.collapse_shape %[[A]] []
  // CHECK-NOT: qt.amax
  // CHECK: qt.quantize %{{.*}} amax(%[[S]] : tensor<f32>) in <forward>
  %q = qt.quantize %c in <forward> : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #fp8>
  // CHECK: qt.quantize %{{.*}} amax(%[[S]] : tensor<f32>) in <backward>
  %r = qt.quantize %c in <backward> : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #fp8>
  return %q, %r : !qt.tensor<32x64xbf16, #fp8>, !qt.tensor<32x64xbf16, #fp8>
}

// -----

// A product returns the amax of its rounded result; a qt.amax is given it like a quantizer. Rows go through a reshape
// that splits them from each other only.

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>

// CHECK-LABEL: func @main
func.func @main(%a: !qt.tensor<6x64xbf16, #row>, %b: !qt.tensor<64x64xbf16, #row>)
    -> (!qt.tensor<2x3x64xbf16, #row>, tensor<f32>) {
  // CHECK: %[[Y:.*]], %[[M:.*]]:2 = qt.matmul %{{.*}}, %{{.*}} amax [#qt.amax<per block [1, *]>, #qt.amax<per block [1, *], nan = ignore>]
  %y = qt.matmul %a, %b : !qt.tensor<6x64xbf16, #row>, !qt.tensor<64x64xbf16, #row> -> tensor<6x64xbf16>
  %x = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 3, 64] : tensor<6x64xbf16> into tensor<2x3x64xbf16>
  // CHECK: %[[R:.*]] = tensor.expand_shape %[[M]]#0 {{\[\[}}0, 1], [2]] output_shape [2, 3, 1] : tensor<6x1xf32> into tensor<2x3x1xf32>
  // CHECK: qt.quantize %{{.*}} amax(%[[R]] : tensor<2x3x1xf32>)
  %q = qt.quantize %x : tensor<2x3x64xbf16> to !qt.tensor<2x3x64xbf16, #row>
  %m = qt.amax %y <per tensor, nan = ignore> : tensor<6x64xbf16> -> tensor<f32>
  return %q, %m : !qt.tensor<2x3x64xbf16, #row>, tensor<f32>
}

// -----

// Under two levels the outer one's amax is given; of two results of one op, the one that reads it twice.

#m = affine_map<(d0, d1) -> (d0, d1)>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>

// CHECK-LABEL: func @main
func.func @main(%x: tensor<?x64xbf16>, %e: tensor<?x64xbf16>)
    -> (!qt.tensor<?x64xbf16, #mx>, !qt.tensor<64x?xbf16, #nv>) {
  // CHECK: %[[Y:.*]]:2 = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
  // CHECK: -> (tensor<?x64xbf16>, tensor<?x1xf32>)
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<?x64xbf16>) outs(%e : tensor<?x64xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.negf %in : bf16
    linalg.yield %0 : bf16
  } -> tensor<?x64xbf16>
  // CHECK: qt.multi_quantize %[[Y]]#0 permutations {{\[\[}}0, 1], [1, 0]] amax(%{{.*}} : tensor<f32>) reads [-1, 0]
  %q:2 = qt.multi_quantize %y permutations [[0, 1], [1, 0]]
           : tensor<?x64xbf16> to !qt.tensor<?x64xbf16, #mx>, !qt.tensor<64x?xbf16, #nv>
  return %q#0, %q#1 : !qt.tensor<?x64xbf16, #mx>, !qt.tensor<64x?xbf16, #nv>
}

// -----

// An amax that nothing returns is computed once for several quantizers, and not at all for one.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[W:.*]]: tensor<32x64xbf16>, %[[X:.*]]: tensor<32x64xbf16>
func.func @main(%w: tensor<32x64xbf16>, %x: tensor<32x64xbf16>, %e: tensor<64x32xbf16>)
    -> (!qt.tensor<32x64xbf16, #fp8>, !qt.tensor<32x64xbf16, #fp8>, !qt.tensor<64x32xbf16, #fp8>) {
  // CHECK: %[[A:.*]] = qt.amax %[[W]] <per block [*, *]>
  // CHECK: %[[S:.*]] = tensor.collapse_shape %[[A]] []
  // CHECK: qt.quantize %[[W]] amax(%[[S]] : tensor<f32>) in <forward>
  %q = qt.quantize %w in <forward> : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #fp8>
  // CHECK: qt.quantize %[[X]] in <forward>
  %p = qt.quantize %x in <forward> : tensor<32x64xbf16> to !qt.tensor<32x64xbf16, #fp8>
  %t = linalg.transpose ins(%w : tensor<32x64xbf16>) outs(%e : tensor<64x32xbf16>) permutation = [1, 0]
  // CHECK: qt.quantize %{{.*}} amax(%[[S]] : tensor<f32>) in <backward>
  %r = qt.quantize %t in <backward> : tensor<64x32xbf16> to !qt.tensor<64x32xbf16, #fp8>
  return %q, %p, %r : !qt.tensor<32x64xbf16, #fp8>, !qt.tensor<32x64xbf16, #fp8>, !qt.tensor<64x32xbf16, #fp8>
}

// -----

// Rows of 32 are long enough to leave the outer loop parallel; rows of 4 are not, and the op takes the maximum of all.

#m = affine_map<(d0, d1) -> (d0, d1)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK-LABEL: func @main
func.func @main(%x: tensor<48x32xbf16>, %e: tensor<48x32xbf16>, %v: tensor<48x4xbf16>, %f: tensor<48x4xbf16>)
    -> (!qt.tensor<48x32xbf16, #fp8>, !qt.tensor<48x4xbf16, #fp8>) {
  // CHECK: %[[Y:.*]]:2 = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
  // CHECK: -> (tensor<48x32xbf16>, tensor<48x1xf32>)
  // CHECK: qt.amax %[[Y]]#1
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<48x32xbf16>) outs(%e : tensor<48x32xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.negf %in : bf16
    linalg.yield %0 : bf16
  } -> tensor<48x32xbf16>
  %q = qt.quantize %y : tensor<48x32xbf16> to !qt.tensor<48x32xbf16, #fp8>
  // CHECK: %[[Z:.*]]:2 = linalg.generic {{.*}}iterator_types = ["reduction", "reduction"]
  // CHECK: -> (tensor<48x4xbf16>, tensor<1x1xf32>)
  // CHECK-NOT: qt.amax
  %z = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%v : tensor<48x4xbf16>) outs(%f : tensor<48x4xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.negf %in : bf16
    linalg.yield %0 : bf16
  } -> tensor<48x4xbf16>
  %r = qt.quantize %z : tensor<48x4xbf16> to !qt.tensor<48x4xbf16, #fp8>
  return %q, %r : !qt.tensor<48x32xbf16, #fp8>, !qt.tensor<48x4xbf16, #fp8>
}

// -----

// A quantized product returns the amax of f32 too, of each matrix or of all of them.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func @main
func.func @main(%a: !qt.tensor<8x32x16xf32, #fp8>, %b: !qt.tensor<8x64x16xf32, #fp8>)
    -> (!qt.tensor<8x32x64xf32, #fp8>, !qt.tensor<256x64xf32, #fp8>) {
  // CHECK: %[[Y:.*]], %[[M:.*]] = qt.matmul %{{.*}}, %{{.*}} amax [#qt.amax<per block [1, *]>] : {{.*}} -> tensor<8x32x64xf32>, tensor<8x32x1xf32>
  %y = qt.matmul %a, %b : !qt.tensor<8x32x16xf32, #fp8>, !qt.tensor<8x64x16xf32, #fp8> -> tensor<8x32x64xf32>
  // CHECK-DAG: %[[EACH:.*]] = qt.amax %[[M]] <per block [*, 1]>
  // CHECK-DAG: %[[ALL:.*]] = qt.amax %[[M]] <per block [*, *, 1]>
  // CHECK: qt.quantize %[[Y]] amax(%{{.*}} : tensor<8xf32>)
  %q = qt.quantize %y : tensor<8x32x64xf32> to !qt.tensor<8x32x64xf32, #fp8>
  %c = tensor.collapse_shape %y [[0, 1], [2]] : tensor<8x32x64xf32> into tensor<256x64xf32>
  // CHECK: qt.quantize %{{.*}} amax(%{{.*}} : tensor<f32>)
  %r = qt.quantize %c : tensor<256x64xf32> to !qt.tensor<256x64xf32, #fp8>
  return %q, %r : !qt.tensor<8x32x64xf32, #fp8>, !qt.tensor<256x64xf32, #fp8>
}
