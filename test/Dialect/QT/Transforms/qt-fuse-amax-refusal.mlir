// RUN: fp8-opt %s --split-input-file --qt-fuse-amax=blocks=true --verify-diagnostics | FileCheck %s
//
// What keeps an amax in a pass of its own is said once for each tensor, and nothing changes.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK-NOT: amax(
func.func @main(%x: tensor<4x8xbf16>) -> !qt.tensor<4x8xbf16, #fp8> {
  // expected-remark @+1 {{takes the amax in a pass of its own: argument 0 is computed outside}}
  %q = qt.quantize %x : tensor<4x8xbf16> to !qt.tensor<4x8xbf16, #fp8>
  return %q : !qt.tensor<4x8xbf16, #fp8>
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main() -> !qt.tensor<4x8xbf16, #fp8> {
  %x = arith.constant dense<1.0> : tensor<4x8xbf16>
  // expected-remark @+1 {{takes the amax in a pass of its own: a constant is computed before the run}}
  %q = qt.quantize %x : tensor<4x8xbf16> to !qt.tensor<4x8xbf16, #fp8>
  return %q : !qt.tensor<4x8xbf16, #fp8>
}

// -----

// A bare contraction: its sums are complete only after its last step.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%x: tensor<4x8xbf16>, %z: tensor<4x4xf32>) -> !qt.tensor<4x4xf32, #fp8> {
  %y = linalg.contract indexing_maps = [#a, #b, #c] ins(%x, %x : tensor<4x8xbf16>, tensor<4x8xbf16>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-remark @+1 {{takes the amax in a pass of its own: 'linalg.contract' op has its results only after the last step of its reductions}}
  %q = qt.quantize %y : tensor<4x4xf32> to !qt.tensor<4x4xf32, #fp8>
  return %q : !qt.tensor<4x4xf32, #fp8>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_map<(d0, d1) -> (d0)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%x: tensor<4x8xf32>, %z: tensor<4xf32>) -> !qt.tensor<4xf32, #fp8> {
  %y = linalg.generic {indexing_maps = [#m, #s], iterator_types = ["parallel", "reduction"]}
         ins(%x : tensor<4x8xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  // expected-remark @+1 {{'linalg.generic' op has its results only after the last step of its reductions}}
  %q = qt.quantize %y : tensor<4xf32> to !qt.tensor<4xf32, #fp8>
  return %q : !qt.tensor<4xf32, #fp8>
}

// -----

// All loops are parallel, and still it accumulates.

#m = affine_map<(d0, d1) -> (d0, d1)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%x: tensor<4x8xf32>, %z: tensor<4x8xf32>) -> !qt.tensor<4x8xf32, #fp8> {
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<4x8xf32>) outs(%z : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  // expected-remark @+1 {{'linalg.generic' op reads its output}}
  %q = qt.quantize %y : tensor<4x8xf32> to !qt.tensor<4x8xf32, #fp8>
  return %q : !qt.tensor<4x8xf32, #fp8>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> (!qt.tensor<4x4xf32, #fp8>, !qt.tensor<4x4xf32, #fp8>) {
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %s = tensor.extract_slice %y[0, 0] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  // expected-remark @+1 {{'tensor.extract_slice' op shows a part of what is computed before it}}
  %q = qt.quantize %s in <forward> : tensor<4x4xf32> to !qt.tensor<4x4xf32, #fp8>
  // Said above; the amax of the slice is computed once for both.
  // CHECK: qt.amax %{{.*}} <per block [*, *]> : tensor<4x4xf32>
  %r = qt.quantize %s in <backward> : tensor<4x4xf32> to !qt.tensor<4x4xf32, #fp8>
  return %q, %r : !qt.tensor<4x4xf32, #fp8>, !qt.tensor<4x4xf32, #fp8>
}

// -----

// A block of 32 in a row of 40 is no box of rows of 20.

#m = affine_map<(d0, d1) -> (d0, d1)>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func @main(%x: tensor<2x20xf32>, %e: tensor<2x20xf32>) -> !qt.tensor<40xf32, #mx> {
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<2x20xf32>) outs(%e : tensor<2x20xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<2x20xf32>
  %c = tensor.collapse_shape %y [[0, 1]] : tensor<2x20xf32> into tensor<40xf32>
  // expected-remark @+1 {{'tensor.collapse_shape' op cuts through the blocks that share an amax}}
  %q = qt.quantize %c : tensor<40xf32> to !qt.tensor<40xf32, #mx>
  return %q : !qt.tensor<40xf32, #mx>
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%x: tensor<4x8xbf16>) -> !qt.tensor<8x8xbf16, #fp8> {
  %y = tensor.concat dim(0) %x, %x : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<8x8xbf16>
  // expected-remark @+1 {{'tensor.concat' op joins parts that come without an amax}}
  %q = qt.quantize %y : tensor<8x8xbf16> to !qt.tensor<8x8xbf16, #fp8>
  return %q : !qt.tensor<8x8xbf16, #fp8>
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
func.func @main(%x: tensor<4x8xbf16>, %n: index) -> tensor<4x8xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<4x8xbf16> {
    // expected-remark-re @+1 {{value 0, from 0, that the loop at {{.*}}qt-fuse-amax-refusal.mlir:{{[0-9]+}}:8 carries is computed outside}}
    %q = qt.quantize %v : tensor<4x8xbf16> to !qt.tensor<4x8xbf16, #fp8>
    %d = qt.dequantize %q : !qt.tensor<4x8xbf16, #fp8> to tensor<4x8xbf16>
    scf.yield %d : tensor<4x8xbf16>
  }
  return %y : tensor<4x8xbf16>
}

// -----

// Rows without elements, split into several: what they were has no blocks that are in a row.

#same = affine_map<(i, j) -> (i, j)>
#rows = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
func.func @main(%x: tensor<3x0xbf16>) -> !qt.tensor<3x2x0xbf16, #rows> {
  %e = tensor.empty() : tensor<3x0xbf16>
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x0xbf16>) outs(%e : tensor<3x0xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %n = arith.negf %in : bf16
    linalg.yield %n : bf16
  } -> tensor<3x0xbf16>
  %v = tensor.expand_shape %y [[0], [1, 2]] output_shape [3, 2, 0] : tensor<3x0xbf16> into tensor<3x2x0xbf16>
  // expected-remark @+1 {{takes the amax in a pass of its own}}
  %q = qt.quantize %v : tensor<3x2x0xbf16> to !qt.tensor<3x2x0xbf16, #rows>
  return %q : !qt.tensor<3x2x0xbf16, #rows>
}
