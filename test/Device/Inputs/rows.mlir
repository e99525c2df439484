// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linear with a bias, its loss and its gradients, of a batch that is known at run time.
func.func @main(%x: tensor<?x256xbf16>, %w: tensor<256x256xbf16>, %b: tensor<256xbf16>) -> (tensor<f32>, tensor<?x256xbf16>, tensor<256x256xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %dm = tensor.dim %x, %c0 : tensor<?x256xbf16>
  %wt0 = tensor.empty() : tensor<256x256xbf16>
  %wt = linalg.transpose ins(%w : tensor<256x256xbf16>) outs(%wt0 : tensor<256x256xbf16>) permutation = [1, 0]
  %y0 = tensor.empty(%dm) : tensor<?x256xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<?x256xf32>) -> tensor<?x256xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<?x256xbf16>, tensor<256x256xbf16>) outs(%y1 : tensor<?x256xf32>) -> tensor<?x256xf32>
  %yb0 = tensor.empty(%dm) : tensor<?x256xbf16>
  %yb = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]}
    ins(%y, %b : tensor<?x256xf32>, tensor<256xbf16>) outs(%yb0 : tensor<?x256xbf16>) {
  ^bb0(%v: f32, %bb: bf16, %u: bf16):
    %be = arith.extf %bb : bf16 to f32
    %s = arith.addf %v, %be : f32
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x256xbf16>
  %l0 = tensor.empty() : tensor<f32>
  %l1 = linalg.fill ins(%zero : f32) outs(%l0 : tensor<f32>) -> tensor<f32>
  %loss = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->()>], iterator_types = ["reduction","reduction"]}
    ins(%yb : tensor<?x256xbf16>) outs(%l1 : tensor<f32>) {
  ^bb0(%v: bf16, %t: f32):
    %e = arith.extf %v : bf16 to f32
    %q = arith.mulf %e, %e : f32
    %s = arith.addf %t, %q : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %dy0 = tensor.empty(%dm) : tensor<?x256xbf16>
  %dy = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]}
    ins(%yb : tensor<?x256xbf16>) outs(%dy0 : tensor<?x256xbf16>) {
  ^bb0(%v: bf16, %u: bf16):
    %e = arith.extf %v : bf16 to f32
    %q = arith.mulf %e, %two : f32
    %r = arith.truncf %q : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x256xbf16>
  %dx0 = tensor.empty(%dm) : tensor<?x256xf32>
  %dx1 = linalg.fill ins(%zero : f32) outs(%dx0 : tensor<?x256xf32>) -> tensor<?x256xf32>
  %dx2 = linalg.matmul ins(%dy, %w : tensor<?x256xbf16>, tensor<256x256xbf16>) outs(%dx1 : tensor<?x256xf32>) -> tensor<?x256xf32>
  %dyt0 = tensor.empty(%dm) : tensor<256x?xbf16>
  %dyt = linalg.transpose ins(%dy : tensor<?x256xbf16>) outs(%dyt0 : tensor<256x?xbf16>) permutation = [1, 0]
  %dw0 = tensor.empty() : tensor<256x256xf32>
  %dw1 = linalg.fill ins(%zero : f32) outs(%dw0 : tensor<256x256xf32>) -> tensor<256x256xf32>
  %dw2 = linalg.matmul ins(%dyt, %x : tensor<256x?xbf16>, tensor<?x256xbf16>) outs(%dw1 : tensor<256x256xf32>) -> tensor<256x256xf32>
  %dxr0 = tensor.empty(%dm) : tensor<?x256xbf16>
  %dx = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]}
    ins(%dx2 : tensor<?x256xf32>) outs(%dxr0 : tensor<?x256xbf16>) {
  ^bb0(%v: f32, %u: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x256xbf16>
  %dwr0 = tensor.empty() : tensor<256x256xbf16>
  %dw = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]}
    ins(%dw2 : tensor<256x256xf32>) outs(%dwr0 : tensor<256x256xbf16>) {
  ^bb0(%v: f32, %u: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<256x256xbf16>
  return %loss, %dx, %dw : tensor<f32>, tensor<?x256xbf16>, tensor<256x256xbf16>
}
