// RUN: fp8-opt %s --qt-infer-roles --verify-diagnostics | FileCheck %s

// An encoder and a decoder whose layers end alike: of runs as long, that counts whose blocks begin with query, key and value.
// CHECK-LABEL: module @encoder_and_decoder
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
// CHECK: contract{{.*}}layer<2, 0>
// CHECK: contract{{.*}}layer<2, 1>
// CHECK: contract{{.*}}layer<2, 2>
// CHECK: contract{{.*}}layer<2, 3>
// CHECK: contract{{.*}}layer<2, 4>
// CHECK: contract{{.*}}layer<2, 5>
// CHECK: contract{{.*}}layer<2, 6>
// CHECK: contract{{.*}}layer<2, 7>
// CHECK: contract{{.*}}layer<2, 8>
// CHECK: contract{{.*}}layer<2, 9>
// CHECK: contract{{.*}}layer<3, 0>
// CHECK: contract{{.*}}layer<3, 1>
// CHECK: contract{{.*}}layer<3, 2>
// CHECK: contract{{.*}}layer<3, 3>
// CHECK: contract{{.*}}layer<3, 4>
// CHECK: contract{{.*}}layer<3, 5>
// CHECK: contract{{.*}}layer<3, 6>
// CHECK: contract{{.*}}layer<3, 7>
// CHECK: contract{{.*}}layer<3, 8>
// CHECK: contract{{.*}}layer<3, 9>
#mm = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
module @encoder_and_decoder {
  func.func @main(%x: tensor<3x4xf32> {qt.role = #qt.role<activation>}, %t: tensor<3x4xf32> {qt.role = #qt.role<activation>},
      %e0q: tensor<4x4xf32>, %e0k: tensor<4x4xf32>, %e0v: tensor<4x4xf32>, %e0o: tensor<4x4xf32>, %e0u: tensor<5x4xf32>, %e0d: tensor<4x5xf32>, %e1q: tensor<4x4xf32>, %e1k: tensor<4x4xf32>, %e1v: tensor<4x4xf32>, %e1o: tensor<4x4xf32>, %e1u: tensor<5x4xf32>, %e1d: tensor<4x5xf32>, %s0q: tensor<4x4xf32>, %s0k: tensor<4x4xf32>, %s0v: tensor<4x4xf32>, %s0o: tensor<4x4xf32>, %c0q: tensor<4x4xf32>, %c0k: tensor<4x4xf32>, %c0v: tensor<4x4xf32>, %c0o: tensor<4x4xf32>, %d0u: tensor<5x4xf32>, %d0d: tensor<4x5xf32>, %s1q: tensor<4x4xf32>, %s1k: tensor<4x4xf32>, %s1v: tensor<4x4xf32>, %s1o: tensor<4x4xf32>, %c1q: tensor<4x4xf32>, %c1k: tensor<4x4xf32>, %c1v: tensor<4x4xf32>, %c1o: tensor<4x4xf32>, %d1u: tensor<5x4xf32>, %d1d: tensor<4x5xf32>) -> tensor<3x4xf32> {
    %1 = math.tanh %x : tensor<3x4xf32>
    %2 = tensor.empty() : tensor<3x4xf32>
    %3 = linalg.contract indexing_maps = #mm ins(%1, %e0q : tensor<3x4xf32>, tensor<4x4xf32>) outs(%2 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %4 = tensor.empty() : tensor<3x4xf32>
    %5 = linalg.contract indexing_maps = #mm ins(%1, %e0k : tensor<3x4xf32>, tensor<4x4xf32>) outs(%4 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %6 = tensor.empty() : tensor<3x4xf32>
    %7 = linalg.contract indexing_maps = #mm ins(%1, %e0v : tensor<3x4xf32>, tensor<4x4xf32>) outs(%6 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %8 = arith.addf %3, %5 : tensor<3x4xf32>
    %9 = arith.addf %8, %7 : tensor<3x4xf32>
    %10 = math.tanh %9 : tensor<3x4xf32>
    %11 = tensor.empty() : tensor<3x4xf32>
    %12 = linalg.contract indexing_maps = #mm ins(%10, %e0o : tensor<3x4xf32>, tensor<4x4xf32>) outs(%11 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %13 = math.tanh %12 : tensor<3x4xf32>
    %14 = tensor.empty() : tensor<3x5xf32>
    %15 = linalg.contract indexing_maps = #mm ins(%13, %e0u : tensor<3x4xf32>, tensor<5x4xf32>) outs(%14 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %16 = math.tanh %15 : tensor<3x5xf32>
    %17 = tensor.empty() : tensor<3x4xf32>
    %18 = linalg.contract indexing_maps = #mm ins(%16, %e0d : tensor<3x5xf32>, tensor<4x5xf32>) outs(%17 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %19 = math.tanh %18 : tensor<3x4xf32>
    %20 = tensor.empty() : tensor<3x4xf32>
    %21 = linalg.contract indexing_maps = #mm ins(%19, %e1q : tensor<3x4xf32>, tensor<4x4xf32>) outs(%20 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %22 = tensor.empty() : tensor<3x4xf32>
    %23 = linalg.contract indexing_maps = #mm ins(%19, %e1k : tensor<3x4xf32>, tensor<4x4xf32>) outs(%22 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %24 = tensor.empty() : tensor<3x4xf32>
    %25 = linalg.contract indexing_maps = #mm ins(%19, %e1v : tensor<3x4xf32>, tensor<4x4xf32>) outs(%24 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %26 = arith.addf %21, %23 : tensor<3x4xf32>
    %27 = arith.addf %26, %25 : tensor<3x4xf32>
    %28 = math.tanh %27 : tensor<3x4xf32>
    %29 = tensor.empty() : tensor<3x4xf32>
    %30 = linalg.contract indexing_maps = #mm ins(%28, %e1o : tensor<3x4xf32>, tensor<4x4xf32>) outs(%29 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %31 = math.tanh %30 : tensor<3x4xf32>
    %32 = tensor.empty() : tensor<3x5xf32>
    %33 = linalg.contract indexing_maps = #mm ins(%31, %e1u : tensor<3x4xf32>, tensor<5x4xf32>) outs(%32 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %34 = math.tanh %33 : tensor<3x5xf32>
    %35 = tensor.empty() : tensor<3x4xf32>
    %36 = linalg.contract indexing_maps = #mm ins(%34, %e1d : tensor<3x5xf32>, tensor<4x5xf32>) outs(%35 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %37 = math.tanh %36 : tensor<3x4xf32>
    %38 = math.tanh %t : tensor<3x4xf32>
    %39 = tensor.empty() : tensor<3x4xf32>
    %40 = linalg.contract indexing_maps = #mm ins(%38, %s0q : tensor<3x4xf32>, tensor<4x4xf32>) outs(%39 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %41 = tensor.empty() : tensor<3x4xf32>
    %42 = linalg.contract indexing_maps = #mm ins(%38, %s0k : tensor<3x4xf32>, tensor<4x4xf32>) outs(%41 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %43 = tensor.empty() : tensor<3x4xf32>
    %44 = linalg.contract indexing_maps = #mm ins(%38, %s0v : tensor<3x4xf32>, tensor<4x4xf32>) outs(%43 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %45 = arith.addf %40, %42 : tensor<3x4xf32>
    %46 = arith.addf %45, %44 : tensor<3x4xf32>
    %47 = math.tanh %46 : tensor<3x4xf32>
    %48 = tensor.empty() : tensor<3x4xf32>
    %49 = linalg.contract indexing_maps = #mm ins(%47, %s0o : tensor<3x4xf32>, tensor<4x4xf32>) outs(%48 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %50 = math.tanh %49 : tensor<3x4xf32>
    %51 = tensor.empty() : tensor<3x4xf32>
    %52 = linalg.contract indexing_maps = #mm ins(%50, %c0q : tensor<3x4xf32>, tensor<4x4xf32>) outs(%51 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %53 = tensor.empty() : tensor<3x4xf32>
    %54 = linalg.contract indexing_maps = #mm ins(%37, %c0k : tensor<3x4xf32>, tensor<4x4xf32>) outs(%53 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %55 = tensor.empty() : tensor<3x4xf32>
    %56 = linalg.contract indexing_maps = #mm ins(%37, %c0v : tensor<3x4xf32>, tensor<4x4xf32>) outs(%55 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %57 = arith.addf %52, %54 : tensor<3x4xf32>
    %58 = arith.addf %57, %56 : tensor<3x4xf32>
    %59 = math.tanh %58 : tensor<3x4xf32>
    %60 = tensor.empty() : tensor<3x4xf32>
    %61 = linalg.contract indexing_maps = #mm ins(%59, %c0o : tensor<3x4xf32>, tensor<4x4xf32>) outs(%60 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %62 = math.tanh %61 : tensor<3x4xf32>
    %63 = tensor.empty() : tensor<3x5xf32>
    %64 = linalg.contract indexing_maps = #mm ins(%62, %d0u : tensor<3x4xf32>, tensor<5x4xf32>) outs(%63 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %65 = math.tanh %64 : tensor<3x5xf32>
    %66 = tensor.empty() : tensor<3x4xf32>
    %67 = linalg.contract indexing_maps = #mm ins(%65, %d0d : tensor<3x5xf32>, tensor<4x5xf32>) outs(%66 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %68 = math.tanh %67 : tensor<3x4xf32>
    %69 = tensor.empty() : tensor<3x4xf32>
    %70 = linalg.contract indexing_maps = #mm ins(%68, %s1q : tensor<3x4xf32>, tensor<4x4xf32>) outs(%69 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %71 = tensor.empty() : tensor<3x4xf32>
    %72 = linalg.contract indexing_maps = #mm ins(%68, %s1k : tensor<3x4xf32>, tensor<4x4xf32>) outs(%71 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %73 = tensor.empty() : tensor<3x4xf32>
    %74 = linalg.contract indexing_maps = #mm ins(%68, %s1v : tensor<3x4xf32>, tensor<4x4xf32>) outs(%73 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %75 = arith.addf %70, %72 : tensor<3x4xf32>
    %76 = arith.addf %75, %74 : tensor<3x4xf32>
    %77 = math.tanh %76 : tensor<3x4xf32>
    %78 = tensor.empty() : tensor<3x4xf32>
    %79 = linalg.contract indexing_maps = #mm ins(%77, %s1o : tensor<3x4xf32>, tensor<4x4xf32>) outs(%78 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %80 = math.tanh %79 : tensor<3x4xf32>
    %81 = tensor.empty() : tensor<3x4xf32>
    %82 = linalg.contract indexing_maps = #mm ins(%80, %c1q : tensor<3x4xf32>, tensor<4x4xf32>) outs(%81 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %83 = tensor.empty() : tensor<3x4xf32>
    %84 = linalg.contract indexing_maps = #mm ins(%37, %c1k : tensor<3x4xf32>, tensor<4x4xf32>) outs(%83 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %85 = tensor.empty() : tensor<3x4xf32>
    %86 = linalg.contract indexing_maps = #mm ins(%37, %c1v : tensor<3x4xf32>, tensor<4x4xf32>) outs(%85 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %87 = arith.addf %82, %84 : tensor<3x4xf32>
    %88 = arith.addf %87, %86 : tensor<3x4xf32>
    %89 = math.tanh %88 : tensor<3x4xf32>
    %90 = tensor.empty() : tensor<3x4xf32>
    %91 = linalg.contract indexing_maps = #mm ins(%89, %c1o : tensor<3x4xf32>, tensor<4x4xf32>) outs(%90 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %92 = math.tanh %91 : tensor<3x4xf32>
    %93 = tensor.empty() : tensor<3x5xf32>
    %94 = linalg.contract indexing_maps = #mm ins(%92, %d1u : tensor<3x4xf32>, tensor<5x4xf32>) outs(%93 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %95 = math.tanh %94 : tensor<3x5xf32>
    %96 = tensor.empty() : tensor<3x4xf32>
    %97 = linalg.contract indexing_maps = #mm ins(%95, %d1d : tensor<3x5xf32>, tensor<4x5xf32>) outs(%96 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %98 = math.tanh %97 : tensor<3x4xf32>
    return %98 : tensor<3x4xf32>
  }
}
