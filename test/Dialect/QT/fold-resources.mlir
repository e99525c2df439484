// RUN: %python -c "print(open('%s').read().replace('448 AND 4096 ONES', '0000E043' + 4096 * '0000803F'))" > %t
// RUN: fp8-opt %t --canonicalize | FileCheck %s
// RUN: fp8-opt %t --canonicalize | fp8-opt | FileCheck %s
// RUN: fp8-opt %t --canonicalize --emit-bytecode | fp8-opt | FileCheck %s
//
// Constants over resources fold; what is large comes out as a resource, which is neither hashed nor copied.

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, *] by fdiv>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [*, 1] by fdiv>]>

// CHECK-LABEL: func @resource_of_bf16
func.func @resource_of_bf16() -> !qt.tensor<3xbf16, #fp8> {
  // 448, 1 and -2.
  // CHECK: qt.constant <dense<[126, 56, -64]> : tensor<3xi8>, [dense<1.000000e+00> : tensor<f32>]>
  %w = arith.constant dense_resource<three> : tensor<3xbf16>
  %q = qt.quantize %w : tensor<3xbf16> to !qt.tensor<3xbf16, #fp8>
  return %q : !qt.tensor<3xbf16, #fp8>
}

// CHECK-LABEL: func @absent_resource_stays
func.func @absent_resource_stays() -> !qt.tensor<3xbf16, #fp8> {
  // CHECK: qt.quantize
  %w = arith.constant dense_resource<absent> : tensor<3xbf16>
  %q = qt.quantize %w : tensor<3xbf16> to !qt.tensor<3xbf16, #fp8>
  return %q : !qt.tensor<3xbf16, #fp8>
}

// CHECK-LABEL: func @resource_of_too_few_bytes_stays
func.func @resource_of_too_few_bytes_stays() -> !qt.tensor<4xbf16, #fp8> {
  // CHECK: qt.quantize
  %w = arith.constant dense_resource<three> : tensor<4xbf16>
  %q = qt.quantize %w : tensor<4xbf16> to !qt.tensor<4xbf16, #fp8>
  return %q : !qt.tensor<4xbf16, #fp8>
}

// 4097 codes are a resource, its scale is not. The one value that is not 1 shows that this is no splat.
// CHECK-LABEL: func @large_result_is_a_resource
func.func @large_result_is_a_resource(%x: tensor<4096xf32>) -> !qt.tensor<1x4097xf32, #row> {
  // CHECK: qt.constant <dense_resource<codes_[[HASH:[0-9A-F]+]]> : tensor<1x4097xi8>, [dense<1.000000e+00> : tensor<1x1xf32>]>
  %w = arith.constant dense_resource<large> : tensor<1x4097xf32>
  %q = qt.quantize %w : tensor<1x4097xf32> to !qt.tensor<1x4097xf32, #row>
  return %q : !qt.tensor<1x4097xf32, #row>
}

// A large constant that others read is not copied for the sake of a transpose.
// CHECK-LABEL: func @transpose_of_shared_large_constant_stays
func.func @transpose_of_shared_large_constant_stays()
    -> (!qt.tensor<1x4097xf32, #row>, !qt.tensor<4097x1xf32, #column>) {
  // CHECK: qt.constant
  // CHECK: qt.transpose
  %w = arith.constant dense_resource<large> : tensor<1x4097xf32>
  %q = qt.quantize %w : tensor<1x4097xf32> to !qt.tensor<1x4097xf32, #row>
  %t = qt.transpose %q permutation = [1, 0] : !qt.tensor<1x4097xf32, #row> -> !qt.tensor<4097x1xf32, #column>
  return %q, %t : !qt.tensor<1x4097xf32, #row>, !qt.tensor<4097x1xf32, #column>
}

// CHECK-LABEL: func @transpose_of_large_constant
func.func @transpose_of_large_constant() -> !qt.tensor<4097x1xf32, #column> {
  // CHECK: qt.constant <dense_resource<codes_{{.*}}> : tensor<4097x1xi8>
  // CHECK-NOT: qt.transpose
  %w = arith.constant dense_resource<large> : tensor<1x4097xf32>
  %q = qt.quantize %w : tensor<1x4097xf32> to !qt.tensor<1x4097xf32, #row>
  %t = qt.transpose %q permutation = [1, 0] : !qt.tensor<1x4097xf32, #row> -> !qt.tensor<4097x1xf32, #column>
  return %t : !qt.tensor<4097x1xf32, #column>
}

{-# dialect_resources: { builtin: {
  three: "0x02000000E043803F00C0",
  large: "0x04000000448 AND 4096 ONES"
} } #-}
