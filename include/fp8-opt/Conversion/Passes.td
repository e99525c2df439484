// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions out of the qt dialect.

#ifndef FP8_OPT_CONVERSION_PASSES_TD
#define FP8_OPT_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertQTToReferencePass : Pass<"convert-qt-to-reference", "::mlir::ModuleOp"> {
  let summary = "Lowers quantized tensors and their ops to plain linalg and arith with the exact numbers of the Spec";
  let description = [{
    Requires: any step from `quantize` on.
    Ensures: no op and no type of the qt dialect is left; a quantized value is its codes (an integer tensor) and its scale
    tensors, across functions, calls and control flow too.
    Leaves alone: everything else, among it the module's qt attributes.

    The arithmetic is that of Numerics, written as IR: the same text computes constant folds.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

#endif // FP8_OPT_CONVERSION_PASSES_TD
