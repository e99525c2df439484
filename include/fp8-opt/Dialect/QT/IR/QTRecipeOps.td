// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recipes as data: which scheme an operand of a role gets, and what stays in high precision.

#ifndef FP8_OPT_DIALECT_QT_IR_QTRECIPEOPS_TD
#define FP8_OPT_DIALECT_QT_IR_QTRECIPEOPS_TD

include "fp8-opt/Dialect/QT/IR/QTAttrs.td"
include "mlir/IR/SymbolInterfaces.td"

def QT_SitesAttr : TypedArrayAttrBase<QT_SiteAttr, "sites">;

/// What narrows a line of a recipe down to some contractions.
defvar QT_conditions = (ins
  OptionalAttr<QT_GemmAttr>:$gemm, OptionalAttr<QT_SitesAttr>:$sites, OptionalAttr<StrArrayAttr>:$labels,
  OptionalAttr<StrArrayAttr>:$except, OptionalAttr<I64Attr>:$first, OptionalAttr<I64Attr>:$last,
  OptionalAttr<DenseI64ArrayAttr>:$sizes);
defvar QT_listOfConditions = "($gemm, $sites, $labels, $except, $first, $last, $sizes)";

def QT_RecipeOp : QT_Op<"recipe", [Symbol, NoTerminator, SingleBlock, IsolatedFromAbove, NoRegionArguments]> {
  let summary = "A recipe: rules for operands and exceptions for contractions";
  let description = [{
    An operand of a contraction gets the scheme of the last rule that selects it; a contraction is quantized if both
    operands have a rule and no `qt.keep` holds it back, and is promoted if a `qt.promote` is for it. All of these have the same
    conditions, in any order, of which all that are given must hold:

    | condition | holds for |
    |---|---|
    | `in <wgrad>` | this product of a linear layer |
    | `sites [#qt.site<head>]` | contractions at one of these places of a model |
    | `labels ["q_proj"]` | a layer whose weight's name contains one of the texts (the user's own names, from the signature); a weight that is a concatenation has the names of all its parts |
    | `except ["down_proj"]` | all but a layer whose weight's name contains one of the texts |
    | `first 2`, `last 2` | layers in the first or last n repeated blocks |
    | `sizes [?, 4096, 1024]` | contractions with these m, n and k; `?` is any |

    With `cast_source <fp32_unrounded>` an operand that is an f32 number rounded to bf16 or f16, and that nothing but
    quantized contractions reads, is quantized from the f32 number: the rounding is not computed. By default
    (`rounded`) it stays.

    - C1. The body holds qt.rule, qt.keep and qt.promote only.
    - C2. No rule is hidden by a later one that selects all that it selects, or by a keep that holds back all of its contractions.
    - C3. The rules without conditions but a product have, in each product, schemes that qt.matmul can pair. Of the
      others this is checked when a contraction gets them.

    Example:
    ```mlir
    qt.recipe @mxfp8 "E4M3 codes under E8M0 scales for 32 elements" {
      qt.rule <activation> -> #mx
      qt.rule <weight> -> #mx
      qt.rule <gradient> -> #mx
      qt.keep sites [#qt.site<head>, #qt.site<embedding>, #qt.site<score>, #qt.site<value>]
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$summary, OptionalAttr<QT_CastSourceAttr>:$cast_source);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name ($summary^)? (`cast_source` $cast_source^)? attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def QT_RuleOp : QT_Op<"rule", [HasParent<"RecipeOp">]> {
  let summary = "Gives operands of a role a scheme";
  let description = [{
    Written `qt.rule <role> (lhs | rhs)? CONDITIONS dual? -> SCHEME`. Selects the operands of a role, only the left or the right one if `lhs` or `rhs` is there, of contractions for which
    the conditions hold (see qt.recipe).

    With `dual` the activation of a wgrad is requantized from what the fprop of its layer reads, as if only its codes had
    been kept: transposed, and qt.requantize to this scheme. Where that fprop is not quantized, and without `dual`, it
    is quantized from high precision.

    - C1. Not both `lhs` and `rhs`.
    - C2. The conditions are well formed: there is at least one site or text, no text is empty, `first` and `last` are at
      least 1 and not both there, `sizes` are three, no text of `labels` contains one of `except`.
    - C3. A block of the scheme has more than one element along the last dimension, which is contracted.
    - C4. `dual` is for activations in wgrad.
    - C5. An operand of the product can have the role: not a weight in wgrad, nor a gradient in fprop.

    Example:
    ```mlir
    qt.rule <activation> in <wgrad> -> #mx
    qt.rule <activation> rhs sites [#qt.site<score>] -> #mx
    qt.rule <weight> labels ["gate_proj", "up_proj"] first 2 -> #fp8
    qt.rule <weight> in <fprop> sizes [?, 4096, 1024] -> #fp8
    qt.rule <activation> in <wgrad> last 4 dual -> #mx
    ```
  }];
  let arguments = !con((ins QT_RoleAttr:$role, UnitAttr:$lhs, UnitAttr:$rhs), QT_conditions,
                       (ins UnitAttr:$dual, QT_SchemeAttr:$scheme));
  let assemblyFormat = !strconcat("$role (`lhs` $lhs^)? (`rhs` $rhs^)? `` custom<Conditions>", QT_listOfConditions,
                                  " `` custom<SchemeOfRule>($dual, $scheme) attr-dict");
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::fp8opt::qt::Conditions getConditions();
    /// Whether it selects this operand, where its conditions hold.
    bool isFor(::fp8opt::qt::Role role, bool isRhs);
    /// Whether it selects all operands that the other does.
    bool covers(::fp8opt::qt::RuleOp other);
    /// Checks that qt.matmul can pair what this rule and the other give the two operands of a product, of which
    /// `contraction` is one.
    ::llvm::LogicalResult verifyPair(::fp8opt::qt::RuleOp other, ::fp8opt::qt::Gemm gemm,
                                     ::mlir::Operation *contraction = nullptr);
  }];
}

def QT_KeepOp : QT_Op<"keep", [HasParent<"RecipeOp">]> {
  let summary = "Keeps contractions in high precision";
  let description = [{
    Written `qt.keep CONDITIONS`. Holds back the contractions for which the conditions hold (see qt.recipe).

    - C1. At least one condition is given.
    - C2. The conditions are well formed, as those of qt.rule.

    Example:
    ```mlir
    qt.keep sites [#qt.site<head>, #qt.site<embedding>]
    qt.keep labels ["lm_head"]
    qt.keep last 2
    qt.keep in <wgrad>
    ```
  }];
  let arguments = QT_conditions;
  let assemblyFormat = !strconcat("`` custom<LastConditions>", QT_listOfConditions, " attr-dict");
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::fp8opt::qt::Conditions getConditions();
  }];
}

def QT_PromoteOp : QT_Op<"promote", [HasParent<"RecipeOp">]> {
  let summary = "Adds the sums of quantized contractions in f32 every 128 elements";
  let description = [{
    Written `qt.promote CONDITIONS`. The products of quantized contractions for which the conditions hold (see qt.recipe) are `promoted`, as
    qt.matmul says: no more than 128 elements of what is summed are left to accumulators of fewer bits than f32 (Transformer Engine and cuBLASLt: no fast
    accumulation, a split accumulator). Under scales for each 128 elements all are, without this line; where instructions add in
    f32 it changes nothing.

    - C1. The conditions are well formed, as those of qt.rule.

    Example:
    ```mlir
    qt.promote in <dgrad>
    qt.promote in <wgrad> labels ["down_proj"]
    ```
  }];
  let arguments = QT_conditions;
  let assemblyFormat = !strconcat("`` custom<LastConditions>", QT_listOfConditions, " attr-dict");
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::fp8opt::qt::Conditions getConditions();
  }];
}

#endif // FP8_OPT_DIALECT_QT_IR_QTRECIPEOPS_TD
