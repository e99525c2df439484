// RUN: fp8-opt %S/ops.mlir > %t.ops && fp8-opt %t.ops --emit-bytecode | fp8-opt | diff %t.ops -
// RUN: fp8-opt %S/view-ops.mlir > %t.views && fp8-opt %t.views --emit-bytecode | fp8-opt | diff %t.views -
// RUN: fp8-opt %S/types.mlir > %t.types && fp8-opt %t.types --emit-bytecode | fp8-opt | diff %t.types -
// RUN: fp8-opt %S/attrs.mlir > %t.attrs && fp8-opt %t.attrs --emit-bytecode | fp8-opt | diff %t.attrs -
// RUN: fp8-opt %S/recipe.mlir > %t.recipe && fp8-opt %t.recipe --emit-bytecode | fp8-opt | diff %t.recipe -
//
// Every op, type and attribute of the round-trip tests comes back from bytecode as it was.
//
// RUN: fp8-opt %s --emit-bytecode | not grep -a "qt.scheme<"
//
// None of them is stored as text, which is what the bytecode writer does with attributes without an encoding.
//
// RUN: not fp8-opt %S/Inputs/newer-version.mlirbc 2>&1 | FileCheck %s
//
// A file of a version that this one does not know is refused.
// CHECK: error: expected a version of the qt dialect from 1 to 1, got 99; read the file with a newer fp8-opt

#mx = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
func.func private @f(!qt.tensor<3x65xbf16, #mx>) attributes {mx = #mx}
