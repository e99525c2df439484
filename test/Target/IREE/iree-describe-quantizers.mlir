// RUN: fp8-opt %s --iree-describe-quantizers=expose=true --split-input-file | FileCheck %s
// RUN: fp8-opt %s --iree-describe-quantizers --split-input-file | FileCheck %s --check-prefix=LIST

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#t = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>

// Source, codes and scales of each quantizer follow the function's own results; a requantization is a dequantization
// and a quantizer. Without `expose` quantizers are listed, and the function stays as it is.

// CHECK-LABEL: func @main
// CHECK-SAME: -> (tensor<2x32xf32>, tensor<2x32xf32>, tensor<2x32xi8>, tensor<f32>, tensor<2x32xf32>, tensor<2x32xi8>, tensor<2x1xi8>)
// CHECK-SAME: fp8.quantizers = "[{{\[}}!qt.tensor<2x32xf32, {{.*}}>, loc({{[^)]*}}), false, true], [!qt.tensor{{.*}}false, true]]"
// CHECK: %[[Q:.*]] = qt.quantize %[[X:.*]] :
// CHECK: %[[C:.*]], %[[S:.*]] = qt.disassemble %[[Q]]
// CHECK: %[[D:.*]] = qt.dequantize %[[Q]]
// CHECK: %[[R:.*]] = qt.quantize %[[D]]
// CHECK: %[[RC:.*]], %[[RS:.*]] = qt.disassemble %[[R]]
// CHECK: return %{{.*}}, %[[X]], %[[C]], %[[S]], %[[D]], %[[RC]], %[[RS]]
// LIST-LABEL: func @main
// LIST-SAME: -> tensor<2x32xf32> attributes {iree.reflection = {fp8.quantizers = "[{{\[}}!qt.tensor{{.*}}false, false], [!qt.tensor{{.*}}false, false]]"}}
func.func @main(%x: tensor<2x32xf32>) -> tensor<2x32xf32> {
  %q = qt.quantize %x : tensor<2x32xf32> to !qt.tensor<2x32xf32, #s>
  %r = qt.requantize %q : !qt.tensor<2x32xf32, #s> to !qt.tensor<2x32xf32, #t>
  %y = qt.dequantize %r : !qt.tensor<2x32xf32, #t> to tensor<2x32xf32>
  return %y : tensor<2x32xf32>
}

// -----

// In a loop each execution overwrites globals. Functions of their own set them to zero first and read them at the end; what has no static shape there has
// no place and is not exposed.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

// CHECK: ml_program.global private mutable @main_quantizer_0 : tensor<4xf32>
// CHECK: ml_program.global private mutable @main_quantizer_1 : tensor<4xi8>
// CHECK: ml_program.global private mutable @main_quantizer_2 : tensor<f32>
// CHECK-LABEL: func @main
// CHECK-SAME: -> (tensor<4xf32>, tensor<?xf32>, tensor<4xf32>, tensor<4xi8>, tensor<f32>)
// CHECK-SAME: false, true], [{{.*}}false, false]]"
// CHECK-DAG: call @main_quantizer_0_clear()
// CHECK-DAG: call @main_quantizer_1_clear()
// CHECK-DAG: call @main_quantizer_2_clear()
// CHECK: scf.for
// CHECK: ml_program.global_store @main_quantizer_0 = %{{.*}} : tensor<4xf32>
// CHECK: ml_program.global_store @main_quantizer_1
// CHECK: ml_program.global_store @main_quantizer_2
// CHECK-NOT: ml_program.global_store
// CHECK: %[[R:.*]]:3 = call @main_quantizers_last()
// CHECK: return %{{.*}}, %{{.*}}, %[[R]]#0, %[[R]]#1, %[[R]]#2
// CHECK: func.func private @main_quantizers_last() -> (tensor<4xf32>, tensor<4xi8>, tensor<f32>) attributes {noinline} {
// CHECK: %[[A:.*]] = ml_program.global_load @main_quantizer_0
// CHECK: %[[B:.*]] = ml_program.global_load @main_quantizer_1
// CHECK: %[[C:.*]] = ml_program.global_load @main_quantizer_2
// CHECK: return %[[A]], %[[B]], %[[C]]
// CHECK: func.func private @main_quantizer_2_clear() attributes {noinline} {
// CHECK: ml_program.global_store @main_quantizer_2 = %cst
// CHECK: func.func private @main_quantizer_1_clear()
// CHECK: func.func private @main_quantizer_0_clear()
func.func @main(%x: tensor<4xf32>, %y: tensor<?xf32>) -> (tensor<4xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<?xf32>) {
    %q = qt.quantize %a : tensor<4xf32> to !qt.tensor<4xf32, #s>
    %d = qt.dequantize %q : !qt.tensor<4xf32, #s> to tensor<4xf32>
    %p = qt.quantize %b : tensor<?xf32> to !qt.tensor<?xf32, #s>
    %e = qt.dequantize %p : !qt.tensor<?xf32, #s> to tensor<?xf32>
    scf.yield %d, %e : tensor<4xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<?xf32>
}
