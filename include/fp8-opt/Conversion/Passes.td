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
    tensors, across functions, calls and control flow too. Sizes that a product needs to be equal, and that are not known
    to be, are asserted.
    Leaves alone: everything else, among it the module's qt attributes.

    The arithmetic is that of Numerics, written as IR: the same text computes constant folds.

    With `ordered-products=false` a product is one linalg.contract, which an engine may tile and sum as it likes; its
    operands are bf16 where that holds them exactly (the code's significand, and that of the scale where it changes
    along K, have 8 bits in all), else f32. Codes and scales are the same bits in both forms.
  }];
  let options = [Option<"orderedProducts", "ordered-products", "bool", "true",
                        "Sum the products of qt.matmul in the order of the Spec">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertQTToQTilePass : Pass<"convert-qt-to-qtile", "::mlir::ModuleOp"> {
  let summary = "Gives products, and the quantizers before them, to kernels";
  let description = [{
    Requires: step `fuse`, the function with a body, and the target in the module (qtile-load-target).
    Ensures: each product of the function that a kernel is for is a qtile.launch of one, on codes and scales that other
    launches leave in the layouts that it reads; a quantized value between two kernels never exists row major. A
    quantizer that is read along columns and along rows is one launch. What is quantized again is made of the panels of the
    first quantizer, and so are numbers for whoever decodes its codes, unless something else reads these row major. A product
    in high precision reads its operands as they lie, row major in either order, through transposes and collapsed or expanded dimensions,
    matrices of a batch by strides; where its f32 sums are only rounded next, the kernel does it. A concatenation of quantized
    tensors is quantized as one, which gives the same codes and scales. Dimensions of a batch are one in front for kernels; their
    products and quantizers are one launch. A product whose contraction may have no elements when the program runs is launched
    where it has some, and is what it is added to, or zeros, where not. Kernels say what they compute; each launch has one of its own (qtile-merge-kernels).
    The module has `qtile.shares`, which say of every contraction whether a kernel computes it, and why not.
    Leaves alone: products that no kernel is for, and their quantizers.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "The target of the kernels">,
                 Option<"function", "function", "std::string", "\"main\"", "The function">,
                 Option<"remarks", "remarks", "bool", "true", "Emit a remark for every contraction that stays">];
  let statistics = [Statistic<"numProducts", "products", "Products computed by kernels">,
                    Statistic<"numQuantizers", "quantizers", "Quantizers that are kernels">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::fp8opt::qt::QTDialect", "::fp8opt::qtile::QTileDialect"];
}

def ConvertMathToReferencePass : Pass<"convert-math-to-reference"> {
  let summary = "Expands elementary functions into fixed formulas of arith, so that no result depends on a libm";
  let description = [{
    Requires: functions of scalars of f32, bf16 or f16, as bodies of linalg ops have them. Before anything that folds
    functions of constants, because that would ask the libm of the machine that compiles.
    Ensures: exp, log, tanh, erf, sin, cos, powers and roots are the formulas of Numerics, computed in f64 and rounded to
    f32, then to the type. An integer power with a constant exponent of at most 64 is the product of its factors from
    left to right, its reciprocal for a negative exponent.
    Leaves alone: what is exact on every machine (absolute values, roundings, f64 roots and the like); and, with
    `keep-others`, functions and types without a formula, which are refused else.
  }];
  let options = [Option<"keepOthers", "keep-others", "bool", "false", "Leave functions without a formula to who takes the graph">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

#endif // FP8_OPT_CONVERSION_PASSES_TD
