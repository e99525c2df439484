// RUN: fp8-opt %s --split-input-file --qt-infer-roles --verify-diagnostics | FileCheck %s

// Which block a linear stands in. x is always the data.

// Two blocks of two linears between a stem and a head of other sizes: what stands before the first block counts
// to it, what stands after the last to that one.
// CHECK-LABEL: module @stem_and_head
// CHECK: contract{{.*}}layer<0, 0>
// CHECK: contract{{.*}}layer<0, 1>
// CHECK: contract{{.*}}layer<0, 2>
// CHECK: contract{{.*}}layer<1, 0>
// CHECK: contract{{.*}}layer<1, 1>
// CHECK: contract{{.*}}layer<1, 2>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
module @stem_and_head {
  func.func @main(%x: tensor<3x6xf32>, %w1: tensor<4x6xf32>, %w2: tensor<5x4xf32>, %w3: tensor<4x5xf32>, %w4: tensor<5x4xf32>, %w5: tensor<4x5xf32>, %w6: tensor<7x4xf32>) -> (tensor<3x7xf32>) {
    %1 = math.tanh %x : tensor<3x6xf32>
    %2 = tensor.empty() : tensor<3x4xf32>
    %3 = linalg.contract indexing_maps = #mm ins(%1, %w1 : tensor<3x6xf32>, tensor<4x6xf32>) outs(%2 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %4 = math.tanh %3 : tensor<3x4xf32>
    %5 = tensor.empty() : tensor<3x5xf32>
    %6 = linalg.contract indexing_maps = #mm ins(%4, %w2 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%5 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %7 = math.tanh %6 : tensor<3x5xf32>
    %8 = tensor.empty() : tensor<3x4xf32>
    %9 = linalg.contract indexing_maps = #mm ins(%7, %w3 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%8 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %10 = math.tanh %9 : tensor<3x4xf32>
    %11 = tensor.empty() : tensor<3x5xf32>
    %12 = linalg.contract indexing_maps = #mm ins(%10, %w4 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%11 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %13 = math.tanh %12 : tensor<3x5xf32>
    %14 = tensor.empty() : tensor<3x4xf32>
    %15 = linalg.contract indexing_maps = #mm ins(%13, %w5 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%14 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %16 = math.tanh %15 : tensor<3x4xf32>
    %17 = tensor.empty() : tensor<3x7xf32>
    %18 = linalg.contract indexing_maps = #mm ins(%16, %w6 : tensor<3x4xf32>, tensor<7x4xf32>) outs(%17 : tensor<3x7xf32>) -> tensor<3x7xf32>
    return %18 : tensor<3x7xf32>
  }
}

// -----

// The stem has the sizes of the second linear of a block. A block begins and ends at the width that most sizes have.
// CHECK-LABEL: module @stem_like_a_linear
// CHECK: contract{{.*}}layer<0, 0>
// CHECK: contract{{.*}}layer<0, 1>
// CHECK: contract{{.*}}layer<0, 2>
// CHECK: contract{{.*}}layer<1, 0>
// CHECK: contract{{.*}}layer<1, 1>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
module @stem_like_a_linear {
  func.func @main(%x: tensor<3x5xf32>, %w1: tensor<4x5xf32>, %w2: tensor<5x4xf32>, %w3: tensor<4x5xf32>, %w4: tensor<5x4xf32>, %w5: tensor<4x5xf32>) -> (tensor<3x4xf32>) {
    %1 = math.tanh %x : tensor<3x5xf32>
    %2 = tensor.empty() : tensor<3x4xf32>
    %3 = linalg.contract indexing_maps = #mm ins(%1, %w1 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%2 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %4 = math.tanh %3 : tensor<3x4xf32>
    %5 = tensor.empty() : tensor<3x5xf32>
    %6 = linalg.contract indexing_maps = #mm ins(%4, %w2 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%5 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %7 = math.tanh %6 : tensor<3x5xf32>
    %8 = tensor.empty() : tensor<3x4xf32>
    %9 = linalg.contract indexing_maps = #mm ins(%7, %w3 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%8 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %10 = math.tanh %9 : tensor<3x4xf32>
    %11 = tensor.empty() : tensor<3x5xf32>
    %12 = linalg.contract indexing_maps = #mm ins(%10, %w4 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%11 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %13 = math.tanh %12 : tensor<3x5xf32>
    %14 = tensor.empty() : tensor<3x4xf32>
    %15 = linalg.contract indexing_maps = #mm ins(%13, %w5 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%14 : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %15 : tensor<3x4xf32>
  }
}

