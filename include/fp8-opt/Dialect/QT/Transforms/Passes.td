// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on graphs, in the order of the walk.

#ifndef FP8_OPT_DIALECT_QT_TRANSFORMS_PASSES_TD
#define FP8_OPT_DIALECT_QT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def KeepUnquantizedPass : Pass<"qt-keep-unquantized", "::mlir::ModuleOp"> {
  let summary = "Keeps the imported program beside the one that will be quantized, to compare with";
  let description = [{
    Requires: the function is in the form of import; no other function is called FUNCTION_unquantized.
    Ensures: FUNCTION_unquantized is a copy of the function.
    Leaves alone: everything else.
  }];
  let options = [Option<"function", "function", "std::string", "\"main\"", "Name of the function">];
  let dependentDialects = ["::fp8opt::qt::QTDialect"];
}

def MarkStepPass : Pass<"qt-mark-step", "::mlir::ModuleOp"> {
  let summary = "Writes on the module which step of the walk it has reached";
  let description = [{
    Requires: nothing. Ensures: the module has `qt.step`. Leaves alone: everything else.
  }];
  let options = [Option<"step", "step", "::fp8opt::qt::Step", "::fp8opt::qt::Step::Import", "The step", [{
    ::llvm::cl::values(clEnumValN(::fp8opt::qt::Step::Import, "import", ""),
                       clEnumValN(::fp8opt::qt::Step::Roles, "roles", ""),
                       clEnumValN(::fp8opt::qt::Step::Schemes, "schemes", ""),
                       clEnumValN(::fp8opt::qt::Step::Quantize, "quantize", ""),
                       clEnumValN(::fp8opt::qt::Step::Axes, "axes", ""))
  }]>];
  let dependentDialects = ["::fp8opt::qt::QTDialect"];
}

def InferRolesPass : Pass<"qt-infer-roles", "::mlir::ModuleOp"> {
  let summary = "Finds out what the operands of each contraction are in a training step";
  let description = [{
    Requires: the function is in the form of import: one block, no calls to inline, matrix products as quantizable ops.
    Ensures: every matrix product has `qt.roles`, `qt.gemm`, `qt.half`, `qt.site`, and, where they are known,
    `qt.linear` and `qt.layer`; a contraction that is no matrix product, or has no role, has `qt.kept`.
    Leaves alone: everything else.

    No names are read: three products that pair three values are an fprop, its dgrad and its wgrad
    (docs/Rationale/Roles.md). Where this cannot be told, an error asks for `qt.role` on a function argument, which
    overrides what would be inferred.

    ```mlir
    %y = linalg.contract ins(%x, %w) ...
    ```
    becomes
    ```mlir
    %y = linalg.contract {qt.roles = #qt.roles<activation, weight>, qt.gemm = #qt.gemm<fprop>,
                          qt.half = #qt.half<forward>, qt.site = #qt.site<linear>,
                          qt.linear = #qt.linear<0, argument = 1, sums = [1]>, qt.layer = #qt.layer<0, 0>}
                         ins(%x, %w) ...
    ```
  }];
  let options = [Option<"function", "function", "std::string", "\"main\"", "Name of the function">];
  let statistics = [Statistic<"numProducts", "products", "Products given roles">,
                    Statistic<"numWithout", "without", "Contractions without role">];
  let dependentDialects = ["::fp8opt::qt::QTDialect"];
}

