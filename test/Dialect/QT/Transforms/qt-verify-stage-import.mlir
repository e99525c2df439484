// RUN: fp8-opt %s --qt-verify-stage=after=import -verify-diagnostics -split-input-file
//
// What import promises, broken once each.

func.func @main(%x: tensor<4x65xbf16>, %w: tensor<65x3xbf16>, %i: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{'linalg.matmul' op expected matrix products as linalg.contract of [batch..., m, k] and [batch..., n, k] with an accumulator of f32 or f64, got another form; run fp8-import-linalg first}}
  %0 = linalg.matmul ins(%x, %w : tensor<4x65xbf16>, tensor<65x3xbf16>) outs(%i : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<4x65xbf16>, %w: tensor<3x65xbf16>, %i: tensor<4x3xbf16>) -> tensor<4x3xbf16> {
  // expected-error @+1 {{'linalg.contract' op expected matrix products as linalg.contract of [batch..., m, k] and [batch..., n, k] with an accumulator of f32 or f64, got another form}}
  %0 = linalg.contract indexing_maps = [#a, #b, #c] ins(%x, %w : tensor<4x65xbf16>, tensor<3x65xbf16>)
         outs(%i : tensor<4x3xbf16>) -> tensor<4x3xbf16>
  return %0 : tensor<4x3xbf16>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'func.call' op expected calls of functions with a body to be inlined, got one of 'callee'; run fp8-import-linalg first}}
  %0 = func.call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @callee(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
// expected-error @+1 {{'func.func' op expected no private function that nothing uses, got 'left'; run fp8-import-linalg first}}
func.func private @left(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }

// -----

// Calls of what has no body stay.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @external(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @external(tensor<4xf32>) -> tensor<4xf32>

// -----

#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'linalg.generic' op expected an all-parallel op not to read its outputs, got a body that reads output 0; run fp8-import-linalg first}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>)
         outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected a function 'main'}}
module {}