// -----

// The first block has other sizes, in the same relation to the width.
// CHECK-LABEL: module @first_block_is_wider
// CHECK: contract{{.*}}layer<0, 0>
// CHECK: contract{{.*}}layer<0, 1>
// CHECK: contract{{.*}}layer<1, 0>
// CHECK: contract{{.*}}layer<1, 1>
// CHECK: contract{{.*}}layer<2, 0>
// CHECK: contract{{.*}}layer<2, 1>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
module @first_block_is_wider {
  func.func @main(%x: tensor<3x4xf32>, %w1: tensor<9x4xf32>, %w2: tensor<4x9xf32>, %w3: tensor<5x4xf32>, %w4: tensor<4x5xf32>, %w5: tensor<5x4xf32>, %w6: tensor<4x5xf32>) -> (tensor<3x4xf32>) {
    %1 = math.tanh %x : tensor<3x4xf32>
    %2 = tensor.empty() : tensor<3x9xf32>
    %3 = linalg.contract indexing_maps = #mm ins(%1, %w1 : tensor<3x4xf32>, tensor<9x4xf32>) outs(%2 : tensor<3x9xf32>) -> tensor<3x9xf32>
    %4 = math.tanh %3 : tensor<3x9xf32>
    %5 = tensor.empty() : tensor<3x4xf32>
    %6 = linalg.contract indexing_maps = #mm ins(%4, %w2 : tensor<3x9xf32>, tensor<4x9xf32>) outs(%5 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %7 = math.tanh %6 : tensor<3x4xf32>
    %8 = tensor.empty() : tensor<3x5xf32>
    %9 = linalg.contract indexing_maps = #mm ins(%7, %w3 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%8 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %10 = math.tanh %9 : tensor<3x5xf32>
    %11 = tensor.empty() : tensor<3x4xf32>
    %12 = linalg.contract indexing_maps = #mm ins(%10, %w4 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%11 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %13 = math.tanh %12 : tensor<3x4xf32>
    %14 = tensor.empty() : tensor<3x5xf32>
    %15 = linalg.contract indexing_maps = #mm ins(%13, %w5 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%14 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %16 = math.tanh %15 : tensor<3x5xf32>
    %17 = tensor.empty() : tensor<3x4xf32>
    %18 = linalg.contract indexing_maps = #mm ins(%16, %w6 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%17 : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %18 : tensor<3x4xf32>
  }
}

// -----

