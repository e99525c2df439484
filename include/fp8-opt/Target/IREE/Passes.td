// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a graph needs to be taken by IREE.

#ifndef FP8_OPT_TARGET_IREE_PASSES_TD
#define FP8_OPT_TARGET_IREE_PASSES_TD

include "mlir/Pass/PassBase.td"

def IREEDescribeQuantizersPass : Pass<"iree-describe-quantizers", "::mlir::ModuleOp"> {
  let summary = "Lists the quantizers of the function, and makes their numbers results of it";
  let description = [{
    Requires: any step from `quantize` on.
    Ensures: the function's reflection lists place and type of each quantizer, in the order of the program; a qt.requantize
    is a dequantization and a quantizer. With `expose` the function returns, after its own results, the source, the
    codes and the scales of each level of each quantizer. Of a quantizer in a loop or branch these are what its last
    execution left, zeros if there was none.
    Leaves alone: quantizers of dynamic shape in a loop or branch, for whose last execution there is no place; the list
    says that they are not exposed.
  }];
  let options = [Option<"function", "function", "std::string", "\"main\"", "The function">,
                 Option<"expose", "expose", "bool", "false", "Return sources, codes and scales">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::ml_program::MLProgramDialect", "::fp8opt::qt::QTDialect"];
}

def IREEConvertLaunchesPass : Pass<"iree-convert-launches", "::mlir::ModuleOp"> {
  let summary = "Writes launches of kernels as extern dispatches of IREE";
  let description = [{
    Requires: kernels whose threads are written and whose shared memory is planned; a context that takes unregistered ops.
    Ensures: each qtile.launch is a hal.dispatch.extern whose object is a file named after the kernel; there are no kernels, no
    targets and no #qtile.stored encodings. Order and number of bindings and constants, threads, shared memory and the
    number of blocks are those of the kernel: IREE 3.13 checks none of them.
  }];
  let options = [Option<"objectEnding", "object-ending", "std::string", "\".cubin\"", "How the names of the kernels' files end">];
  let statistics = [Statistic<"numLaunches", "launches", "Launches written as dispatches">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
                           "::fp8opt::qtile::QTileDialect"];
}

def IREELiftNegationsPass : Pass<"iree-lift-negations", "::mlir::ModuleOp"> {
  let summary = "Negates sums instead of summing what is negated";
  let description = [{
    IREE 3.13 fuses a negation into the sum that reads it and makes a subtraction of both, for which its GPU back end finds no
    neutral element ("failed to get neutral element for reduction").

    Ensures: no sum from a constant on reads what an elementwise op has negated last; the sum is negated. The bits are the same,
    but for the sign of a sum that is zero.
    Leaves alone: everything else.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def IREEMaskCumulativeSumsPass : Pass<"iree-mask-cumulative-sums", "::mlir::ModuleOp"> {
  let summary = "Writes a cumulative sum as a sum over all elements of which those behind are left out";
  let description = [{
    JAX writes it as the sum over a window of a padded tensor, which IREE 3.13 does not compile for GPUs ("failed to bufferize
    op").

    Ensures: no such sum of static size; the terms that are added keep their order, so that the bits are the same.
    Leaves alone: other windows.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect"];
}

def IREESplitResultsPass : Pass<"iree-split-results", "::mlir::ModuleOp"> {
  let summary = "Makes an op of each result of a generic";
  let description = [{
    IREE 3.13 drops a result of a generic that it finds no reader for and leaves what the body yields, which its verifier
    refuses. It fuses by itself what reads the same.

    Ensures: a generic has one result.
    Leaves alone: ops in which a result depends on what another one has become.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def IREEKeepRoundingsPass : Pass<"iree-keep-roundings", "::mlir::ModuleOp"> {
  let summary = "Writes bf16 arithmetic so that no rounding can be folded away";
  let description = [{
    IREE computes bf16 arithmetic in f32 and folds `extf(truncf(x))` to `x` on the way, so that an amax of rounded numbers
    would be computed from the unrounded ones.

    Ensures: bf16 scalars become f32 through their bits, which no fold looks through; arithmetic of bf16 scalars is f32
    arithmetic with a rounding after each operation.
    Leaves alone: contractions, named ops (their bodies have no text), and other types.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def IREEKeepTermsPass : Pass<"iree-keep-terms", "::mlir::ModuleOp"> {
  let summary = "Writes the terms of scaled sums so that IREE makes no contraction of them";
  let description = [{
    IREE 3.13 makes a contraction of a sum of products. Where a factor is a constant, or the same along a dimension that is
    summed, its GPU back end finds no layout for it ("failed to distribute"): half the sum of squares is such a sum.

    Ensures: the term of such a sum is `fma(term, 1, -0)`, which is the term in every bit; LLVM folds it. The product may be in
    the sum's body or in the elementwise op that the sum reads.
    Leaves alone: sums of other terms, and of products whose factors run along all dimensions.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def IREEKeepArgumentsPass : Pass<"iree-keep-arguments", "::mlir::ModuleOp"> {
  let summary = "Keeps IREE from computing a result in the memory of an argument";
  let description = [{
    IREE 3.13 computes in place where nothing reads the memory later, also in the caller's: a sum that starts at an argument
    overwrites it.

    Requires: a context that takes unregistered ops, where there is such an argument.
    Ensures: an argument of an entry point that is the destination of an op, or may be, through views, loops and branches, is
    read by a barrier at the end. IREE then copies it before it is written.
    Leaves alone: arguments that are only read.
  }];
  let options = [Option<"function", "function", "std::string", "\"main\"", "The function">];
}

def IREEAlignResultsPass : Pass<"iree-align-results", "::mlir::ModuleOp"> {
  let summary = "Keeps IREE from having a kernel write at an address that is no multiple of 16 bytes";
  let description = [{
    IREE 3.13 has an op write its result where the result's only use wants it: a product that becomes a part of a flat buffer of
    gradients is written into that buffer, from any element on. Kernels write 16 bytes at once.

    Requires: a context that takes unregistered ops, where there is such a result.
    Ensures: a result of a launch that is inserted, concatenated or padded, also under another shape, where the part's first byte
    may be no multiple of 16, is read by a barrier at the end of its block too. IREE then copies it to its place.
    Leaves alone: results whose parts begin at multiples of 16 bytes whatever the unknown sizes and offsets are.
  }];
}

def IREEDropEmptyLoopsPass : Pass<"iree-drop-empty-loops", "::mlir::ModuleOp"> {
  let summary = "Replaces ops whose loops have no step by what they start from";
  let description = [{
    IREE 3.13 crashes at a contraction over a dimension of size 0.

    Ensures: no op of linalg has a loop of static size 0.
    Leaves alone: dynamic sizes.
  }];
}

def IREEWidenMixedPass : Pass<"iree-widen-mixed", "::mlir::ModuleOp"> {
  let summary = "Gives the operands of a contraction one type of 16 or 32 bits";
  let description = [{
    IREE 3.13's GPU back end does not compile a contraction of f16 with bf16, nor one with floats of eight bits beside wider ones.

    Ensures: the operands of a `linalg.contract` of floats are of one type of 16 bits, or one at least is of 32 or more. Numbers are
    the same: the type holds those of both.
    Leaves alone: what IREE takes, as f32 beside bf16.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def IREEExpandCodeCastsPass : Pass<"iree-expand-code-casts", "::mlir::ModuleOp"> {
  let summary = "Casts floats of at most eight bits by integer arithmetic";
  let description = [{
    IREE 3.13's GPU back end has no casts of such floats ("LLVM Translation failed for operation:
    builtin.unrealized_conversion_cast"), and for processors it rounds from bf16 in another way than from f32.

    Ensures: no `arith.extf` from and no `arith.truncf` to a float of at most eight bits that Numerics defines is left, but from f64.
    Numbers are those of the reference.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def IREEDropUnitRowsPass : Pass<"iree-drop-unit-rows", "::mlir::ModuleOp"> {
  let summary = "Writes products of one row as products of a vector";
  let description = [{
    IREE 3.13's GPU back end does not compile a product of one row of bf16 by 17 to 31 rows, unless they are 24 ("LLVM
    Translation failed for operation: builtin.unrealized_conversion_cast"), nor a batch of such. That of a vector it does.

    Ensures: no contraction has a loop of one step that indexes the left operand and the result alone, beside a longer one
    that indexes the right operand and the result alone.
    Leaves alone: dynamic sizes.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def IREEWidenLatePass : Pass<"iree-widen-late", "::mlir::ModuleOp"> {
  let summary = "Widens elements where they are read instead of whole tensors before";
  let description = [{
    IREE 3.13 copies an op that only widens its elements (`extf`) into each dispatch that reads it. There its GPU back end
    keeps the whole tensor in shared memory where a slice or a contraction of dynamic size reads it ("shared memory
    allocation size overflows"), and finds no layout for a sum of all elements of a tensor of dynamic size ("failed to
    distribute").

    Ensures: slices are taken of the narrow tensor and widened; contractions of dynamic size read two narrow tensors of the
    same type; a sum of all elements of dynamic size widens in its body. The bits are the same.
    Leaves alone: everything else.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def IREEInlineResourcesPass : Pass<"iree-inline-resources", "::mlir::ModuleOp"> {
  let summary = "Writes constants that are resources as plain dense constants";
  let description = [{
    IREE does not read a resource of bf16. An error where the module holds no content for one.
  }];
}

def IREEWarnOfAssertionsPass : Pass<"iree-warn-of-assertions", "::mlir::ModuleOp"> {
  let summary = "Says which assertions of a graph IREE does not check";
  let description = [{
    IREE 3.13 drops a `cf.assert` in the body of a linalg op, where those of indices stand; it checks others.

    Ensures: one warning for each function, at its first such assertion, with how many there are.
    Leaves alone: everything.
  }];
}

def IREEFinishEntriesPass : Pass<"iree-finish-entries", "::mlir::ModuleOp"> {
  let summary = "Gives entry points the form and the description that IREE's runtime and fp8-run need";
  let description = [{
    Requires: no op and no type of the qt dialect.
    Ensures: each entry point (the function, and FUNCTION_unquantized where there is one) takes and returns tensors only: a
    scalar is a tensor without dimensions, an index is an i64. Other functions are private. Entry points carry their
    type, signature, quantizers and device as reflection, and no attribute of the qt dialect is left.
  }];
  let options = [Option<"function", "function", "std::string", "\"main\"", "The function">,
                 Option<"device", "device", "std::string", "\"local-task\"", "IREE's name for the driver that will run it">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

#endif // FP8_OPT_TARGET_IREE_PASSES_TD
