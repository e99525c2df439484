// RUN: fp8-opt %s --recipe=bf16 --target=sm_90a --until=kernels -o %t.mlir 2>&1 | FileCheck %s --check-prefix=HOPPER
// RUN: fp8-opt %s --recipe=bf16 --target=sm_120a --until=kernels -o %t.mlir 2>&1 | FileCheck %s --check-prefix=CONSUMER
// RUN: fp8-opt %s --recipe=fp8_current --target=sm_90a --until=kernels -o %t.mlir 2>&1 | FileCheck %s --check-prefix=QUANTIZED
//
// What no kernel computes has a line for each reason, whether it is quantized or not.

// HOPPER: left to the engine: 2 contractions, {{[0-9.]+}} % of all FLOPs, {{[0-9.]+}} % of the bytes: of its left operand: its rows are of 258 bytes, no multiple of 16 (first at {{.*}}left-to-the-engine.mlir:[[#@LINE+19]]:{{[0-9]+}}, 129x128x129){{$}}
// HOPPER-NEXT: left to the engine: 1 contraction, {{[0-9.]+}} % of all FLOPs, {{[0-9.]+}} % of the bytes: it adds to a tensor, which kernels do for quantized operands alone (first at {{.*}}, 129x128x64){{$}}
// HOPPER-NEXT: kernels: 0 of 3 contractions

// CONSUMER-COUNT-2: left to the engine: {{[12]}} contraction{{s?}}, {{[0-9.]+}} % of all FLOPs
// CONSUMER-NEXT: kernels: 0 of 3 contractions

// QUANTIZED-NOT: left to the engine:
// QUANTIZED: kernels: 3 of 3 contractions

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<129x129xbf16>, %w: tensor<128x129xbf16>, %v: tensor<128x129xbf16>,
                %y: tensor<129x64xbf16>, %u: tensor<128x64xbf16>, %sum: tensor<129x128xf32>)
    -> (tensor<129x128xf32>, tensor<129x128xf32>, tensor<129x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<129x128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<129x128xf32>) -> tensor<129x128xf32>
  %0 = linalg.contract indexing_maps = [#a, #b, #c]
      ins(%x, %w : tensor<129x129xbf16>, tensor<128x129xbf16>) outs(%zeros : tensor<129x128xf32>) -> tensor<129x128xf32>
  %1 = linalg.contract indexing_maps = [#a, #b, #c]
      ins(%x, %v : tensor<129x129xbf16>, tensor<128x129xbf16>) outs(%zeros : tensor<129x128xf32>) -> tensor<129x128xf32>
  %2 = linalg.contract indexing_maps = [#a, #b, #c]
      ins(%y, %u : tensor<129x64xbf16>, tensor<128x64xbf16>) outs(%sum : tensor<129x128xf32>) -> tensor<129x128xf32>
  return %0, %1, %2 : tensor<129x128xf32>, tensor<129x128xf32>, tensor<129x128xf32>
}
