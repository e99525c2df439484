// RUN: fp8-run %s | FileCheck %s
// RUN: fp8-opt %s --fp8-import-linalg --qt-hoist-quantization -o %t.mlir 2>%t.err && fp8-run %t.mlir | FileCheck %s
// RUN: FileCheck %s --check-prefix=STAYS < %t.err
// CHECK-COUNT-6: I64 = 0{{$}}
// CHECK-NOT: I64 =

// O19: what is quantized, reshaped and decoded keeps its format, its signs and its axis, in whatever order.

#tensor = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
#column = #qt.scheme<f8E5M2, [#qt.scale<f32 per block [*, 1] by fdiv>]>
#pair = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 2] by fdiv>]>

// How many elements differ in a bit.
func.func private @differ(%a: tensor<4xf32>, %b: tensor<4xf32>) -> i64 {
  %zero = arith.constant dense<0> : tensor<i64>
  %n = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                       iterator_types = ["reduction"]} ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%zero : tensor<i64>) {
  ^bb0(%x: f32, %y: f32, %sum: i64):
    %xi = arith.bitcast %x : f32 to i32
    %yi = arith.bitcast %y : f32 to i32
    %differs = arith.cmpi ne, %xi, %yi : i32
    %one = arith.extui %differs : i1 to i64
    %next = arith.addi %sum, %one : i64
    linalg.yield %next : i64
  } -> tensor<i64>
  %r = tensor.extract %n[] : tensor<i64>
  return %r : i64
}

// The E5M2 codes of 1024, -1024, 3 and -0.25 under a scale of one are these numbers after a collapse of codes, ...
func.func private @range_of_the_format() -> (i64, i64) {
  %codes = arith.constant dense<[[100, 228], [66, 180]]> : tensor<2x2xi8>
  %scale = arith.constant dense<1.0> : tensor<f32>
  %numbers = arith.constant dense<[1024.0, -1024.0, 3.0, -0.25]> : tensor<4xf32>
  %q = qt.assemble %codes, %scale : tensor<2x2xi8>, tensor<f32> -> !qt.tensor<2x2xf32, #tensor>
  %r = qt.reshape %q [[0, 1]] : !qt.tensor<2x2xf32, #tensor> -> !qt.tensor<4xf32, #tensor>
  %a = qt.dequantize %r : !qt.tensor<4xf32, #tensor> to tensor<4xf32>
  %n = call @differ(%a, %numbers) : (tensor<4xf32>, tensor<4xf32>) -> i64
  // ... and after decoding, collapsing and quantizing by the same scale, which is a collapse of codes.
  %d = qt.dequantize %q : !qt.tensor<2x2xf32, #tensor> to tensor<2x2xf32>
  %c = tensor.collapse_shape %d [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %s = qt.quantize %c scales(%scale : tensor<f32>) : tensor<4xf32> to !qt.tensor<4xf32, #tensor>
  %b = qt.dequantize %s : !qt.tensor<4xf32, #tensor> to tensor<4xf32>
  %m = call @differ(%b, %numbers) : (tensor<4xf32>, tensor<4xf32>) -> i64
  return %n, %m : i64, i64
}

// Codes of 2, 2, 4, 4 under scales 0.5 and 2 of the columns are 1, 4, 2, 8. No scale of an axis says this of the collapsed
// tensor, so it is decoded first.
func.func private @axis_of_the_scale() -> i64 {
  %codes = arith.constant dense<[[64, 64], [68, 68]]> : tensor<2x2xi8>
  %scales = arith.constant dense<[[0.5, 2.0]]> : tensor<1x2xf32>
  %numbers = arith.constant dense<[1.0, 4.0, 2.0, 8.0]> : tensor<4xf32>
  %q = qt.assemble %codes, %scales : tensor<2x2xi8>, tensor<1x2xf32> -> !qt.tensor<2x2xf32, #column>
  %d = qt.dequantize %q : !qt.tensor<2x2xf32, #column> to tensor<2x2xf32>
  %c = tensor.collapse_shape %d [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %n = call @differ(%c, %numbers) : (tensor<4xf32>, tensor<4xf32>) -> i64
  return %n : i64
}

// The same the other way: a quantizer by columns stays below the expansion of a row.
// STAYS: remark: quantizer stays below 'tensor.expand_shape': expected blocks of [*, 1] of dimensions of [2, 2] to be elements in a row at scale level 0, got parts of several rows
func.func private @columns_of_a_row(%x: tensor<4xf32>) -> i64 {
  %e = tensor.expand_shape %x [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %q = qt.quantize %e : tensor<2x2xf32> to !qt.tensor<2x2xf32, #column>
  %d = qt.dequantize %q : !qt.tensor<2x2xf32, #column> to tensor<2x2xf32>
  %c = tensor.collapse_shape %d [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %n = call @differ(%c, %x) : (tensor<4xf32>, tensor<4xf32>) -> i64
  return %n : i64
}

// One scale for two elements of a row is one for two in a row: negative numbers stay negative.
func.func private @blocks_of_a_row(%x: tensor<2x2xf32>, %wanted: tensor<4xf32>) -> i64 {
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %q = qt.quantize %c : tensor<4xf32> to !qt.tensor<4xf32, #pair>
  %d = qt.dequantize %q : !qt.tensor<4xf32, #pair> to tensor<4xf32>
  %n = call @differ(%d, %wanted) : (tensor<4xf32>, tensor<4xf32>) -> i64
  return %n : i64
}

// A reshaped constant is one of the same codes.
func.func private @constants() -> i64 {
  %q = qt.constant <dense<[[100, 228], [66, 180]]> : tensor<2x2xi8>, [dense<1.0> : tensor<f32>]> : !qt.tensor<2x2xf32, #tensor>
  %r = qt.reshape %q [[0, 1]] : !qt.tensor<2x2xf32, #tensor> -> !qt.tensor<4xf32, #tensor>
  %d = qt.dequantize %r : !qt.tensor<4xf32, #tensor> to tensor<4xf32>
  %numbers = arith.constant dense<[1024.0, -1024.0, 3.0, -0.25]> : tensor<4xf32>
  %n = call @differ(%d, %numbers) : (tensor<4xf32>, tensor<4xf32>) -> i64
  return %n : i64
}

func.func @main() -> (i64, i64, i64, i64, i64, i64) {
  %a, %b = call @range_of_the_format() : () -> (i64, i64)
  %c = call @axis_of_the_scale() : () -> i64
  %x = arith.constant dense<[-1.75, 57344.0, 7.0, -7168.0]> : tensor<4xf32>
  %d = call @columns_of_a_row(%x) : (tensor<4xf32>) -> i64
  %y = arith.constant dense<[[-448.0, 1.0], [3.5, -1.75]]> : tensor<2x2xf32>
  %wanted = arith.constant dense<[-448.0, 1.0, 3.5, -1.75]> : tensor<4xf32>
  %e = call @blocks_of_a_row(%y, %wanted) : (tensor<2x2xf32>, tensor<4xf32>) -> i64
  %f = call @constants() : () -> i64
  return %a, %b, %c, %d, %e, %f : i64, i64, i64, i64, i64, i64
}
