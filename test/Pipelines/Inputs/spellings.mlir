// Linears as users spell them: a weight that is repeated for a batch, chunks of a fused one with all three products, zeros around
// an activation, activations side by side, experts that all see the same tokens. For spellings.test.
func.func @main(%a0: tensor<2x32x128xbf16>, %a1: tensor<384x128xbf16>, %a2: tensor<128x128xbf16>, %a3: tensor<128x256xbf16>, %a4: tensor<128x256xbf16>, %a5: tensor<4x128x128xbf16>, %a6: tensor<2x32x384xbf16> {qt.role = #qt.role<gradient>}) -> (tensor<2x32x128xbf16>, tensor<2x32x128xbf16>, tensor<2x32x128xbf16>, tensor<2x32x128xbf16>, tensor<2x32x128xbf16>, tensor<2x32x128xbf16>, tensor<2x32x128xbf16>, tensor<384x128xbf16>, tensor<2x40x128xbf16>, tensor<2x32x128xbf16>, tensor<4x64x128xbf16>) {
  %v1 = tensor.empty() : tensor<128x128xbf16>
  %v2 = linalg.transpose ins(%a2 : tensor<128x128xbf16>) outs(%v1 : tensor<128x128xbf16>) permutation = [1, 0]
  %v3 = tensor.empty() : tensor<2x128x128xbf16>
  %v4 = linalg.broadcast ins(%v2 : tensor<128x128xbf16>) outs(%v3 : tensor<2x128x128xbf16>) dimensions = [0]
  %v5 = tensor.empty() : tensor<2x32x128xf32>
  %v6 = arith.constant 0.0 : f32
  %v7 = linalg.fill ins(%v6 : f32) outs(%v5 : tensor<2x32x128xf32>) -> tensor<2x32x128xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(b, l, n, k) -> (b, l, k)>, affine_map<(b, l, n, k) -> (b, k, n)>, affine_map<(b, l, n, k) -> (b, l, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a0, %v4 : tensor<2x32x128xbf16>, tensor<2x128x128xbf16>) outs(%v7 : tensor<2x32x128xf32>) {
  ^bb0(%i7_0: bf16, %i7_1: bf16, %o7: f32):
    %e7_0 = arith.extf %i7_0 : bf16 to f32
    %e7_1 = arith.extf %i7_1 : bf16 to f32
    %m7 = arith.mulf %e7_0, %e7_1 : f32
    %s7 = arith.addf %o7, %m7 : f32
    linalg.yield %s7 : f32
  } -> tensor<2x32x128xf32>
  %v9 = tensor.empty() : tensor<2x32x128xbf16>
  %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v8 : tensor<2x32x128xf32>) outs(%v9 : tensor<2x32x128xbf16>) {
  ^bb0(%i9: f32, %o9: bf16):
    %c9 = arith.truncf %i9 : f32 to bf16
    linalg.yield %c9 : bf16
  } -> tensor<2x32x128xbf16>
  %v11 = tensor.extract_slice %a1[0, 0] [128, 128] [1, 1] : tensor<384x128xbf16> to tensor<128x128xbf16>
  %v12 = tensor.extract_slice %a6[0, 0, 0] [2, 32, 128] [1, 1, 1] : tensor<2x32x384xbf16> to tensor<2x32x128xbf16>
  %v13 = tensor.empty() : tensor<2x32x128xf32>
  %v14 = arith.constant 0.0 : f32
  %v15 = linalg.fill ins(%v14 : f32) outs(%v13 : tensor<2x32x128xf32>) -> tensor<2x32x128xf32>
  %v16 = linalg.generic {indexing_maps = [affine_map<(b, l, n, k) -> (b, l, k)>, affine_map<(b, l, n, k) -> (n, k)>, affine_map<(b, l, n, k) -> (b, l, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a0, %v11 : tensor<2x32x128xbf16>, tensor<128x128xbf16>) outs(%v15 : tensor<2x32x128xf32>) {
  ^bb0(%i15_0: bf16, %i15_1: bf16, %o15: f32):
    %e15_0 = arith.extf %i15_0 : bf16 to f32
    %e15_1 = arith.extf %i15_1 : bf16 to f32
    %m15 = arith.mulf %e15_0, %e15_1 : f32
    %s15 = arith.addf %o15, %m15 : f32
    linalg.yield %s15 : f32
  } -> tensor<2x32x128xf32>
  %v17 = tensor.empty() : tensor<2x32x128xbf16>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v16 : tensor<2x32x128xf32>) outs(%v17 : tensor<2x32x128xbf16>) {
  ^bb0(%i17: f32, %o17: bf16):
    %c17 = arith.truncf %i17 : f32 to bf16
    linalg.yield %c17 : bf16
  } -> tensor<2x32x128xbf16>
  %v19 = tensor.empty() : tensor<2x32x128xf32>
  %v20 = arith.constant 0.0 : f32
  %v21 = linalg.fill ins(%v20 : f32) outs(%v19 : tensor<2x32x128xf32>) -> tensor<2x32x128xf32>
  %v22 = linalg.generic {indexing_maps = [affine_map<(b, l, k, n) -> (b, l, n)>, affine_map<(b, l, k, n) -> (n, k)>, affine_map<(b, l, k, n) -> (b, l, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v12, %v11 : tensor<2x32x128xbf16>, tensor<128x128xbf16>) outs(%v21 : tensor<2x32x128xf32>) {
  ^bb0(%i21_0: bf16, %i21_1: bf16, %o21: f32):
    %e21_0 = arith.extf %i21_0 : bf16 to f32
    %e21_1 = arith.extf %i21_1 : bf16 to f32
    %m21 = arith.mulf %e21_0, %e21_1 : f32
    %s21 = arith.addf %o21, %m21 : f32
    linalg.yield %s21 : f32
  } -> tensor<2x32x128xf32>
  %v23 = tensor.empty() : tensor<2x32x128xbf16>
  %v24 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v22 : tensor<2x32x128xf32>) outs(%v23 : tensor<2x32x128xbf16>) {
  ^bb0(%i23: f32, %o23: bf16):
    %c23 = arith.truncf %i23 : f32 to bf16
    linalg.yield %c23 : bf16
  } -> tensor<2x32x128xbf16>
  %v25 = tensor.empty() : tensor<128x128xf32>
  %v26 = arith.constant 0.0 : f32
  %v27 = linalg.fill ins(%v26 : f32) outs(%v25 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %v28 = linalg.generic {indexing_maps = [affine_map<(n, k, b, l) -> (b, l, n)>, affine_map<(n, k, b, l) -> (b, l, k)>, affine_map<(n, k, b, l) -> (n, k)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%v12, %a0 : tensor<2x32x128xbf16>, tensor<2x32x128xbf16>) outs(%v27 : tensor<128x128xf32>) {
  ^bb0(%i27_0: bf16, %i27_1: bf16, %o27: f32):
    %e27_0 = arith.extf %i27_0 : bf16 to f32
    %e27_1 = arith.extf %i27_1 : bf16 to f32
    %m27 = arith.mulf %e27_0, %e27_1 : f32
    %s27 = arith.addf %o27, %m27 : f32
    linalg.yield %s27 : f32
  } -> tensor<128x128xf32>
  %v29 = tensor.empty() : tensor<128x128xbf16>
  %v30 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v28 : tensor<128x128xf32>) outs(%v29 : tensor<128x128xbf16>) {
  ^bb0(%i29: f32, %o29: bf16):
    %c29 = arith.truncf %i29 : f32 to bf16
    linalg.yield %c29 : bf16
  } -> tensor<128x128xbf16>
  %v31 = tensor.extract_slice %a1[128, 0] [128, 128] [1, 1] : tensor<384x128xbf16> to tensor<128x128xbf16>
  %v32 = tensor.extract_slice %a6[0, 0, 128] [2, 32, 128] [1, 1, 1] : tensor<2x32x384xbf16> to tensor<2x32x128xbf16>
  %v33 = tensor.empty() : tensor<2x32x128xf32>
  %v34 = arith.constant 0.0 : f32
  %v35 = linalg.fill ins(%v34 : f32) outs(%v33 : tensor<2x32x128xf32>) -> tensor<2x32x128xf32>
  %v36 = linalg.generic {indexing_maps = [affine_map<(b, l, n, k) -> (b, l, k)>, affine_map<(b, l, n, k) -> (n, k)>, affine_map<(b, l, n, k) -> (b, l, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a0, %v31 : tensor<2x32x128xbf16>, tensor<128x128xbf16>) outs(%v35 : tensor<2x32x128xf32>) {
  ^bb0(%i35_0: bf16, %i35_1: bf16, %o35: f32):
    %e35_0 = arith.extf %i35_0 : bf16 to f32
    %e35_1 = arith.extf %i35_1 : bf16 to f32
    %m35 = arith.mulf %e35_0, %e35_1 : f32
    %s35 = arith.addf %o35, %m35 : f32
    linalg.yield %s35 : f32
  } -> tensor<2x32x128xf32>
  %v37 = tensor.empty() : tensor<2x32x128xbf16>
  %v38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v36 : tensor<2x32x128xf32>) outs(%v37 : tensor<2x32x128xbf16>) {
  ^bb0(%i37: f32, %o37: bf16):
    %c37 = arith.truncf %i37 : f32 to bf16
    linalg.yield %c37 : bf16
  } -> tensor<2x32x128xbf16>
  %v39 = tensor.empty() : tensor<2x32x128xf32>
  %v40 = arith.constant 0.0 : f32
  %v41 = linalg.fill ins(%v40 : f32) outs(%v39 : tensor<2x32x128xf32>) -> tensor<2x32x128xf32>
  %v42 = linalg.generic {indexing_maps = [affine_map<(b, l, k, n) -> (b, l, n)>, affine_map<(b, l, k, n) -> (n, k)>, affine_map<(b, l, k, n) -> (b, l, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v32, %v31 : tensor<2x32x128xbf16>, tensor<128x128xbf16>) outs(%v41 : tensor<2x32x128xf32>) {
  ^bb0(%i41_0: bf16, %i41_1: bf16, %o41: f32):
    %e41_0 = arith.extf %i41_0 : bf16 to f32
    %e41_1 = arith.extf %i41_1 : bf16 to f32
    %m41 = arith.mulf %e41_0, %e41_1 : f32
    %s41 = arith.addf %o41, %m41 : f32
    linalg.yield %s41 : f32
  } -> tensor<2x32x128xf32>
  %v43 = tensor.empty() : tensor<2x32x128xbf16>
  %v44 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v42 : tensor<2x32x128xf32>) outs(%v43 : tensor<2x32x128xbf16>) {
  ^bb0(%i43: f32, %o43: bf16):
    %c43 = arith.truncf %i43 : f32 to bf16
    linalg.yield %c43 : bf16
  } -> tensor<2x32x128xbf16>
  %v45 = tensor.empty() : tensor<128x128xf32>
  %v46 = arith.constant 0.0 : f32
  %v47 = linalg.fill ins(%v46 : f32) outs(%v45 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %v48 = linalg.generic {indexing_maps = [affine_map<(n, k, b, l) -> (b, l, n)>, affine_map<(n, k, b, l) -> (b, l, k)>, affine_map<(n, k, b, l) -> (n, k)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%v32, %a0 : tensor<2x32x128xbf16>, tensor<2x32x128xbf16>) outs(%v47 : tensor<128x128xf32>) {
  ^bb0(%i47_0: bf16, %i47_1: bf16, %o47: f32):
    %e47_0 = arith.extf %i47_0 : bf16 to f32
    %e47_1 = arith.extf %i47_1 : bf16 to f32
    %m47 = arith.mulf %e47_0, %e47_1 : f32
    %s47 = arith.addf %o47, %m47 : f32
    linalg.yield %s47 : f32
  } -> tensor<128x128xf32>
  %v49 = tensor.empty() : tensor<128x128xbf16>
  %v50 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v48 : tensor<128x128xf32>) outs(%v49 : tensor<128x128xbf16>) {
  ^bb0(%i49: f32, %o49: bf16):
    %c49 = arith.truncf %i49 : f32 to bf16
    linalg.yield %c49 : bf16
  } -> tensor<128x128xbf16>
  %v51 = tensor.extract_slice %a1[256, 0] [128, 128] [1, 1] : tensor<384x128xbf16> to tensor<128x128xbf16>
  %v52 = tensor.extract_slice %a6[0, 0, 256] [2, 32, 128] [1, 1, 1] : tensor<2x32x384xbf16> to tensor<2x32x128xbf16>
  %v53 = tensor.empty() : tensor<2x32x128xf32>
  %v54 = arith.constant 0.0 : f32
  %v55 = linalg.fill ins(%v54 : f32) outs(%v53 : tensor<2x32x128xf32>) -> tensor<2x32x128xf32>
  %v56 = linalg.generic {indexing_maps = [affine_map<(b, l, n, k) -> (b, l, k)>, affine_map<(b, l, n, k) -> (n, k)>, affine_map<(b, l, n, k) -> (b, l, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a0, %v51 : tensor<2x32x128xbf16>, tensor<128x128xbf16>) outs(%v55 : tensor<2x32x128xf32>) {
  ^bb0(%i55_0: bf16, %i55_1: bf16, %o55: f32):
    %e55_0 = arith.extf %i55_0 : bf16 to f32
    %e55_1 = arith.extf %i55_1 : bf16 to f32
    %m55 = arith.mulf %e55_0, %e55_1 : f32
    %s55 = arith.addf %o55, %m55 : f32
    linalg.yield %s55 : f32
  } -> tensor<2x32x128xf32>
  %v57 = tensor.empty() : tensor<2x32x128xbf16>
  %v58 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v56 : tensor<2x32x128xf32>) outs(%v57 : tensor<2x32x128xbf16>) {
  ^bb0(%i57: f32, %o57: bf16):
    %c57 = arith.truncf %i57 : f32 to bf16
    linalg.yield %c57 : bf16
  } -> tensor<2x32x128xbf16>
  %v59 = tensor.empty() : tensor<2x32x128xf32>
  %v60 = arith.constant 0.0 : f32
  %v61 = linalg.fill ins(%v60 : f32) outs(%v59 : tensor<2x32x128xf32>) -> tensor<2x32x128xf32>
  %v62 = linalg.generic {indexing_maps = [affine_map<(b, l, k, n) -> (b, l, n)>, affine_map<(b, l, k, n) -> (n, k)>, affine_map<(b, l, k, n) -> (b, l, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v52, %v51 : tensor<2x32x128xbf16>, tensor<128x128xbf16>) outs(%v61 : tensor<2x32x128xf32>) {
  ^bb0(%i61_0: bf16, %i61_1: bf16, %o61: f32):
    %e61_0 = arith.extf %i61_0 : bf16 to f32
    %e61_1 = arith.extf %i61_1 : bf16 to f32
    %m61 = arith.mulf %e61_0, %e61_1 : f32
    %s61 = arith.addf %o61, %m61 : f32
    linalg.yield %s61 : f32
  } -> tensor<2x32x128xf32>
  %v63 = tensor.empty() : tensor<2x32x128xbf16>
  %v64 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v62 : tensor<2x32x128xf32>) outs(%v63 : tensor<2x32x128xbf16>) {
  ^bb0(%i63: f32, %o63: bf16):
    %c63 = arith.truncf %i63 : f32 to bf16
    linalg.yield %c63 : bf16
  } -> tensor<2x32x128xbf16>
  %v65 = tensor.empty() : tensor<128x128xf32>
  %v66 = arith.constant 0.0 : f32
  %v67 = linalg.fill ins(%v66 : f32) outs(%v65 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %v68 = linalg.generic {indexing_maps = [affine_map<(n, k, b, l) -> (b, l, n)>, affine_map<(n, k, b, l) -> (b, l, k)>, affine_map<(n, k, b, l) -> (n, k)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%v52, %a0 : tensor<2x32x128xbf16>, tensor<2x32x128xbf16>) outs(%v67 : tensor<128x128xf32>) {
  ^bb0(%i67_0: bf16, %i67_1: bf16, %o67: f32):
    %e67_0 = arith.extf %i67_0 : bf16 to f32
    %e67_1 = arith.extf %i67_1 : bf16 to f32
    %m67 = arith.mulf %e67_0, %e67_1 : f32
    %s67 = arith.addf %o67, %m67 : f32
    linalg.yield %s67 : f32
  } -> tensor<128x128xf32>
  %v69 = tensor.empty() : tensor<128x128xbf16>
  %v70 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v68 : tensor<128x128xf32>) outs(%v69 : tensor<128x128xbf16>) {
  ^bb0(%i69: f32, %o69: bf16):
    %c69 = arith.truncf %i69 : f32 to bf16
    linalg.yield %c69 : bf16
  } -> tensor<128x128xbf16>
  %v71 = tensor.concat dim(0) %v30, %v50, %v70 : (tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xbf16>) -> tensor<384x128xbf16>
  %v72 = arith.constant 0.0 : bf16
  %v73 = tensor.pad %a0 low[0, 8, 0] high[0, 0, 128] {
  ^bb0(%i72_0: index, %i72_1: index, %i72_2: index):
    tensor.yield %v72 : bf16
  } : tensor<2x32x128xbf16> to tensor<2x40x256xbf16>
  %v74 = tensor.empty() : tensor<2x40x128xf32>
  %v75 = arith.constant 0.0 : f32
  %v76 = linalg.fill ins(%v75 : f32) outs(%v74 : tensor<2x40x128xf32>) -> tensor<2x40x128xf32>
  %v77 = linalg.generic {indexing_maps = [affine_map<(b, l, n, k) -> (b, l, k)>, affine_map<(b, l, n, k) -> (n, k)>, affine_map<(b, l, n, k) -> (b, l, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v73, %a3 : tensor<2x40x256xbf16>, tensor<128x256xbf16>) outs(%v76 : tensor<2x40x128xf32>) {
  ^bb0(%i76_0: bf16, %i76_1: bf16, %o76: f32):
    %e76_0 = arith.extf %i76_0 : bf16 to f32
    %e76_1 = arith.extf %i76_1 : bf16 to f32
    %m76 = arith.mulf %e76_0, %e76_1 : f32
    %s76 = arith.addf %o76, %m76 : f32
    linalg.yield %s76 : f32
  } -> tensor<2x40x128xf32>
  %v78 = tensor.empty() : tensor<2x40x128xbf16>
  %v79 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v77 : tensor<2x40x128xf32>) outs(%v78 : tensor<2x40x128xbf16>) {
  ^bb0(%i78: f32, %o78: bf16):
    %c78 = arith.truncf %i78 : f32 to bf16
    linalg.yield %c78 : bf16
  } -> tensor<2x40x128xbf16>
  %v80 = tensor.concat dim(2) %a0, %a0 : (tensor<2x32x128xbf16>, tensor<2x32x128xbf16>) -> tensor<2x32x256xbf16>
  %v81 = tensor.empty() : tensor<2x32x128xf32>
  %v82 = arith.constant 0.0 : f32
  %v83 = linalg.fill ins(%v82 : f32) outs(%v81 : tensor<2x32x128xf32>) -> tensor<2x32x128xf32>
  %v84 = linalg.generic {indexing_maps = [affine_map<(b, l, n, k) -> (b, l, k)>, affine_map<(b, l, n, k) -> (n, k)>, affine_map<(b, l, n, k) -> (b, l, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v80, %a4 : tensor<2x32x256xbf16>, tensor<128x256xbf16>) outs(%v83 : tensor<2x32x128xf32>) {
  ^bb0(%i83_0: bf16, %i83_1: bf16, %o83: f32):
    %e83_0 = arith.extf %i83_0 : bf16 to f32
    %e83_1 = arith.extf %i83_1 : bf16 to f32
    %m83 = arith.mulf %e83_0, %e83_1 : f32
    %s83 = arith.addf %o83, %m83 : f32
    linalg.yield %s83 : f32
  } -> tensor<2x32x128xf32>
  %v85 = tensor.empty() : tensor<2x32x128xbf16>
  %v86 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v84 : tensor<2x32x128xf32>) outs(%v85 : tensor<2x32x128xbf16>) {
  ^bb0(%i85: f32, %o85: bf16):
    %c85 = arith.truncf %i85 : f32 to bf16
    linalg.yield %c85 : bf16
  } -> tensor<2x32x128xbf16>
  %v87 = tensor.collapse_shape %a0 [[0, 1], [2]] : tensor<2x32x128xbf16> into tensor<64x128xbf16>
  %v88 = tensor.empty() : tensor<4x64x128xbf16>
  %v89 = linalg.broadcast ins(%v87 : tensor<64x128xbf16>) outs(%v88 : tensor<4x64x128xbf16>) dimensions = [0]
  %v90 = tensor.empty() : tensor<4x64x128xf32>
  %v91 = arith.constant 0.0 : f32
  %v92 = linalg.fill ins(%v91 : f32) outs(%v90 : tensor<4x64x128xf32>) -> tensor<4x64x128xf32>
  %v93 = linalg.generic {indexing_maps = [affine_map<(e, t, n, k) -> (e, t, k)>, affine_map<(e, t, n, k) -> (e, k, n)>, affine_map<(e, t, n, k) -> (e, t, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v89, %a5 : tensor<4x64x128xbf16>, tensor<4x128x128xbf16>) outs(%v92 : tensor<4x64x128xf32>) {
  ^bb0(%i92_0: bf16, %i92_1: bf16, %o92: f32):
    %e92_0 = arith.extf %i92_0 : bf16 to f32
    %e92_1 = arith.extf %i92_1 : bf16 to f32
    %m92 = arith.mulf %e92_0, %e92_1 : f32
    %s92 = arith.addf %o92, %m92 : f32
    linalg.yield %s92 : f32
  } -> tensor<4x64x128xf32>
  %v94 = tensor.empty() : tensor<4x64x128xbf16>
  %v95 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v93 : tensor<4x64x128xf32>) outs(%v94 : tensor<4x64x128xbf16>) {
  ^bb0(%i94: f32, %o94: bf16):
    %c94 = arith.truncf %i94 : f32 to bf16
    linalg.yield %c94 : bf16
  } -> tensor<4x64x128xbf16>
  return %v10, %v18, %v24, %v38, %v44, %v58, %v64, %v71, %v79, %v86, %v95 : tensor<2x32x128xbf16>, tensor<2x32x128xbf16>, tensor<2x32x128xbf16>, tensor<2x32x128xbf16>, tensor<2x32x128xbf16>, tensor<2x32x128xbf16>, tensor<2x32x128xbf16>, tensor<384x128xbf16>, tensor<2x40x128xbf16>, tensor<2x32x128xbf16>, tensor<4x64x128xbf16>
}
