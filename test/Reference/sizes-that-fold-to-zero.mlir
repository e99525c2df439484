// RUN: fp8-run %s --init=normal:1 | FileCheck %s
//
// Sizes that are dynamic in the graph, and of which lowering finds out that they are 0: quantizers in blocks that such sizes
// may not fill, products without K and without rows, and a pad of nothing.
//
// CHECK: result0: 4x0xF32 = []
// CHECK: result1: 0x4xF32 = []
// CHECK: result2: 4x0xF32 = []
// CHECK: result3: 2x3xF32 = [0, 0, 0, 0, 0, 0]
// CHECK: result4: 0x3xF32 = []
// CHECK: result5: 4x2xF32 = [1, 1, 1, 1, 1, 1, 1, 1]
// CHECK: result6: 4xF32 = [

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#square = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [128, 128] by fdiv>]>
#nv = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
!q = !qt.tensor<?x?xf32, #mx>
!any = tensor<?x?xf32>
func.func private @product(%a: !any, %b: !any) -> !any {
  %qa = qt.quantize %a : !any to !q
  %qb = qt.quantize %b : !any to !q
  %y = qt.matmul %qa, %qb : !q, !q -> !any
  return %y : !any
}

func.func @main(%x: tensor<40x40xf32>) -> (!any, !any, !any, !any, !any, !any, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %rows = tensor.extract_slice %x[0, 0] [%c4, %c0] [1, 1] : tensor<40x40xf32> to !any
  %columns = tensor.extract_slice %x[0, 0] [%c0, %c4] [1, 1] : tensor<40x40xf32> to !any
  %q0 = qt.quantize %rows : !any to !qt.tensor<?x?xf32, #square>
  %y0 = qt.dequantize %q0 : !qt.tensor<?x?xf32, #square> to !any
  %q1 = qt.quantize %columns : !any to !q
  %y1 = qt.dequantize %q1 : !q to !any
  %q2 = qt.quantize %rows : !any to !qt.tensor<?x?xf32, #nv>
  %y2 = qt.dequantize %q2 : !qt.tensor<?x?xf32, #nv> to !any

  %a3 = tensor.extract_slice %x[0, 0] [%c2, %c0] [1, 1] : tensor<40x40xf32> to !any
  %b3 = tensor.extract_slice %x[0, 0] [%c3, %c0] [1, 1] : tensor<40x40xf32> to !any
  %y3 = call @product(%a3, %b3) : (!any, !any) -> !any
  %b4 = tensor.extract_slice %x[0, 0] [%c3, %c4] [1, 1] : tensor<40x40xf32> to !any
  %y4 = call @product(%columns, %b4) : (!any, !any) -> !any

  %y5 = tensor.pad %rows low[%c0, %c0] high[%c0, %c2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : !any to !any

  // One dimension is dropped; what is inserted has no elements.
  %row = tensor.extract_slice %columns[0, 0] [%c0, 1] [1, 1] : !any to tensor<?xf32>
  %to = tensor.extract_slice %x[1, 0] [1, 4] [1, 1] : tensor<40x40xf32> to tensor<4xf32>
  %y6 = tensor.insert_slice %row into %to[0] [%c0] [1] : tensor<?xf32> into tensor<4xf32>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6 : !any, !any, !any, !any, !any, !any, tensor<4xf32>
}
