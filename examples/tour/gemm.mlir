// Activations with scales for 1x128 elements times weights with scales for 128x128, for large products.
qtile.kernel @linear(%x: !qtile.global<f8E4M3FN>, %xs: !qtile.global<f32>, %w: !qtile.global<f8E4M3FN>,
                     %ws: !qtile.global<f32>, %y: !qtile.global<bf16>, %m: i32, %n: i32, %k: i32) on @sm_90a {
  qtile.gemm %x as block_1x128 by %xs, %w as block_128x128 by %ws into %y sizes(%m, %n, %k) likely [4096, 7168, 2048]
    : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
