// A loop that quantizes what it carries, and scalars as argument and result.
#id = affine_map<(i) -> (i)>
#all = affine_map<(i) -> ()>
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
module attributes {qt.signature = #qt.signature<arguments = [#qt.value<"x", input>, #qt.value<"factor", input>] results = [#qt.value<"x3", unknown>, #qt.value<"largest", unknown>]>} {
  func.func @main(%x: tensor<4xf32>, %factor: f32) -> (tensor<4xf32>, f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %y = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> tensor<4xf32> {
      %q = qt.quantize %a : tensor<4xf32> to !qt.tensor<4xf32, #s>
      %d = qt.dequantize %q : !qt.tensor<4xf32, #s> to tensor<4xf32>
      %e = tensor.empty() : tensor<4xf32>
      %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%d : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%v: f32, %o: f32):
        %p = arith.mulf %v, %factor : f32
        linalg.yield %p : f32
      } -> tensor<4xf32>
      scf.yield %r : tensor<4xf32>
    }
    %zero = arith.constant dense<0.0> : tensor<f32>
    %m = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%y : tensor<4xf32>) outs(%zero : tensor<f32>) {
    ^bb0(%v: f32, %o: f32):
      %n = arith.maximumf %v, %o : f32
      linalg.yield %n : f32
    } -> tensor<f32>
    %largest = tensor.extract %m[] : tensor<f32>
    return %y, %largest : tensor<4xf32>, f32
  }
}
