// RUN: fp8-run %s | FileCheck %s

// 1.0 in a row that ends at 5.3 and a column that ends at 3.0, quantized along the row, then requantized along the column.
// Under scales amax / 448 it becomes 88 / 84.53 and then 160 / 149.33; quantized along the column at once, 144 / 149.33. Under
// powers of two it stays. (Worked for DeepSeek-V3's cached activations.)
// CHECK: result0: F32 = 1.07142854
// CHECK: result1: F32 = 0.96428573
// CHECK: result2: F32 = 1{{$}}

#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv>]>
#row2 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
#column2 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 1] by fdiv_pow2>]>

func.func @main() -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<[[5.3, 1.0], [0.0, 3.0]]> : tensor<2x2xf32>
  %q = qt.quantize %x : tensor<2x2xf32> to !qt.tensor<2x2xf32, #row>
  %t = qt.transpose %q permutation = [1, 0] : !qt.tensor<2x2xf32, #row> -> !qt.tensor<2x2xf32, #column>
  %r = qt.requantize %t in <backward> : !qt.tensor<2x2xf32, #column> to !qt.tensor<2x2xf32, #row>
  %y = qt.dequantize %r : !qt.tensor<2x2xf32, #row> to tensor<2x2xf32>
  %twice = tensor.extract %y[%c1, %c0] : tensor<2x2xf32>

  %direct = qt.quantize %x : tensor<2x2xf32> to !qt.tensor<2x2xf32, #column>
  %y1 = qt.dequantize %direct : !qt.tensor<2x2xf32, #column> to tensor<2x2xf32>
  %once = tensor.extract %y1[%c0, %c1] : tensor<2x2xf32>

  %q2 = qt.quantize %x : tensor<2x2xf32> to !qt.tensor<2x2xf32, #row2>
  %t2 = qt.transpose %q2 permutation = [1, 0] : !qt.tensor<2x2xf32, #row2> -> !qt.tensor<2x2xf32, #column2>
  %r2 = qt.requantize %t2 in <backward> : !qt.tensor<2x2xf32, #column2> to !qt.tensor<2x2xf32, #row2>
  %y2 = qt.dequantize %r2 : !qt.tensor<2x2xf32, #row2> to tensor<2x2xf32>
  %kept = tensor.extract %y2[%c1, %c0] : tensor<2x2xf32>
  return %twice, %once, %kept : f32, f32, f32
}
