// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recipes as data: which scheme an operand of a role gets, and what stays in high precision.

#ifndef FP8_OPT_DIALECT_QT_IR_QTRECIPEOPS_TD
#define FP8_OPT_DIALECT_QT_IR_QTRECIPEOPS_TD

include "fp8-opt/Dialect/QT/IR/QTAttrs.td"
include "mlir/IR/SymbolInterfaces.td"

def QT_RecipeOp : QT_Op<"recipe", [Symbol, NoTerminator, SingleBlock, IsolatedFromAbove, NoRegionArguments]> {
  let summary = "A recipe: rules for operands and exceptions for contractions";
  let description = [{
    An operand of a contraction gets the scheme of the rule for its role; a contraction is quantized if both operands
    have a rule and no `qt.keep` holds it back.

    - C1. The body holds qt.rule and qt.keep only.
    - C2. No two rules are for one role and one product; a rule without product is for all three, and yields to one that
      names a product.
    - C3. All rules of one product have schemes that qt.matmul can pair.

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
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$summary);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name ($summary^)? attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The scheme of an operand with this role in this product, or null.
    ::fp8opt::qt::SchemeAttr getScheme(::fp8opt::qt::Role role, ::fp8opt::qt::Gemm gemm);
  }];
}

def QT_RuleOp : QT_Op<"rule", [HasParent<"RecipeOp">]> {
  let summary = "Gives operands of a role a scheme";
  let description = [{
    Example:
    ```mlir
    qt.rule <activation> in <wgrad> -> #mx
    ```
  }];
  let arguments = (ins QT_RoleAttr:$role, OptionalAttr<QT_GemmAttr>:$gemm, QT_SchemeAttr:$scheme);
  let assemblyFormat = "$role (`in` $gemm^)? `->` $scheme attr-dict";
}

def QT_SitesAttr : TypedArrayAttrBase<QT_SiteAttr, "sites">;

def QT_KeepOp : QT_Op<"keep", [HasParent<"RecipeOp">]> {
  let summary = "Keeps contractions in high precision";
  let description = [{
    Holds back the contractions at one of `sites`, or of a linear layer whose weight's name contains one of `labels`
    (the user's own names, from the signature), or in the `first` or `last` n repeated blocks.

    - C1. Exactly one of the four is given.
    - C2. There is at least one site or label, no label is empty, `first` and `last` are at least 1.

    Example:
    ```mlir
    qt.keep sites [#qt.site<head>, #qt.site<embedding>]
    qt.keep labels ["lm_head"]
    qt.keep last 2
    ```
  }];
  let arguments = (ins OptionalAttr<QT_SitesAttr>:$sites, OptionalAttr<StrArrayAttr>:$labels,
                       OptionalAttr<I64Attr>:$first, OptionalAttr<I64Attr>:$last);
  let assemblyFormat = [{ (`sites` $sites^)? (`labels` $labels^)? (`first` $first^)? (`last` $last^)? attr-dict }];
  let hasVerifier = 1;
}

#endif // FP8_OPT_DIALECT_QT_IR_QTRECIPEOPS_TD