// No sizes repeat, but their relation to the width does.
// CHECK-LABEL: module @each_block_is_wider
// CHECK: contract{{.*}}layer<0, 0>
// CHECK: contract{{.*}}layer<0, 1>
// CHECK: contract{{.*}}layer<1, 0>
// CHECK: contract{{.*}}layer<1, 1>
// CHECK: contract{{.*}}layer<2, 0>
// CHECK: contract{{.*}}layer<2, 1>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
module @each_block_is_wider {
  func.func @main(%x: tensor<3x4xf32>, %w1: tensor<5x4xf32>, %w2: tensor<4x5xf32>, %w3: tensor<6x4xf32>, %w4: tensor<4x6xf32>, %w5: tensor<7x4xf32>, %w6: tensor<4x7xf32>) -> (tensor<3x4xf32>) {
    %1 = math.tanh %x : tensor<3x4xf32>
    %2 = tensor.empty() : tensor<3x5xf32>
    %3 = linalg.contract indexing_maps = #mm ins(%1, %w1 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%2 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %4 = math.tanh %3 : tensor<3x5xf32>
    %5 = tensor.empty() : tensor<3x4xf32>
    %6 = linalg.contract indexing_maps = #mm ins(%4, %w2 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%5 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %7 = math.tanh %6 : tensor<3x4xf32>
    %8 = tensor.empty() : tensor<3x6xf32>
    %9 = linalg.contract indexing_maps = #mm ins(%7, %w3 : tensor<3x4xf32>, tensor<6x4xf32>) outs(%8 : tensor<3x6xf32>) -> tensor<3x6xf32>
    %10 = math.tanh %9 : tensor<3x6xf32>
    %11 = tensor.empty() : tensor<3x4xf32>
    %12 = linalg.contract indexing_maps = #mm ins(%10, %w4 : tensor<3x6xf32>, tensor<4x6xf32>) outs(%11 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %13 = math.tanh %12 : tensor<3x4xf32>
    %14 = tensor.empty() : tensor<3x7xf32>
    %15 = linalg.contract indexing_maps = #mm ins(%13, %w5 : tensor<3x4xf32>, tensor<7x4xf32>) outs(%14 : tensor<3x7xf32>) -> tensor<3x7xf32>
    %16 = math.tanh %15 : tensor<3x7xf32>
    %17 = tensor.empty() : tensor<3x4xf32>
    %18 = linalg.contract indexing_maps = #mm ins(%16, %w6 : tensor<3x7xf32>, tensor<4x7xf32>) outs(%17 : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %18 : tensor<3x4xf32>
  }
}

// -----

