// Quantizers at their products, as the step `quantize` leaves them, of tensors that the step `axes` brings about in each of its
// forms: %w again, %x early, %u shared, %v transposed, %r requantized from kept codes, %p computed again, %d in one pass.
// All sizes are odd, and no dimension is a multiple of a block.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#t = #qt.scheme<f8E5M2, [#qt.scale<f32 per block [8, 8] by fdiv_pow2>]>
#m = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
#n = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
#row = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 16] by fdiv>]>
#column = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [16, 1] by fdiv>]>
#pow2 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 16] by fdiv_pow2>]>
#id = affine_map<(i, j) -> (i, j)>
#sums = affine_map<(i, j, k) -> (i, j)>
#terms = affine_map<(i, j, k) -> (i, j, k)>
func.func @main(%w: tensor<19x37xbf16>, %h: tensor<5x19x37x2xbf16>, %g: tensor<19x37xbf16>, %f: tensor<19x37xbf16>)
    -> (tensor<19x19xf32>, tensor<37x37xf32>, tensor<19x19xf32>, tensor<37x37xf32>, tensor<19x37xbf16>, tensor<37x37xf32>) {
  %zero = arith.constant 0.0 : bf16
  %none = arith.constant dense<0.0> : tensor<19x19xf32>
  %nothing = arith.constant dense<0.0> : tensor<37x37xf32>
  %e = tensor.empty() : tensor<19x37xbf16>
  %et = tensor.empty() : tensor<37x19xbf16>
  %start = linalg.fill ins(%zero : bf16) outs(%e : tensor<19x37xbf16>) -> tensor<19x37xbf16>
  %h0 = tensor.extract_slice %h[0, 0, 0, 0] [1, 19, 37, 2] [1, 1, 1, 1] : tensor<5x19x37x2xbf16> to tensor<19x37x2xbf16>
  %h1 = tensor.extract_slice %h[1, 0, 0, 0] [1, 19, 37, 2] [1, 1, 1, 1] : tensor<5x19x37x2xbf16> to tensor<19x37x2xbf16>
  %h2 = tensor.extract_slice %h[2, 0, 0, 0] [1, 19, 37, 2] [1, 1, 1, 1] : tensor<5x19x37x2xbf16> to tensor<19x37x2xbf16>
  %h3 = tensor.extract_slice %h[3, 0, 0, 0] [1, 19, 37, 2] [1, 1, 1, 1] : tensor<5x19x37x2xbf16> to tensor<19x37x2xbf16>
  %x = linalg.generic {indexing_maps = [#terms, #sums], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h0 : tensor<19x37x2xbf16>) outs(%start : tensor<19x37xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %0 = arith.addf %a, %o : bf16
    linalg.yield %0 : bf16
  } -> tensor<19x37xbf16>
  %u = linalg.generic {indexing_maps = [#terms, #sums], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h1 : tensor<19x37x2xbf16>) outs(%start : tensor<19x37xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %0 = arith.addf %a, %o : bf16
    linalg.yield %0 : bf16
  } -> tensor<19x37xbf16>
  %v = linalg.generic {indexing_maps = [#terms, #sums], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h2 : tensor<19x37x2xbf16>) outs(%start : tensor<19x37xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %0 = arith.addf %a, %o : bf16
    linalg.yield %0 : bf16
  } -> tensor<19x37xbf16>
  %r = linalg.generic {indexing_maps = [#terms, #sums], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h3 : tensor<19x37x2xbf16>) outs(%start : tensor<19x37xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %0 = arith.addf %a, %o : bf16
    linalg.yield %0 : bf16
  } -> tensor<19x37xbf16>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%f, %g : tensor<19x37xbf16>, tensor<19x37xbf16>) outs(%e : tensor<19x37xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<19x37xbf16>

  %fw = qt.quantize %w in <forward> : tensor<19x37xbf16> to !qt.tensor<19x37xbf16, #m>
  %fx = qt.quantize %x in <forward> : tensor<19x37xbf16> to !qt.tensor<19x37xbf16, #m>
  %fu = qt.quantize %u in <forward> : tensor<19x37xbf16> to !qt.tensor<19x37xbf16, #n>
  %fv = qt.quantize %v in <forward> : tensor<19x37xbf16> to !qt.tensor<19x37xbf16, #t>
  %fr = qt.quantize %r in <forward> : tensor<19x37xbf16> to !qt.tensor<19x37xbf16, #row>
  %fp = qt.quantize %p in <forward> : tensor<19x37xbf16> to !qt.tensor<19x37xbf16, #s>
  %y0 = qt.matmul %fx, %fw plus %none : tensor<19x19xf32> : !qt.tensor<19x37xbf16, #m>, !qt.tensor<19x37xbf16, #m> -> tensor<19x19xf32>
  %y1 = qt.matmul %fu, %fu plus %y0 : tensor<19x19xf32> : !qt.tensor<19x37xbf16, #n>, !qt.tensor<19x37xbf16, #n> -> tensor<19x19xf32>
  %y2 = qt.matmul %fv, %fv plus %y1 : tensor<19x19xf32> : !qt.tensor<19x37xbf16, #t>, !qt.tensor<19x37xbf16, #t> -> tensor<19x19xf32>
  %y3 = qt.matmul %fr, %fr plus %y2 : tensor<19x19xf32> : !qt.tensor<19x37xbf16, #row>, !qt.tensor<19x37xbf16, #row> -> tensor<19x19xf32>
  %y4 = qt.matmul %fp, %fp plus %y3 : tensor<19x19xf32> : !qt.tensor<19x37xbf16, #s>, !qt.tensor<19x37xbf16, #s> -> tensor<19x19xf32>

  %wt = linalg.transpose ins(%w : tensor<19x37xbf16>) outs(%et : tensor<37x19xbf16>) permutation = [1, 0]
  %bw = qt.quantize %wt in <backward> : tensor<37x19xbf16> to !qt.tensor<37x19xbf16, #m>
  %xt = linalg.transpose ins(%x : tensor<19x37xbf16>) outs(%et : tensor<37x19xbf16>) permutation = [1, 0]
  %bx = qt.quantize %xt in <backward> : tensor<37x19xbf16> to !qt.tensor<37x19xbf16, #m>
  %d0 = qt.matmul %bx, %bw plus %nothing : tensor<37x37xf32> : !qt.tensor<37x19xbf16, #m>, !qt.tensor<37x19xbf16, #m> -> tensor<37x37xf32>
  %bu = qt.quantize %u in <backward> : tensor<19x37xbf16> to !qt.tensor<19x37xbf16, #n>
  %d1 = qt.matmul %bu, %bu plus %y4 : tensor<19x19xf32> : !qt.tensor<19x37xbf16, #n>, !qt.tensor<19x37xbf16, #n> -> tensor<19x19xf32>
  %vt = linalg.transpose ins(%v : tensor<19x37xbf16>) outs(%et : tensor<37x19xbf16>) permutation = [1, 0]
  %bv = qt.quantize %v in <backward> : tensor<19x37xbf16> to !qt.tensor<19x37xbf16, #t>
  %bvt = qt.quantize %vt in <backward> : tensor<37x19xbf16> to !qt.tensor<37x19xbf16, #t>
  %d2 = qt.matmul %bv, %bv plus %d1 : tensor<19x19xf32> : !qt.tensor<19x37xbf16, #t>, !qt.tensor<19x37xbf16, #t> -> tensor<19x19xf32>
  %d3 = qt.matmul %bvt, %bvt plus %d0 : tensor<37x37xf32> : !qt.tensor<37x19xbf16, #t>, !qt.tensor<37x19xbf16, #t> -> tensor<37x37xf32>
  %first = qt.quantize %r in <forward> : tensor<19x37xbf16> to !qt.tensor<19x37xbf16, #row>
  %turned = qt.transpose %first permutation = [1, 0] : !qt.tensor<19x37xbf16, #row> -> !qt.tensor<37x19xbf16, #column>
  %br = qt.requantize %turned in <backward> : !qt.tensor<37x19xbf16, #column> to !qt.tensor<37x19xbf16, #pow2>
  %d4 = qt.matmul %br, %br plus %d3 : tensor<37x37xf32> : !qt.tensor<37x19xbf16, #pow2>, !qt.tensor<37x19xbf16, #pow2> -> tensor<37x37xf32>
  %pt = linalg.transpose ins(%p : tensor<19x37xbf16>) outs(%et : tensor<37x19xbf16>) permutation = [1, 0]
  %bp = qt.quantize %pt in <backward> : tensor<37x19xbf16> to !qt.tensor<37x19xbf16, #s>
  %d5 = qt.matmul %bp, %bp : !qt.tensor<37x19xbf16, #s>, !qt.tensor<37x19xbf16, #s> -> tensor<37x37xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%f, %g : tensor<19x37xbf16>, tensor<19x37xbf16>) outs(%e : tensor<19x37xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %0 = arith.subf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<19x37xbf16>
  %dt = linalg.transpose ins(%d : tensor<19x37xbf16>) outs(%et : tensor<37x19xbf16>) permutation = [1, 0]
  %bd = qt.quantize %d in <backward> : tensor<19x37xbf16> to !qt.tensor<19x37xbf16, #s>
  %bdt = qt.quantize %dt in <backward> : tensor<37x19xbf16> to !qt.tensor<37x19xbf16, #s>
  %d6 = qt.matmul %bd, %bd plus %d2 : tensor<19x19xf32> : !qt.tensor<19x37xbf16, #s>, !qt.tensor<19x37xbf16, #s> -> tensor<19x19xf32>
  %d7 = qt.matmul %bdt, %bdt plus %d4 : tensor<37x37xf32> : !qt.tensor<37x19xbf16, #s>, !qt.tensor<37x19xbf16, #s> -> tensor<37x37xf32>
  return %y4, %d0, %d6, %d7, %d, %d5 : tensor<19x19xf32>, tensor<37x37xf32>, tensor<19x19xf32>, tensor<37x37xf32>, tensor<19x37xbf16>, tensor<37x37xf32>
}
