// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product whose result lies in flat tensors, behind a bias of 7 elements and from element 3 on; of weights that are a part of one.
#id = affine_map<(m, n) -> (m, n)>
func.func @main(%x: tensor<64x128xbf16>, %flat: tensor<20000xbf16>, %bias: tensor<7xbf16>, %into: tensor<20000xbf16>)
    -> (tensor<64x128xbf16>, tensor<8199xbf16>, tensor<20000xbf16>) {
  %zero = arith.constant 0.0 : f32
  %part = tensor.extract_slice %flat[3] [16384] [1] : tensor<20000xbf16> to tensor<16384xbf16>
  %w = tensor.expand_shape %part [[0, 1]] output_shape [128, 128] : tensor<16384xbf16> into tensor<128x128xbf16>
  %e = tensor.empty() : tensor<64x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x128xbf16>, tensor<128x128xbf16>) outs(%f : tensor<64x128xf32>) -> tensor<64x128xf32>
  %g = tensor.empty() : tensor<64x128xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<64x128xf32>) outs(%g : tensor<64x128xbf16>) {
  ^bb0(%wide: f32, %unread: bf16):
    %narrow = arith.truncf %wide : f32 to bf16
    linalg.yield %narrow : bf16
  } -> tensor<64x128xbf16>
  %c = tensor.collapse_shape %r [[0, 1]] : tensor<64x128xbf16> into tensor<8192xbf16>
  %behind = tensor.concat dim(0) %bias, %c : (tensor<7xbf16>, tensor<8192xbf16>) -> tensor<8199xbf16>
  %inside = tensor.insert_slice %c into %into[3] [8192] [1] : tensor<8192xbf16> into tensor<20000xbf16>
  return %r, %behind, %inside : tensor<64x128xbf16>, tensor<8199xbf16>, tensor<20000xbf16>
}