// The first block has a linear less: it begins with the linears that the others begin with.
// CHECK-LABEL: module @first_block_is_shorter
// CHECK: contract{{.*}}layer<0, 0>
// CHECK: contract{{.*}}layer<0, 1>
// CHECK: contract{{.*}}layer<0, 2>
// CHECK: contract{{.*}}layer<0, 3>
// CHECK: contract{{.*}}layer<0, 4>
// CHECK: contract{{.*}}layer<0, 5>
// CHECK: contract{{.*}}layer<1, 0>
// CHECK: contract{{.*}}layer<1, 1>
// CHECK: contract{{.*}}layer<1, 2>
// CHECK: contract{{.*}}layer<1, 3>
// CHECK: contract{{.*}}layer<1, 4>
// CHECK: contract{{.*}}layer<1, 5>
// CHECK: contract{{.*}}layer<1, 6>
// CHECK: contract{{.*}}layer<2, 0>
// CHECK: contract{{.*}}layer<2, 1>
// CHECK: contract{{.*}}layer<2, 2>
// CHECK: contract{{.*}}layer<2, 3>
// CHECK: contract{{.*}}layer<2, 4>
// CHECK: contract{{.*}}layer<2, 5>
// CHECK: contract{{.*}}layer<2, 6>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
module @first_block_is_shorter {
  func.func @main(%x: tensor<3x4xf32>, %w1: tensor<4x4xf32>, %w2: tensor<4x4xf32>, %w3: tensor<4x4xf32>, %w4: tensor<4x4xf32>, %w5: tensor<9x4xf32>, %w6: tensor<4x9xf32>, %w7: tensor<4x4xf32>, %w8: tensor<4x4xf32>, %w9: tensor<4x4xf32>, %w10: tensor<4x4xf32>, %w11: tensor<4x4xf32>, %w12: tensor<5x4xf32>, %w13: tensor<4x5xf32>, %w14: tensor<4x4xf32>, %w15: tensor<4x4xf32>, %w16: tensor<4x4xf32>, %w17: tensor<4x4xf32>, %w18: tensor<4x4xf32>, %w19: tensor<5x4xf32>, %w20: tensor<4x5xf32>) -> (tensor<3x4xf32>) {
    %1 = math.tanh %x : tensor<3x4xf32>
    %2 = tensor.empty() : tensor<3x4xf32>
    %3 = linalg.contract indexing_maps = #mm ins(%1, %w1 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%2 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %4 = tensor.empty() : tensor<3x4xf32>
    %5 = linalg.contract indexing_maps = #mm ins(%1, %w2 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%4 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %6 = tensor.empty() : tensor<3x4xf32>
    %7 = linalg.contract indexing_maps = #mm ins(%1, %w3 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%6 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %8 = arith.addf %3, %5 : tensor<3x4xf32>
    %9 = arith.addf %8, %7 : tensor<3x4xf32>
    %10 = math.tanh %9 : tensor<3x4xf32>
    %11 = tensor.empty() : tensor<3x4xf32>
    %12 = linalg.contract indexing_maps = #mm ins(%10, %w4 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%11 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %13 = math.tanh %12 : tensor<3x4xf32>
    %14 = tensor.empty() : tensor<3x9xf32>
    %15 = linalg.contract indexing_maps = #mm ins(%13, %w5 : tensor<3x4xf32>, tensor<9x4xf32>) outs(%14 : tensor<3x9xf32>) -> tensor<3x9xf32>
    %16 = math.tanh %15 : tensor<3x9xf32>
    %17 = tensor.empty() : tensor<3x4xf32>
    %18 = linalg.contract indexing_maps = #mm ins(%16, %w6 : tensor<3x9xf32>, tensor<4x9xf32>) outs(%17 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %19 = math.tanh %18 : tensor<3x4xf32>
    %20 = tensor.empty() : tensor<3x4xf32>
    %21 = linalg.contract indexing_maps = #mm ins(%19, %w7 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%20 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %22 = tensor.empty() : tensor<3x4xf32>
    %23 = linalg.contract indexing_maps = #mm ins(%19, %w8 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%22 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %24 = tensor.empty() : tensor<3x4xf32>
    %25 = linalg.contract indexing_maps = #mm ins(%19, %w9 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%24 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %26 = arith.addf %21, %23 : tensor<3x4xf32>
    %27 = arith.addf %26, %25 : tensor<3x4xf32>
    %28 = math.tanh %27 : tensor<3x4xf32>
    %29 = tensor.empty() : tensor<3x4xf32>
    %30 = linalg.contract indexing_maps = #mm ins(%28, %w10 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%29 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %31 = math.tanh %30 : tensor<3x4xf32>
    %32 = tensor.empty() : tensor<3x4xf32>
    %33 = linalg.contract indexing_maps = #mm ins(%31, %w11 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%32 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %34 = math.tanh %33 : tensor<3x4xf32>
    %35 = tensor.empty() : tensor<3x5xf32>
    %36 = linalg.contract indexing_maps = #mm ins(%34, %w12 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%35 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %37 = math.tanh %36 : tensor<3x5xf32>
    %38 = tensor.empty() : tensor<3x4xf32>
    %39 = linalg.contract indexing_maps = #mm ins(%37, %w13 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%38 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %40 = math.tanh %39 : tensor<3x4xf32>
    %41 = tensor.empty() : tensor<3x4xf32>
    %42 = linalg.contract indexing_maps = #mm ins(%40, %w14 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%41 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %43 = tensor.empty() : tensor<3x4xf32>
    %44 = linalg.contract indexing_maps = #mm ins(%40, %w15 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%43 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %45 = tensor.empty() : tensor<3x4xf32>
    %46 = linalg.contract indexing_maps = #mm ins(%40, %w16 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%45 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %47 = arith.addf %42, %44 : tensor<3x4xf32>
    %48 = arith.addf %47, %46 : tensor<3x4xf32>
    %49 = math.tanh %48 : tensor<3x4xf32>
    %50 = tensor.empty() : tensor<3x4xf32>
    %51 = linalg.contract indexing_maps = #mm ins(%49, %w17 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%50 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %52 = math.tanh %51 : tensor<3x4xf32>
    %53 = tensor.empty() : tensor<3x4xf32>
    %54 = linalg.contract indexing_maps = #mm ins(%52, %w18 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%53 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %55 = math.tanh %54 : tensor<3x4xf32>
    %56 = tensor.empty() : tensor<3x5xf32>
    %57 = linalg.contract indexing_maps = #mm ins(%55, %w19 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%56 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %58 = math.tanh %57 : tensor<3x5xf32>
    %59 = tensor.empty() : tensor<3x4xf32>
    %60 = linalg.contract indexing_maps = #mm ins(%58, %w20 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%59 : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %60 : tensor<3x4xf32>
  }
}

