// RUN: fp8-opt %s | fp8-opt | FileCheck %s
// RUN: fp8-opt %s --mlir-print-op-generic | fp8-opt | FileCheck %s
//
// Every op reads what it prints, in its own form and in the generic one.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [*, 1] by fdiv>]>
#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>

// CHECK-LABEL: func @quantize_derives_scales
func.func @quantize_derives_scales(%x: tensor<3x65xbf16>) -> !qt.tensor<3x65xbf16, #mx> {
  // CHECK: qt.quantize %{{.*}} : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #scheme
  %q = qt.quantize %x : tensor<3x65xbf16> to !qt.tensor<3x65xbf16, #mx>
  return %q : !qt.tensor<3x65xbf16, #mx>
}

// CHECK-LABEL: func @quantize_by_given_scales_of_two_levels
func.func @quantize_by_given_scales_of_two_levels(%x: tensor<3x65xf32>, %s: tensor<3x5xi8>, %t: tensor<f32>)
    -> !qt.tensor<3x65xf32, #nv> {
  // CHECK: qt.quantize %{{.*}} scales(%{{.*}}, %{{.*}} : tensor<3x5xi8>, tensor<f32>) in <backward>
  %q = qt.quantize %x scales(%s, %t : tensor<3x5xi8>, tensor<f32>) in <backward>
         : tensor<3x65xf32> to !qt.tensor<3x65xf32, #nv>
  return %q : !qt.tensor<3x65xf32, #nv>
}

// CHECK-LABEL: func @dequantize_dynamic
func.func @dequantize_dynamic(%q: !qt.tensor<?x65xf16, #row>) -> tensor<?x65xf16> {
  // CHECK: qt.dequantize %{{.*}} : !qt.tensor<?x65xf16, #scheme{{.*}}> to tensor<?x65xf16>
  %x = qt.dequantize %q : !qt.tensor<?x65xf16, #row> to tensor<?x65xf16>
  return %x : tensor<?x65xf16>
}

// CHECK-LABEL: func @requantize
func.func @requantize(%q: !qt.tensor<?x65xbf16, #row>) -> (!qt.tensor<?x65xbf16, #mx>, !qt.tensor<?x65xbf16, #row>) {
  // CHECK: qt.requantize %{{.*}} in <backward> : !qt.tensor<?x65xbf16, #scheme{{.*}}> to !qt.tensor<?x65xbf16, #scheme{{.*}}>
  %r = qt.requantize %q in <backward> : !qt.tensor<?x65xbf16, #row> to !qt.tensor<?x65xbf16, #mx>
  // CHECK: qt.requantize %{{.*}} : !qt.tensor
  %s = qt.requantize %q : !qt.tensor<?x65xbf16, #row> to !qt.tensor<?x65xbf16, #row>
  return %r, %s : !qt.tensor<?x65xbf16, #mx>, !qt.tensor<?x65xbf16, #row>
}

// CHECK-LABEL: func @transpose_moves_the_block
func.func @transpose_moves_the_block(%q: !qt.tensor<2x3xf32, #row>) -> !qt.tensor<3x2xf32, #column> {
  // CHECK: qt.transpose %{{.*}} permutation = [1, 0]
  %t = qt.transpose %q permutation = [1, 0] : !qt.tensor<2x3xf32, #row> -> !qt.tensor<3x2xf32, #column>
  return %t : !qt.tensor<3x2xf32, #column>
}

// CHECK-LABEL: func @transpose_below_a_batch
func.func @transpose_below_a_batch(%q: !qt.tensor<4x2x3xf32, #row>) -> !qt.tensor<4x3x2xf32, #column> {
  // CHECK: qt.transpose %{{.*}} permutation = [0, 2, 1]
  %t = qt.transpose %q permutation = [0, 2, 1] : !qt.tensor<4x2x3xf32, #row> -> !qt.tensor<4x3x2xf32, #column>
  return %t : !qt.tensor<4x3x2xf32, #column>
}

