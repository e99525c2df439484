// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// math.fma is a product like mulf and addf where the accumulator holds every product, so that there is no rounding to skip;
// or where the body carries its sum in a narrower type, which gets other roundings anyway.

// RUN: split-file %s %t
// RUN: %python %t/types.py %t/template.mlir > %t/all.mlir
// RUN: fp8-opt --fp8-import-linalg --split-input-file %t/all.mlir 2>%t/remarks | FileCheck %t/all.mlir
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not="left alone" < %t/remarks
// REMARK-COUNT-3: remark: left alone, no matrix product: its body adds products unrounded (math.fma), which no matrix product of these types does

//--- types.py
import sys

template = open(sys.argv[1]).read()
# Operand, sum, and whether it is a product: f16 times f16 is an f32; of bf16 the range is not.
TYPES = [("f16", "f16", 1), ("f16", "f32", 1), ("f8E4M3FN", "f32", 1), ("f8E5M2", "f16", 1), ("bf16", "bf16", 1),
         ("bf16", "f32", 0), ("bf16", "f64", 1), ("f32", "f64", 1), ("f32", "f32", 0), ("f64", "f64", 0)]
def graph(operand, sum, product):
    body, factors = "", ("%p", "%q")
    if operand != sum:
        body = "".join(f"%{to} = arith.extf %{of} : {operand} to {sum}\n" for of, to in ("px", "qz"))
        factors = ("%x", "%z")
    body += f"%s = math.fma {factors[0]}, {factors[1]}, %o : {sum}"
    return (template.replace("OPERAND", operand).replace("SUM", sum).replace("BODY", body)
                    .replace("EXPECTED", "linalg.contract" if product else "math.fma"))


print("\n// -----\n".join(graph(*types) for types in TYPES))
//--- template.mlir
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#o = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @main
// CHECK: EXPECTED
func.func @main(%a: tensor<3x7xOPERAND>, %b: tensor<7x5xOPERAND>, %init: tensor<3x5xSUM>) -> tensor<3x5xSUM> {
  %y = linalg.generic {indexing_maps = [#a, #b, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x7xOPERAND>, tensor<7x5xOPERAND>) outs(%init : tensor<3x5xSUM>) {
  ^bb0(%p: OPERAND, %q: OPERAND, %o: SUM):
    BODY
    linalg.yield %s : SUM
  } -> tensor<3x5xSUM>
  return %y : tensor<3x5xSUM>
}
