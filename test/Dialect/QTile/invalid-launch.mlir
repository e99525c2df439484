// What a launch must hold against its kernel: an engine checks none of it.
//
// RUN: fp8-opt %s --split-input-file --verify-diagnostics

#scheme = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qtile.kernel @amax(%x: !qtile.global<bf16>, %cell: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) by #scheme into %cell : !qtile.global<bf16>
  qtile.return
}

func.func @name(%x: tensor<4x4xbf16>, %c: tensor<f32>, %m: i32) {
  // expected-error @+1 {{expected @amin to name a qtile.kernel of the module}}
  %a = qtile.launch @amin(%x, %c) sizes(%m, %m) tied [1] : (tensor<4x4xbf16>, tensor<f32>) -> tensor<f32>
  return
}

// -----

#scheme = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qtile.kernel @amax(%x: !qtile.global<bf16>, %cell: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) by #scheme into %cell : !qtile.global<bf16>
  qtile.return
}

func.func @count(%x: tensor<4x4xbf16>, %c: tensor<f32>, %m: i32) {
  // expected-error @+1 {{expected tensors and sizes for the 4 arguments of @amax, got 2 and 1}}
  %a = qtile.launch @amax(%x, %c) sizes(%m) tied [1] : (tensor<4x4xbf16>, tensor<f32>) -> tensor<f32>
  return
}

// -----

#scheme = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qtile.kernel @amax(%x: !qtile.global<bf16>, %cell: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) by #scheme into %cell : !qtile.global<bf16>
  qtile.return
}

func.func @untied(%x: tensor<4x4xbf16>, %c: tensor<f32>, %m: i32) {
  // expected-error @+1 {{expected tensors and sizes for the 4 arguments of @amax, got 3 and 2}}
  %a = qtile.launch @amax(%x, %c) sizes(%m, %m) tied [-1] : (tensor<4x4xbf16>, tensor<f32>) -> tensor<f32>
  return
}

// -----

#scheme = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qtile.kernel @amax(%x: !qtile.global<bf16>, %cell: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) by #scheme into %cell : !qtile.global<bf16>
  qtile.return
}

func.func @order(%x: tensor<4x4xbf16>, %c: tensor<f32>, %m: i32) {
  // expected-error @+1 {{expected a tensor of 'bf16' for argument 0 of @amax, got one of 'f32'}}
  %a = qtile.launch @amax(%c, %x) sizes(%m, %m) tied [0] : (tensor<f32>, tensor<4x4xbf16>) -> tensor<f32>
  return
}

// -----

#scheme = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qtile.kernel @amax(%x: !qtile.global<bf16>, %cell: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
  qtile.amax %x sizes(%m, %n) by #scheme into %cell : !qtile.global<bf16>
  qtile.return
}

func.func @kinds(%x: tensor<4x4xbf16>, %m: i32) {
  // expected-error @+1 {{expected a tensor for argument 1 of @amax, '!qtile.global<f32>', got a size}}
  qtile.launch @amax(%x) sizes(%m, %m, %m) tied [] : (tensor<4x4xbf16>) -> ()
  return
}

// -----

func.func @tied_twice(%x: tensor<f32>) {
  // expected-error @+1 {{expected at most one result tied to operand 0}}
  %a:2 = qtile.launch @k(%x) tied [0, 0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @tied_count(%x: tensor<f32>) {
  // expected-error @+1 {{expected a number of an operand, or -1, for each of 1 results, got 0}}
  %a = qtile.launch @k(%x) tied [] : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @tied_outside(%x: tensor<f32>) {
  // expected-error @+1 {{expected result 0 to be tied to one of 1 operands, got 1}}
  %a = qtile.launch @k(%x) tied [1] : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @tied_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected result 0 to have the type of operand 0, 'tensor<2xf32>', got 'tensor<f32>'}}
  %a = qtile.launch @k(%x) tied [0] : (tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @shapes(%x: tensor<f32>) {
  // expected-error @+1 {{expected 1 shapes, one for each dynamic size of a new result, got 0}}
  %a = qtile.launch @k(%x) tied [-1] : (tensor<f32>) -> tensor<?xf32>
  return
}

// -----

// expected-error @+1 {{expected the stored shape 8x256x128, got 8x250x128}}
func.func private @padding(tensor<8x250x128xi8, #qtile.stored<panels of 250x1000>>)

// -----

// expected-error @+1 {{expected at least two sizes of what is stored, got 1}}
func.func private @sizes(tensor<8xi8, #qtile.stored<panels of 250>>)

// -----

// expected-error @+1 {{expected 'qtile.shares' to be a #qtile.shares attribute on a module, got unit on func.func}}
func.func private @not_here() attributes {qtile.shares}

// -----

// expected-error @+1 {{expected an attribute that the qtile dialect declares, got 'qtile.share'}}
module attributes {qtile.share} {
}

// -----

// expected-error @+1 {{expected the sizes batch, m, n and k, each at least -1, got [1, 2, 3]}}
#share = #qtile.share<location = loc("model.py":7:3), sizes = [1, 2, 3], flops = 12, bytes = 8>