// CHECK-LABEL: func @matmul_of_different_schemes
func.func @matmul_of_different_schemes(%a: !qt.tensor<3x65xbf16, #mx>, %b: !qt.tensor<5x65xbf16, #fp8>)
    -> tensor<3x5xbf16> {
  // CHECK: qt.matmul %{{.*}}, %{{.*}} : !qt.tensor<3x65xbf16, #scheme{{.*}}>, !qt.tensor<5x65xbf16, #scheme{{.*}}> -> tensor<3x5xbf16>
  %y = qt.matmul %a, %b : !qt.tensor<3x65xbf16, #mx>, !qt.tensor<5x65xbf16, #fp8> -> tensor<3x5xbf16>
  return %y : tensor<3x5xbf16>
}

// CHECK-LABEL: func @matmul_batched_plus_addend
func.func @matmul_batched_plus_addend(%a: !qt.tensor<?x3x65xf32, #mx>, %b: !qt.tensor<?x5x65xf32, #mx>,
                                      %c: tensor<?x3x5xf32>) -> tensor<?x3x5xf32> {
  // CHECK: qt.matmul %{{.*}}, %{{.*}} plus %{{.*}} : tensor<?x3x5xf32>
  %y = qt.matmul %a, %b plus %c : tensor<?x3x5xf32>
         : !qt.tensor<?x3x65xf32, #mx>, !qt.tensor<?x5x65xf32, #mx> -> tensor<?x3x5xf32>
  return %y : tensor<?x3x5xf32>
}

// CHECK-LABEL: func @constant_inline
func.func @constant_inline() -> !qt.tensor<2xf32, #fp8> {
  // CHECK: qt.constant <dense<[29, 126]> : tensor<2xi8>, [dense<1.000000e+00> : tensor<f32>]>
  %w = qt.constant <dense<[29, 126]> : tensor<2xi8>, [dense<1.0> : tensor<f32>]> : !qt.tensor<2xf32, #fp8>
  return %w : !qt.tensor<2xf32, #fp8>
}

// CHECK-LABEL: func @constant_over_resources
func.func @constant_over_resources() -> !qt.tensor<2xf32, #fp8> {
  // CHECK: qt.constant <dense_resource<codes> : tensor<2xi8>, [dense_resource<scale> : tensor<f32>]>
  %w = qt.constant <dense_resource<codes> : tensor<2xi8>, [dense_resource<scale> : tensor<f32>]> : !qt.tensor<2xf32, #fp8>
  return %w : !qt.tensor<2xf32, #fp8>
}

// CHECK-LABEL: func @apart_and_together
func.func @apart_and_together(%q: !qt.tensor<3x65xf32, #nv>) -> !qt.tensor<3x65xf32, #nv> {
  // CHECK: qt.disassemble %{{.*}} : !qt.tensor<3x65xf32, #scheme{{.*}}> -> tensor<3x65xi8>, tensor<3x5xi8>, tensor<f32>
  %codes, %scales:2 = qt.disassemble %q
    : !qt.tensor<3x65xf32, #nv> -> tensor<3x65xi8>, tensor<3x5xi8>, tensor<f32>
  // CHECK: qt.assemble %{{.*}}, %{{.*}}, %{{.*}} : tensor<3x65xi8>, tensor<3x5xi8>, tensor<f32> -> !qt.tensor<3x65xf32, #scheme
  %r = qt.assemble %codes, %scales#0, %scales#1
    : tensor<3x65xi8>, tensor<3x5xi8>, tensor<f32> -> !qt.tensor<3x65xf32, #nv>
  return %r : !qt.tensor<3x65xf32, #nv>
}

// CHECK-LABEL: func @control_flow_carries_quantized_tensors
func.func @control_flow_carries_quantized_tensors(%c: i1, %a: !qt.tensor<2xf32, #fp8>, %b: !qt.tensor<2xf32, #fp8>)
    -> !qt.tensor<2xf32, #fp8> {
  %r = scf.if %c -> !qt.tensor<2xf32, #fp8> {
    scf.yield %a : !qt.tensor<2xf32, #fp8>
  } else {
    scf.yield %b : !qt.tensor<2xf32, #fp8>
  }
  return %r : !qt.tensor<2xf32, #fp8>
}

// CHECK: codes: "0x040000001D7E"
{-# dialect_resources: { builtin: { codes: "0x040000001D7E", scale: "0x040000000000803F" } } #-}
