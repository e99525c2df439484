// RUN: fp8-opt %s | fp8-opt | FileCheck %s
//
// Every attribute reads what it prints. Scheme options that are the rule's usual ones are not printed.

// CHECK-DAG: #[[$MX:.*]] = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
// CHECK-DAG: #[[$NV:.*]] = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [16, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>], rounding = half_away, overflow = ieee, nan = negative_zero>
// CHECK-LABEL: module attributes
// CHECK-SAME: qt.plan = #qt.plan<kept = 33 of 64, read = 128 of 192, written = 66 of 67, [<<early, kept = 33, read = 0, written = 33> over [<again, kept = 64, read = 64, written = 33>, <recomputed, kept = 0, read = 1, written = 2>], location = #loc, type = tensor<8x4xbf16>, label = "input of 'w'", role = <activation>>, <<single, kept = 0, read = 64, written = 33>, location = #loc1, type = tensor<?x4xbf16>, nested = unit>]>
// CHECK-SAME: qt.report = #qt.report<"mxfp8", [<location = #loc, sizes = [1, 5, 7, -1], label = "w", roles = <activation, weight>, gemm = <fprop>, half = <forward>, site = <linear>, linear = <3, argument = 1, sums = [0, 2]>, layer = <3, 1>, schemes = <#[[$MX]], #[[$MX]]>>, <location = #loc1, sizes = [1, 5, 7, 3], kept = <no_role, "no loss is returned">, given = <exact, refused, "one for each k">>]>
// CHECK-SAME: qt.signature = #qt.signature<arguments = [<"w", parameter>, <"m", buffer>, <"x", input>, <"?", unknown>] results = [<"y", unknown>]>
// CHECK-SAME: qt.step = #qt.step<axes>
#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
module attributes {
  qt.signature = #qt.signature<arguments = [#qt.value<"w", parameter>, <"m", buffer>, <"x", input>, <"?", unknown>]
                               results = [<"y", unknown>]>,
  qt.report = #qt.report<"mxfp8", [
    #qt.entry<location = loc("model.py":7:3), sizes = [1, 5, 7, -1], label = "w", roles = <activation, weight>,
              gemm = <fprop>, half = <forward>, site = <linear>, linear = <3, argument = 1, sums = [0, 2]>,
              layer = <3, 1>, schemes = <#mx, #mx>>,
    <location = loc("model.py":8:3), sizes = [1, 5, 7, 3], kept = <no_role, "no loss is returned">,
     given = <exact, refused, "one for each k">>]>,
  qt.plan = #qt.plan<kept = 33 of 64, read = 128 of 192, written = 66 of 67, [
    #qt.planned<<early, kept = 33, read = 0, written = 33> over [<again, kept = 64, read = 64, written = 33>,
                <recomputed, kept = 0, read = 1, written = 2>], location = loc("model.py":7:3), type = tensor<8x4xbf16>,
                label = "input of 'w'", role = <activation>>,
    <<single, kept = 0, read = 64, written = 33>, location = loc("model.py":8:3), type = tensor<?x4xbf16>, nested = unit>]>,
  qt.step = #qt.step<axes>
} {

// CHECK-LABEL: func private @role(tensor<2xf32> {qt.role = #qt.role<gradient>}) -> (tensor<2xf32> {qt.role = #qt.role<activation>})
func.func private @role(tensor<2xf32> {qt.role = #qt.role<gradient>}) -> (tensor<2xf32> {qt.role = #qt.role<activation>})

// CHECK-LABEL: func @on_ops
func.func @on_ops() {
  // CHECK: qt.gemm = #qt.gemm<wgrad>, qt.half = #qt.half<backward>, qt.layer = #qt.layer<0, 2>, qt.linear = #qt.linear<0, parts = [4, 2]>
  // CHECK-SAME: qt.roles = #qt.roles<gradient, activation>, qt.schemes = #qt.schemes<#[[$MX]], #[[$MX]]>, qt.site = #qt.site<linear>
  arith.constant {qt.roles = #qt.roles<gradient, activation>, qt.gemm = #qt.gemm<wgrad>, qt.half = #qt.half<backward>,
                  qt.site = #qt.site<linear>, qt.linear = #qt.linear<0, parts = [4, 2]>, qt.layer = #qt.layer<0, 2>,
                  qt.schemes = #qt.schemes<#mx, #mx>} 0 : i32
  // CHECK: qt.given = #qt.given<not, rounded>
  arith.constant {qt.given = #qt.given<not, rounded>} 0 : i32
  // CHECK: qt.kept = #qt.kept<site, "head">
  arith.constant {qt.kept = #qt.kept<site, "head">} 0 : i32
  return
}

// The empty signature, report, plan and traffic.
// CHECK: module attributes {qt.plan = #qt.plan<kept = 0 of 0, read = 0 of 0, written = 0 of 0>, qt.report = #qt.report<"bf16">, qt.signature = #qt.signature<>, qt.traffic = #qt.traffic<>}
module attributes {qt.signature = #qt.signature<>, qt.report = #qt.report<"bf16">, qt.traffic = #qt.traffic<>,
                   qt.plan = #qt.plan<kept = 0 of 0, read = 0 of 0, written = 0 of 0>} {}

// Traffic of a tensor of the graph, not counted after fusing, of an argument, and of the second result of an op.
// CHECK: qt.traffic = #qt.traffic<[<location = #loc, before = <reads = 2, writes = 1, bytesRead = 16, bytesWritten = 8>>, <location = #loc1, argument = 3 : i64, before = <reads = 4, writes = 2, bytesRead = 32, bytesWritten = 16>, after = <reads = 1, writes = 2, bytesRead = 8, bytesWritten = 16>>, <location = #loc, result = 1 : i64, before = <reads = 2, writes = 1, bytesRead = 16, bytesWritten = 8>>]>
module attributes {qt.traffic = #qt.traffic<[
  <location = loc("model.py":7:3), before = <reads = 2, writes = 1, bytesRead = 16, bytesWritten = 8>>,
  <location = loc("model.py":8:3), argument = 3, before = <reads = 4, writes = 2, bytesRead = 32, bytesWritten = 16>,
   after = <reads = 1, writes = 2, bytesRead = 8, bytesWritten = 16>>,
  <location = loc("model.py":7:3), result = 1, before = <reads = 2, writes = 1, bytesRead = 16, bytesWritten = 8>>]>} {}

// CHECK-LABEL: func @scales
func.func @scales() attributes {
  // CHECK-SAME: a = #qt.scale<f32 per tensor by fdiv>
  a = #qt.scale<f32 per tensor by fdiv, zero = one, apply = mul_encode>,
  // CHECK-SAME: b = #qt.scale<f8E8M0FNU per block [1, 32] by floor, zero = one, inf = one, nan = ignore, overflow = inf, stored = encode, apply = div_decode>
  b = #qt.scale<f8E8M0FNU per block [1, 32] by floor, apply = div_decode, stored = encode, overflow = inf, nan = ignore, inf = one, zero = one>,
  // CHECK-SAME: c = #qt.scale<f32 per block [*, 1] by fdiv_pow2, floor = 9.99999974E-5>
  c = #qt.scale<f32 per block [*, 1] by fdiv_pow2, floor = 1.0e-4>,
  // A block has one spelling.
  // CHECK-SAME: d = #qt.scale<f32 per block [1, 32] by fdiv>, e = #qt.scale<f32 per block [1, 32] by fdiv>, f = #qt.scale<f32 per block [2, 1, 32] by fdiv>
  d = #qt.scale<f32 per block [32] by fdiv>, e = #qt.scale<f32 per block [1, 1, 1, 32] by fdiv>,
  f = #qt.scale<f32 per block [1, 2, 1, 32] by fdiv>,
  // CHECK-SAME: g = #qt.scale<f32 per tensor by fdiv>
  g = #qt.scale<f32 per tensor by fdiv, floor = -0.0>
} { return }

// CHECK-LABEL: func @schemes
func.func @schemes() attributes {
  // CHECK-SAME: a = #[[$NV]], b = #[[$MX]]
  a = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [16, 16] by nvfp4>, <f32 per tensor by nvfp4>],
                 nan = negative_zero, overflow = ieee, rounding = half_away>,
  b = #qt.scheme<f8E4M3FN, [<f8E8M0FNU per block [1, 32] by rceil_mul>], rounding = nearest_even>
} { return }
}
