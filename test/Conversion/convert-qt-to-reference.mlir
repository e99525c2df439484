// RUN: fp8-opt %s --convert-qt-to-reference --split-input-file | FileCheck %s

// A quantized value is its codes and the scales of each level: in functions, calls and results, also of declarations.

#s = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
#t = #qt.scheme<f12E5M6, [#qt.scale<f8E8M0FNU per block [*, 32] by floor>]>
// CHECK-NOT: qt.
// CHECK: func.func private @other(tensor<2x3x40xi8>, tensor<2x3x3xi8>, tensor<2xf32>) -> (tensor<5x?xi16>, tensor<1x?xi8>)
func.func private @other(!qt.tensor<2x3x40xbf16, #s>) -> !qt.tensor<5x?xf16, #t>
// CHECK-LABEL: func.func @calls
// CHECK-SAME: (%[[C:[^:]*]]: tensor<2x3x40xi8>, %[[S:[^:]*]]: tensor<2x3x3xi8>, %[[T:[^:]*]]: tensor<2xf32>, %[[I:[^:]*]]: index)
// CHECK: %[[R:.*]]:2 = call @other(%[[C]], %[[S]], %[[T]])
// CHECK: return %[[R]]#0, %[[R]]#1, %[[I]]
// CHECK-NOT: qt.
func.func @calls(%q: !qt.tensor<2x3x40xbf16, #s>, %i: index) -> (!qt.tensor<5x?xf16, #t>, index) {
  %r = call @other(%q) : (!qt.tensor<2x3x40xbf16, #s>) -> !qt.tensor<5x?xf16, #t>
  return %r, %i : !qt.tensor<5x?xf16, #t>, index
}

// -----

// Control flow carries codes and scales: what loops and branches yield, and arguments of blocks.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-NOT: qt.
// CHECK-LABEL: func @control
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<3x5xi8>, tensor<f32>)
// CHECK: scf.if {{.*}} -> (tensor<3x5xi8>, tensor<f32>)
// CHECK: scf.while ({{.*}}) : (tensor<3x5xi8>, tensor<f32>) -> (tensor<3x5xi8>, tensor<f32>)
// CHECK: cf.br ^bb{{.*}}(%{{.*}}, %{{.*}} : tensor<3x5xi8>, tensor<f32>)
// CHECK: ^bb{{.*}}(%{{.*}}: tensor<3x5xi8>, %{{.*}}: tensor<f32>):
// CHECK-NOT: qt.
func.func @control(%q: !qt.tensor<3x5xf32, #s>, %p: !qt.tensor<3x5xf32, #s>, %n: index, %b: i1) -> !qt.tensor<3x5xf32, #s> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %q) -> !qt.tensor<3x5xf32, #s> {
    %y = scf.if %b -> !qt.tensor<3x5xf32, #s> {
      scf.yield %x : !qt.tensor<3x5xf32, #s>
    } else {
      scf.yield %p : !qt.tensor<3x5xf32, #s>
    }
    scf.yield %y : !qt.tensor<3x5xf32, #s>
  }
  %1 = scf.while (%x = %0) : (!qt.tensor<3x5xf32, #s>) -> !qt.tensor<3x5xf32, #s> {
    scf.condition(%b) %x : !qt.tensor<3x5xf32, #s>
  } do {
  ^bb0(%x: !qt.tensor<3x5xf32, #s>):
    scf.yield %x : !qt.tensor<3x5xf32, #s>
  }
  cf.br ^end(%1 : !qt.tensor<3x5xf32, #s>)
^end(%r: !qt.tensor<3x5xf32, #s>):
  return %r : !qt.tensor<3x5xf32, #s>
}

// -----

// The recipe goes; what the module carries along for other tools stays.

// CHECK: module attributes {qt.step = #qt.step<axes>}
// CHECK-NOT: qt.recipe
module attributes {qt.step = #qt.step<axes>} {
  qt.recipe @r {
  }
}

// -----

// Assembling and taking apart are no operations; a constant becomes the constants of its parts.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 2] by fdiv>]>
// CHECK-LABEL: func @parts
// CHECK-SAME: (%[[C:.*]]: tensor<1x3xi8>, %[[S:.*]]: tensor<1x2xf32>)
// CHECK-DAG: %[[CC:.*]] = arith.constant dense<{{\[\[}}29, 126, 0]]> : tensor<1x3xi8>
// CHECK-DAG: %[[CS:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// CHECK: return %[[C]], %[[S]], %[[CC]], %[[CS]]
func.func @parts(%c: tensor<1x3xi8>, %s: tensor<1x2xf32>) -> (tensor<1x3xi8>, tensor<1x2xf32>, !qt.tensor<1x3xf32, #s>) {
  %q = qt.assemble %c, %s : tensor<1x3xi8>, tensor<1x2xf32> -> !qt.tensor<1x3xf32, #s>
  %oc, %os = qt.disassemble %q : !qt.tensor<1x3xf32, #s> -> tensor<1x3xi8>, tensor<1x2xf32>
  %k = qt.constant <dense<[[29, 126, 0]]> : tensor<1x3xi8>, [dense<[[1.0, 2.0]]> : tensor<1x2xf32>]>
    : !qt.tensor<1x3xf32, #s>
  return %oc, %os, %k : tensor<1x3xi8>, tensor<1x2xf32>, !qt.tensor<1x3xf32, #s>
}

// -----

// A transpose moves codes and the scales of blocks alike; a scale per batch slice stays.

#s = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
#t = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [16, 1] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
// CHECK-LABEL: func @moves
// CHECK-SAME: %[[S:[a-z0-9]*]]: tensor<2xf32>)
// CHECK: %[[CT:.*]] = linalg.transpose {{.*}} outs(%{{.*}} : tensor<2x40x3xi8>) permutation = [0, 2, 1]
// CHECK: %[[BT:.*]] = linalg.transpose {{.*}} outs(%{{.*}} : tensor<2x3x3xi8>) permutation = [0, 2, 1]
// CHECK: return %[[CT]], %[[BT]], %[[S]]
func.func @moves(%q: !qt.tensor<2x3x40xf32, #s>) -> !qt.tensor<2x40x3xf32, #t> {
  %t = qt.transpose %q permutation = [0, 2, 1] : !qt.tensor<2x3x40xf32, #s> -> !qt.tensor<2x40x3xf32, #t>
  return %t : !qt.tensor<2x40x3xf32, #t>
}

// -----

// Attributes stay with their argument or result, and every part of a quantized one has those of the whole.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
// CHECK-LABEL: func.func @attributes
// CHECK-SAME: (%{{[a-z0-9]*}}: tensor<3xi8> {bufferization.writable = true}, %{{[a-z0-9]*}}: tensor<f32> {bufferization.writable = true},
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<3xf32> {bufferization.writable = false}, %{{[a-z0-9]*}}: tensor<2xf32>)
// CHECK-SAME: -> (tensor<3xi8>, tensor<f32>, tensor<3xf32> {bufferization.access = "read"})
func.func @attributes(%q: !qt.tensor<3xf32, #s> {bufferization.writable = true}, %x: tensor<3xf32> {bufferization.writable = false},
                      %y: tensor<2xf32>) -> (!qt.tensor<3xf32, #s>, tensor<3xf32> {bufferization.access = "read"}) {
  return %q, %x : !qt.tensor<3xf32, #s>, tensor<3xf32>
}