// -----

// Query, key, value and output have one size; the first three read one input, between which no block begins.
// CHECK-LABEL: module @one_attention
// CHECK: contract{{.*}}layer<0, 0>
// CHECK: contract{{.*}}layer<0, 1>
// CHECK: contract{{.*}}layer<0, 2>
// CHECK: contract{{.*}}layer<0, 3>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
module @one_attention {
  func.func @main(%x: tensor<3x4xf32>, %w1: tensor<4x4xf32>, %w2: tensor<4x4xf32>, %w3: tensor<4x4xf32>, %w4: tensor<4x4xf32>) -> (tensor<3x4xf32>) {
    %1 = math.tanh %x : tensor<3x4xf32>
    %2 = tensor.empty() : tensor<3x4xf32>
    %3 = linalg.contract indexing_maps = #mm ins(%1, %w1 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%2 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %4 = tensor.empty() : tensor<3x4xf32>
    %5 = linalg.contract indexing_maps = #mm ins(%1, %w2 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%4 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %6 = tensor.empty() : tensor<3x4xf32>
    %7 = linalg.contract indexing_maps = #mm ins(%1, %w3 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%6 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %8 = arith.addf %3, %5 : tensor<3x4xf32>
    %9 = arith.addf %8, %7 : tensor<3x4xf32>
    %10 = math.tanh %9 : tensor<3x4xf32>
    %11 = tensor.empty() : tensor<3x4xf32>
    %12 = linalg.contract indexing_maps = #mm ins(%10, %w4 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%11 : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %12 : tensor<3x4xf32>
  }
}

// -----

// Three experts: none comes after another, so that they are no blocks.
// CHECK-LABEL: module @side_by_side
// CHECK: contract{{.*}}layer<0, 0>
// CHECK: contract{{.*}}layer<0, 1>
// CHECK: contract{{.*}}layer<0, 2>
// CHECK: contract{{.*}}layer<0, 3>
// CHECK: contract{{.*}}layer<0, 4>
// CHECK: contract{{.*}}layer<0, 5>
// CHECK: contract{{.*}}layer<0, 6>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
module @side_by_side {
  func.func @main(%x: tensor<3x4xf32>, %w1: tensor<4x4xf32>, %w2: tensor<5x4xf32>, %w3: tensor<4x5xf32>, %w4: tensor<5x4xf32>, %w5: tensor<4x5xf32>, %w6: tensor<5x4xf32>, %w7: tensor<4x5xf32>) -> (tensor<3x4xf32>) {
    %1 = math.tanh %x : tensor<3x4xf32>
    %2 = tensor.empty() : tensor<3x4xf32>
    %3 = linalg.contract indexing_maps = #mm ins(%1, %w1 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%2 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %4 = math.absf %3 : tensor<3x4xf32>
    %5 = math.tanh %4 : tensor<3x4xf32>
    %6 = tensor.empty() : tensor<3x5xf32>
    %7 = linalg.contract indexing_maps = #mm ins(%5, %w2 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%6 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %8 = math.tanh %7 : tensor<3x5xf32>
    %9 = tensor.empty() : tensor<3x4xf32>
    %10 = linalg.contract indexing_maps = #mm ins(%8, %w3 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%9 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %11 = math.ceil %3 : tensor<3x4xf32>
    %12 = math.tanh %11 : tensor<3x4xf32>
    %13 = tensor.empty() : tensor<3x5xf32>
    %14 = linalg.contract indexing_maps = #mm ins(%12, %w4 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%13 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %15 = math.tanh %14 : tensor<3x5xf32>
    %16 = tensor.empty() : tensor<3x4xf32>
    %17 = linalg.contract indexing_maps = #mm ins(%15, %w5 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%16 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %18 = arith.addf %10, %17 : tensor<3x4xf32>
    %19 = math.floor %3 : tensor<3x4xf32>
    %20 = math.tanh %19 : tensor<3x4xf32>
    %21 = tensor.empty() : tensor<3x5xf32>
    %22 = linalg.contract indexing_maps = #mm ins(%20, %w6 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%21 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %23 = math.tanh %22 : tensor<3x5xf32>
    %24 = tensor.empty() : tensor<3x4xf32>
    %25 = linalg.contract indexing_maps = #mm ins(%23, %w7 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%24 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %26 = arith.addf %18, %25 : tensor<3x4xf32>
    return %26 : tensor<3x4xf32>
  }
}

