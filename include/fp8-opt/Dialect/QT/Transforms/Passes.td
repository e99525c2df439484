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
                       clEnumValN(::fp8opt::qt::Step::Axes, "axes", ""),
                       clEnumValN(::fp8opt::qt::Step::Fuse, "fuse", ""),
                       clEnumValN(::fp8opt::qt::Step::Kernels, "kernels", ""),
                       clEnumValN(::fp8opt::qt::Step::Schedule, "schedule", ""),
                       clEnumValN(::fp8opt::qt::Step::Expand, "expand", ""))
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
    Ensures: every contraction with roles has `qt.schemes` or `qt.kept`, `qt.dual` and `qt.promoted` where a rule or qt.promote asks for it; the module has
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
    `qt.roles`, `qt.gemm`, `qt.half`, `qt.site`, `qt.linear`, `qt.layer`, `qt.schemes`, `qt.dual` or `qt.promoted` is left; what
    had `qt.promoted` is promoted.
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

def MergeQuantizersPass : Pass<"qt-merge-quantizers", "::mlir::ModuleOp"> {
  let summary = "Makes one op of several quantizations of one tensor, so that one pass over it makes all of them";
  let description = [{
    Requires: `qt-match-operand-axes` has run.
    Ensures: quantizations of one tensor, and of its transposes, in one half of the step and one block of the control flow,
    are one `qt.multi_quantize` at the place of the first. Transposes of their codes, and of those of a single quantizer, are
    results of it too: a quantizer writes codes in any order of the dimensions. Bits never change.
    Leaves alone: quantizers with given scales or a given amax; those whose scales per tensor are for batch slices in another
    order of dimensions, with a remark; codes that are transposed behind the border of the halves. Where those are read
    in no other way before it than transposed too, they are transposed from what is made there.

    ```mlir
    %q = qt.quantize %x in <forward> : tensor<256x1024xbf16> to !qt.tensor<256x1024xbf16, #mx>
    %t = linalg.transpose ins(%x : ...) outs(...) permutation = [1, 0]
    %r = qt.quantize %t in <forward> : tensor<1024x256xbf16> to !qt.tensor<1024x256xbf16, #mx>
    ```
    becomes
    ```mlir
    %q:2 = qt.multi_quantize %x permutations [[0, 1], [1, 0]] in <forward>
             : tensor<256x1024xbf16> to !qt.tensor<256x1024xbf16, #mx>, !qt.tensor<1024x256xbf16, #mx>
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "The function to compile">,
    Option<"remarks", "remarks", "bool", "true", "Emit a remark for every quantizer that is not merged">,
  ];
  let statistics = [Statistic<"numMerged", "merged", "Quantizations made one op with others">];
  let dependentDialects = ["::fp8opt::qt::QTDialect"];
}

def FuseAmaxPass : Pass<"qt-fuse-amax", "::mlir::ModuleOp"> {
  let summary = "Lets the op that computes a tensor return its amax, so that quantizing reads the tensor once";
  let description = [{
    Requires: `qt-merge-quantizers` has run, else a tensor may be asked for one amax several times.
    Ensures: a quantizer that would read its input once more for an amax (per tensor, whole rows) is given it by the op that
    computes the input, if that op is an `AmaxProducer` and can; so is a `qt.amax`. It is looked for through `linalg.transpose`, `tensor.expand_shape`,
    `tensor.collapse_shape` and `tensor.cast`, and through `tensor.reshape` if one amax is for the whole tensor. The amax is of the numbers as they are stored. That of a `tensor.concat` is made of those of its parts, where one of them is
    returned and no block lies in two. An amax that no op returns is computed once, by a `qt.amax`, for all quantizers
    in one block of the control flow that read it, if they are several. Bits never change.
    Leaves alone: quantizers with blocks of fixed size, whose elements are still at hand when their amax is known; with
    `blocks` those too are given one. What is left gets a remark that says why, one for each tensor.

    For a large block the producer returns one amax for each run of innermost elements, so that its outer loops stay
    parallel, and a `qt.amax` of these completes it.

    ```mlir
    %y = linalg.generic ... -> tensor<256x1024xbf16>
    %q = qt.quantize %y : tensor<256x1024xbf16> to !qt.tensor<256x1024xbf16, #fp8>
    ```
    becomes
    ```mlir
    %y:2 = linalg.generic ... -> (tensor<256x1024xbf16>, tensor<256x1xf32>)
    %a = qt.amax %y#1 <per block [*, 1]> : tensor<256x1xf32> -> tensor<1x1xf32>
    %c = tensor.collapse_shape %a [] : tensor<1x1xf32> into tensor<f32>
    %q = qt.quantize %y#0 amax(%c : tensor<f32>) : tensor<256x1024xbf16> to !qt.tensor<256x1024xbf16, #fp8>
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "The function to compile">,
    Option<"blocks", "blocks", "bool", "false", "Also give amaxes of blocks of fixed size">,
    Option<"remarks", "remarks", "bool", "true", "Emit a remark for every amax that is not fused">,
  ];
  let statistics = [Statistic<"numFused", "fused", "Amaxes that a producer returns">,
                    Statistic<"numShared", "shared", "Amaxes without producer computed once for several quantizers">];
  let dependentDialects = ["::fp8opt::qt::QTDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def CountTrafficPass : Pass<"qt-count-traffic", "::mlir::ModuleOp"> {
  let summary = "Counts how often each tensor that is quantized goes through memory for it";
  let description = [{
    Requires: `qt-materialize-quantization` has run.
    Ensures: the module has a `qt.traffic`. The first time the pass runs on a module it counts what stands there as `before`,
    each further time what has become of it as `after`.
    Leaves alone: everything else.

    A quantizer reads its input once, and once more for an amax per tensor or of whole rows that is not given; it writes codes
    and scales. A `qt.multi_quantize` reads once for all its results. An amax is written once and read by each that is given
    it; a `qt.amax` reads what it is of. A `qt.transpose` and a `qt.requantize` read and write codes. What only moves elements
    of what is quantized costs nothing, and makes no tensor of its own: a pass over a concatenation is one over each part,
    which has its share of the bytes. Tensors are told apart by location and number of result, or number of argument.
  }];
  let options = [Option<"function", "function", "std::string", "\"main\"", "The function to compile">];
  let dependentDialects = ["::fp8opt::qt::QTDialect"];
}

def VerifyStagePass : Pass<"qt-verify-stage", "::mlir::ModuleOp"> {
  let summary = "Checks what a step of the walk promises to the next one";
  let description = [{
    Requires: the step named by `after` has run on the function.
    Ensures: nothing; emits an error at the first op that breaks a promise, and names the pass that should have run.
    Leaves alone: everything.

    What the step may have changed is valid, by the ops' own verifiers: a pass manager that runs this pass after each step
    need not verify after every pass. After import, and from fuse on, all ops of the module are verified; after roles
    and schemes, which change nothing but attributes, the attributes and the recipe; else the function.

    | after    | checked                                                                                              |
    |----------|------------------------------------------------------------------------------------------------------|
    | import   | no call of a function with a body, no private function without use; matrix products in normal form   |
    |          | with an f32 or f64 accumulator; no all-parallel generic that reads its output                        |
    | roles    | every contraction has all of qt.roles, qt.gemm, qt.half and qt.site, or qt.kept, and nothing else has |
    | schemes  | every contraction has exactly one of qt.schemes and qt.kept; one recipe; a report entry for each     |
    | quantize | nothing of role inference and scheme assignment is left but qt.kept; quantized tensors are only on   |
    |          | ops of qt, func, scf and cf                                                                          |
    | axes     | no two equal quantizations of one value in one half                                                  |
    | fuse     | no two quantizers of one tensor in one half that could be one op; no qt.amax, and no quantizer that  |
    |          | reads its input once more for an amax, where the op that computes the input could return it          |
    | kernels  | the module has qtile.shares                                                                          |
    | schedule | every kernel of a product has a schedule                                                             |
    | expand   | no kernel has a product, quantizer or amax as one op                                                 |

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
                         clEnumValN(::fp8opt::qt::Step::Axes, "axes", "equal quantizations shared"),
                         clEnumValN(::fp8opt::qt::Step::Fuse, "fuse", "quantizers merged, amaxes fused"),
                         clEnumValN(::fp8opt::qt::Step::Kernels, "kernels", "products and quantizers given to kernels"),
                         clEnumValN(::fp8opt::qt::Step::Schedule, "schedule", "schedules chosen"),
                         clEnumValN(::fp8opt::qt::Step::Expand, "expand", "roles and threads written"))}]>,
  ];
  let dependentDialects = ["::fp8opt::qt::QTDialect"];
}

#endif // FP8_OPT_DIALECT_QT_TRANSFORMS_PASSES_TD
