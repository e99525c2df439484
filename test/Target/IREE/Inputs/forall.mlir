func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %c) -> tensor<4x6xf32> {
    %xs = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
    %cs = tensor.extract_slice %o[%i, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<1x6xf32>
    %y = linalg.matmul ins(%xs, %w : tensor<1x8xf32>, tensor<8x6xf32>) outs(%cs : tensor<1x6xf32>) -> tensor<1x6xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %y into %o[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<4x6xf32> }
  }
  return %r : tensor<4x6xf32>
}