// -----

// Two kinds of blocks, one kind after the other.
// CHECK-LABEL: module @two_runs
// CHECK: contract{{.*}}layer<0, 0>
// CHECK: contract{{.*}}layer<0, 1>
// CHECK: contract{{.*}}layer<1, 0>
// CHECK: contract{{.*}}layer<1, 1>
// CHECK: contract{{.*}}layer<2, 0>
// CHECK: contract{{.*}}layer<2, 1>
// CHECK: contract{{.*}}layer<3, 0>
// CHECK: contract{{.*}}layer<3, 1>
// CHECK: contract{{.*}}layer<4, 0>
// CHECK: contract{{.*}}layer<4, 1>
// CHECK: contract{{.*}}layer<4, 2>
// CHECK: contract{{.*}}layer<4, 3>
// CHECK: contract{{.*}}layer<4, 4>
// CHECK: contract{{.*}}layer<4, 5>
// CHECK: contract{{.*}}layer<5, 0>
// CHECK: contract{{.*}}layer<5, 1>
// CHECK: contract{{.*}}layer<5, 2>
// CHECK: contract{{.*}}layer<5, 3>
// CHECK: contract{{.*}}layer<5, 4>
// CHECK: contract{{.*}}layer<5, 5>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
module @two_runs {
  func.func @main(%x: tensor<3x4xf32>, %w1: tensor<5x4xf32>, %w2: tensor<4x5xf32>, %w3: tensor<5x4xf32>, %w4: tensor<4x5xf32>, %w5: tensor<5x4xf32>, %w6: tensor<4x5xf32>, %w7: tensor<5x4xf32>, %w8: tensor<4x5xf32>, %w9: tensor<4x4xf32>, %w10: tensor<4x4xf32>, %w11: tensor<4x4xf32>, %w12: tensor<4x4xf32>, %w13: tensor<6x4xf32>, %w14: tensor<4x6xf32>, %w15: tensor<4x4xf32>, %w16: tensor<4x4xf32>, %w17: tensor<4x4xf32>, %w18: tensor<4x4xf32>, %w19: tensor<6x4xf32>, %w20: tensor<4x6xf32>) -> (tensor<3x4xf32>) {
    %1 = math.tanh %x : tensor<3x4xf32>
    %2 = tensor.empty() : tensor<3x5xf32>
    %3 = linalg.contract indexing_maps = #mm ins(%1, %w1 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%2 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %4 = math.tanh %3 : tensor<3x5xf32>
    %5 = tensor.empty() : tensor<3x4xf32>
    %6 = linalg.contract indexing_maps = #mm ins(%4, %w2 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%5 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %7 = math.tanh %6 : tensor<3x4xf32>
    %8 = tensor.empty() : tensor<3x5xf32>
    %9 = linalg.contract indexing_maps = #mm ins(%7, %w3 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%8 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %10 = math.tanh %9 : tensor<3x5xf32>
    %11 = tensor.empty() : tensor<3x4xf32>
    %12 = linalg.contract indexing_maps = #mm ins(%10, %w4 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%11 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %13 = math.tanh %12 : tensor<3x4xf32>
    %14 = tensor.empty() : tensor<3x5xf32>
    %15 = linalg.contract indexing_maps = #mm ins(%13, %w5 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%14 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %16 = math.tanh %15 : tensor<3x5xf32>
    %17 = tensor.empty() : tensor<3x4xf32>
    %18 = linalg.contract indexing_maps = #mm ins(%16, %w6 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%17 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %19 = math.tanh %18 : tensor<3x4xf32>
    %20 = tensor.empty() : tensor<3x5xf32>
    %21 = linalg.contract indexing_maps = #mm ins(%19, %w7 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%20 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %22 = math.tanh %21 : tensor<3x5xf32>
    %23 = tensor.empty() : tensor<3x4xf32>
    %24 = linalg.contract indexing_maps = #mm ins(%22, %w8 : tensor<3x5xf32>, tensor<4x5xf32>) outs(%23 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %25 = math.tanh %24 : tensor<3x4xf32>
    %26 = tensor.empty() : tensor<3x4xf32>
    %27 = linalg.contract indexing_maps = #mm ins(%25, %w9 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%26 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %28 = tensor.empty() : tensor<3x4xf32>
    %29 = linalg.contract indexing_maps = #mm ins(%25, %w10 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%28 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %30 = tensor.empty() : tensor<3x4xf32>
    %31 = linalg.contract indexing_maps = #mm ins(%25, %w11 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%30 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %32 = arith.addf %27, %29 : tensor<3x4xf32>
    %33 = arith.addf %32, %31 : tensor<3x4xf32>
    %34 = math.tanh %33 : tensor<3x4xf32>
    %35 = tensor.empty() : tensor<3x4xf32>
    %36 = linalg.contract indexing_maps = #mm ins(%34, %w12 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%35 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %37 = math.tanh %36 : tensor<3x4xf32>
    %38 = tensor.empty() : tensor<3x6xf32>
    %39 = linalg.contract indexing_maps = #mm ins(%37, %w13 : tensor<3x4xf32>, tensor<6x4xf32>) outs(%38 : tensor<3x6xf32>) -> tensor<3x6xf32>
    %40 = math.tanh %39 : tensor<3x6xf32>
    %41 = tensor.empty() : tensor<3x4xf32>
    %42 = linalg.contract indexing_maps = #mm ins(%40, %w14 : tensor<3x6xf32>, tensor<4x6xf32>) outs(%41 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %43 = math.tanh %42 : tensor<3x4xf32>
    %44 = tensor.empty() : tensor<3x4xf32>
    %45 = linalg.contract indexing_maps = #mm ins(%43, %w15 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%44 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %46 = tensor.empty() : tensor<3x4xf32>
    %47 = linalg.contract indexing_maps = #mm ins(%43, %w16 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%46 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %48 = tensor.empty() : tensor<3x4xf32>
    %49 = linalg.contract indexing_maps = #mm ins(%43, %w17 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%48 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %50 = arith.addf %45, %47 : tensor<3x4xf32>
    %51 = arith.addf %50, %49 : tensor<3x4xf32>
    %52 = math.tanh %51 : tensor<3x4xf32>
    %53 = tensor.empty() : tensor<3x4xf32>
    %54 = linalg.contract indexing_maps = #mm ins(%52, %w18 : tensor<3x4xf32>, tensor<4x4xf32>) outs(%53 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %55 = math.tanh %54 : tensor<3x4xf32>
    %56 = tensor.empty() : tensor<3x6xf32>
    %57 = linalg.contract indexing_maps = #mm ins(%55, %w19 : tensor<3x4xf32>, tensor<6x4xf32>) outs(%56 : tensor<3x6xf32>) -> tensor<3x6xf32>
    %58 = math.tanh %57 : tensor<3x6xf32>
    %59 = tensor.empty() : tensor<3x4xf32>
    %60 = linalg.contract indexing_maps = #mm ins(%58, %w20 : tensor<3x6xf32>, tensor<4x6xf32>) outs(%59 : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %60 : tensor<3x4xf32>
  }
}
