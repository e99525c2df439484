// RUN: fp8-opt %s --qt-verify-stage=after=schemes -verify-diagnostics -split-input-file
//
// What scheme assignment promises, broken once each.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
module attributes {qt.report = #qt.report<"r">} {
qt.recipe @r {}
func.func @main(%x: tensor<4x65xbf16>, %w: tensor<3x65xbf16>, %i: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{'linalg.contract' op expected exactly one of qt.schemes and qt.kept, got none; run qt-assign-schemes first}}
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.roles = #qt.roles<activation, weight>, qt.half = #qt.half<forward>,
                        qt.gemm = #qt.gemm<fprop>, qt.site = #qt.site<linear>}
         ins(%x, %w : tensor<4x65xbf16>, tensor<3x65xbf16>) outs(%i : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
}

// -----

#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<4x65xbf16>, %w: tensor<3x65xbf16>, %i: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{'linalg.contract' op expected exactly one of qt.schemes and qt.kept, got both; run qt-assign-schemes first}}
  %0 = linalg.contract indexing_maps = [#a, #b, #c] {qt.kept = #qt.kept<site, "head">, qt.schemes = #qt.schemes<#fp8, #fp8>}
         ins(%x, %w : tensor<4x65xbf16>, tensor<3x65xbf16>) outs(%i : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// expected-error @+1 {{'builtin.module' op expected one qt.recipe in the module, got 0; run qt-assign-schemes first}}
module {
func.func @main() { return }
}

// -----

// expected-error @+1 {{'builtin.module' op expected a qt.report on the module, got none; run qt-assign-schemes first}}
module {
qt.recipe @r {}
func.func @main() { return }
}

// -----

// expected-error @+1 {{'builtin.module' op expected a report about recipe 'r', the module's, got one about 's'; run qt-assign-schemes first}}
module attributes {qt.report = #qt.report<"s">} {
qt.recipe @r {}
func.func @main() { return }
}

// -----

// expected-error @+1 {{'builtin.module' op expected an entry in the report for each of 0 contractions, got 1; run qt-assign-schemes last}}
module attributes {qt.report = #qt.report<"r", [<location = loc(unknown), sizes = [1, 5, 7, 3], kept = <site, "head">>]>} {
qt.recipe @r {}
func.func @main() { return }
}