def AssignSchemesPass : Pass<"qt-assign-schemes", "::mlir::ModuleOp"> {
  let summary = "Gives the operands of each contraction the schemes of a recipe, or says why not";
  let description = [{
    Requires: `qt-infer-roles` has run.
    Ensures: every contraction with roles has `qt.schemes` or `qt.kept`, and `qt.dual` where a rule asks for it; the module has
    exactly one `qt.recipe` and a `qt.report` with an entry for each contraction, in program order.
    Leaves alone: everything else.

    With `recipe` a recipe of the library (its name) or of a file (its path) is added to the module first; without it
    the module's own recipe is used. A rule or `qt.keep` by label, position or size that matches nothing is
    reported as a remark.
  }];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "The function to compile">,
    Option<"recipe", "recipe", "std::string", "", "Name of a recipe of the library, or path of a recipe file">,
    Option<"remarks", "remarks", "bool", "true", "Emit a remark for every contraction that stays in high precision">,
  ];
  let statistics = [Statistic<"numQuantized", "quantized", "Contractions given schemes">,
                    Statistic<"numKept", "kept", "Contractions kept in high precision">];
  let dependentDialects = ["::fp8opt::qt::QTDialect"];
}

def MaterializeQuantizationPass : Pass<"qt-materialize-quantization", "::mlir::ModuleOp"> {
  let summary = "Replaces contractions that have schemes by quantizers and products of quantized operands";
  let description = [{
    Requires: `qt-assign-schemes` has run.
    Ensures: a contraction with `qt.schemes` is a `qt.matmul` of two `qt.quantize`, one for each operand, of the
    high-precision value laid contraction-last; a rounding that followed the contraction is the product's own. No
    `qt.roles`, `qt.gemm`, `qt.half`, `qt.site`, `qt.linear`, `qt.layer`, `qt.schemes` or `qt.dual` is left.
    Leaves alone: contractions that are kept, with their `qt.kept`.

    A quantizer reads the narrowest exact source: it looks through widening casts, and moves the views between. With
    `qt.dual` the activation of a wgrad is a `qt.requantize` of what the fprop reads, transposed.

    ```mlir
    %0 = linalg.contract {qt.schemes = #qt.schemes<#mx, #mx>, ...} ins(%a, %b) outs(%zero) -> tensor<256x512xf32>
    ```
    becomes
    ```mlir
    %qa = qt.quantize %a in <forward> : tensor<256x1024xbf16> to !qt.tensor<256x1024xbf16, #mx>
    %qb = qt.quantize %b in <forward> : tensor<512x1024xbf16> to !qt.tensor<512x1024xbf16, #mx>
    %0 = qt.matmul %qa, %qb : ... -> tensor<256x512xf32>
    ```
  }];
  let options = [Option<"function", "function", "std::string", "\"main\"", "The function to compile">];
  let statistics = [Statistic<"numProducts", "products", "Contractions replaced">];
  let dependentDialects = ["::fp8opt::qt::QTDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def MatchOperandAxesPass : Pass<"qt-match-operand-axes", "::mlir::ModuleOp"> {
  let summary = "Plans when each tensor is quantized, and what is kept of it for the backward half";
  let description = [{
    Requires: `qt-materialize-quantization` has run.
    Ensures: no two quantizations of one value in one half of the step have one scheme and layout, and equal transposes
    and requantizations of what is shared are one. Of each tensor's quantizations, which are seen at once, the form is
    chosen that keeps the fewest bytes from the forward to the backward half, and among those the one that moves the fewest
    (docs/Plan.md). The module has a `qt.plan` with every choice, the forms that were rejected, and the sums. What is
    kept is never more than what the high-precision program keeps. Bits never change.
    Leaves alone: quantizations with given scales, and other blocks of the control flow: each is planned by itself.
  }];
  let options = [Option<"function", "function", "std::string", "\"main\"", "The function to compile">];
  let statistics = [Statistic<"numShared", "shared", "Quantizations replaced by an equal one">,
                    Statistic<"numTransposed", "transposed", "Quantizations replaced by a transpose of codes">,
                    Statistic<"numEarly", "early", "Quantizations moved to the forward half">,
                    Statistic<"numRecomputed", "recomputed", "Tensors computed again in the backward half">];
  let dependentDialects = ["::fp8opt::qt::QTDialect"];
}

def HoistQuantizationPass : Pass<"qt-hoist-quantization", "::mlir::ModuleOp"> {
  let summary = "Moves quantizers above what only moves elements";
  let description = [{
    Requires: nothing.
    Ensures: where an op that only moves elements (`ScaleTransparentOp`: transpose, reshape, slice, concatenation,
    broadcast, pad) is read by quantizers and moves whole blocks of theirs, they quantize its operands, and codes and scales
    move instead. Equal quantizers, and equal moves of codes, of one block of the control flow are one. Bits never change, no
    quantizer leaves its half or its block of the control flow, and no more bytes are moved than before: a result that others
    read too is moved twice only if that costs less. A slice is crossed only where the slices of a value that are
    quantized alike leave nothing of it out, or it is quantized as a whole anyway.
    Leaves alone: quantizers with given scales; ops that others than quantizers read, as far as they still do.

    ```mlir
    %c = tensor.concat dim(1) %a, %b : (tensor<8x64xbf16>, tensor<8x32xbf16>) -> tensor<8x96xbf16>
    %q = qt.quantize %c : tensor<8x96xbf16> to !qt.tensor<8x96xbf16, #mx>
    ```
    becomes
    ```mlir
    %qa = qt.quantize %a : tensor<8x64xbf16> to !qt.tensor<8x64xbf16, #mx>
    %qb = qt.quantize %b : tensor<8x32xbf16> to !qt.tensor<8x32xbf16, #mx>
    %q = qt.concat dim(1) %qa, %qb : (...) -> !qt.tensor<8x96xbf16, #mx>
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "The function to compile">,
    Option<"remarks", "remarks", "bool", "true", "Emit a remark for every quantizer that stays below a moving op, and why">,
  ];
  let statistics = [Statistic<"numHoisted", "hoisted", "Times a quantizer moved above an op">,
                    Statistic<"numMerged", "merged", "Ops replaced by an equal one">,
                    Statistic<"numRefused", "refused", "Times a quantizer stayed below an op">];
  let dependentDialects = ["::fp8opt::qt::QTDialect", "::mlir::tensor::TensorDialect"];
}

def VerifyStagePass : Pass<"qt-verify-stage", "::mlir::ModuleOp"> {
  let summary = "Checks what a step of the walk promises to the next one";
  let description = [{
    Requires: the step named by `after` has run on the function.
    Ensures: nothing; emits an error at the first op that breaks a promise, and names the pass that should have run.
    Leaves alone: everything.

    | after    | checked                                                                                              |
    |----------|------------------------------------------------------------------------------------------------------|
    | import   | no call of a function with a body, no private function without use; matrix products in normal form   |
    |          | with an f32 or f64 accumulator; no all-parallel generic that reads its output                        |
    | roles    | every contraction has all of qt.roles, qt.gemm, qt.half and qt.site, or qt.kept, and nothing else has |
    | schemes  | every contraction has exactly one of qt.schemes and qt.kept; one recipe; a report entry for each     |
    | quantize | nothing of role inference and scheme assignment is left but qt.kept; quantized tensors are only on   |
    |          | ops of qt, func, scf and cf                                                                          |
    | axes     | no two equal quantizations of one value in one half                                                  |

    A step's row holds until the step `quantize` replaces what it is about; each row includes those rows above it that
    still hold.
  }];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "The function to check">,
    Option<"after", "after", "::fp8opt::qt::Step", "::fp8opt::qt::Step::Import", "The step that has run", [{
      ::llvm::cl::values(clEnumValN(::fp8opt::qt::Step::Import, "import", "contractions in normal form"),
                         clEnumValN(::fp8opt::qt::Step::Roles, "roles", "roles inferred"),
                         clEnumValN(::fp8opt::qt::Step::Schemes, "schemes", "schemes assigned"),
                         clEnumValN(::fp8opt::qt::Step::Quantize, "quantize", "quantizers explicit"),
                         clEnumValN(::fp8opt::qt::Step::Axes, "axes", "equal quantizations shared"))}]>,
  ];
  let dependentDialects = ["::fp8opt::qt::QTDialect"];
}

#endif // FP8_OPT_DIALECT_QT_TRANSFORMS_PASSES_TD
