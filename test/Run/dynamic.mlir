// One compiled graph, sizes from the arguments; sizes that contradict each other are an error, not a crash.

// RUN: %python %S/Inputs/tensors.py write %t.in arg0=F32:2x3:1,2,3,4,5,6 arg1=F32:3:10,20,30
// RUN: fp8-run %s --args=%t.in | FileCheck %s
// CHECK: result0: 2x3xF32 = [11, 22, 33, 14, 25, 36]
// RUN: %python %S/Inputs/tensors.py write %t.empty arg0=F32:0x3: arg1=F32:3:10,20,30
// RUN: fp8-run %s --args=%t.empty | FileCheck %s --check-prefix=EMPTY
// EMPTY: result0: 0x3xF32 = []
// RUN: %python %S/Inputs/tensors.py write %t.bad arg0=F32:2x3:1,2,3,4,5,6 arg1=F32:2:10,20
// RUN: not fp8-run %s --args=%t.bad 2>&1 | FileCheck %s --check-prefix=CONFLICT
// CONFLICT: dynamic.mlir{{.*}}: expected dimension 0 of operand 1 of 'linalg.generic' to be as long as the others of iterator 1
// RUN: not fp8-run %s --init=normal:1 2>&1 | FileCheck %s --check-prefix=INIT
// INIT: fp8-run: expected static sizes of argument 'arg0' to generate it, got ?x?xF32; give its value with --args=FILE.safetensors
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
