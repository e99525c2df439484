// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes that a module carries along: the step it has reached, its names, and what became of its contractions.

#ifndef FP8_OPT_DIALECT_QT_IR_QTREPORTATTRS_TD
#define FP8_OPT_DIALECT_QT_IR_QTREPORTATTRS_TD

include "fp8-opt/Dialect/QT/IR/QTBase.td"

def QT_Step : QT_Enum<"Step", "the steps of the walk of a graph", [
  I32EnumCase<"Import", 0, "import">, I32EnumCase<"Roles", 1, "roles">, I32EnumCase<"Schemes", 2, "schemes">,
  I32EnumCase<"Quantize", 3, "quantize">, I32EnumCase<"Axes", 4, "axes">, I32EnumCase<"Fuse", 5, "fuse">,
  I32EnumCase<"Kernels", 6, "kernels">, I32EnumCase<"Schedule", 7, "schedule">, I32EnumCase<"Expand", 8, "expand">]>;
def QT_StepAttr : QT_EnumAttr<QT_Step, "step">;

def QT_ValueKind : QT_Enum<"ValueKind", "what an argument of the program is", [
  I32EnumCase<"Unknown", 0, "unknown">, I32EnumCase<"Parameter", 1, "parameter">, I32EnumCase<"Buffer", 2, "buffer">,
  I32EnumCase<"Input", 3, "input">]>;
def QT_NamedValueAttr : QT_Attr<"NamedValue", "value"> {
  let summary = "the name and kind of an argument or result of the program";
  let description = [{
    Example:
    ```mlir
    #w = #qt.value<"layers.0.attention.wq.weight", parameter>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name, EnumParameter<QT_ValueKind>:$kind);
  let assemblyFormat = "`<` $name `,` custom<Word>($kind) `>`";
}
def QT_SignatureAttr : QT_Attr<"Signature", "signature"> {
  let summary = "the names of the arguments and results of the program, in order";
  let description = [{
    Example:
    ```mlir
    #s = #qt.signature<arguments = [#qt.value<"w", parameter>, #qt.value<"tokens", input>] results = [#qt.value<"loss", unknown>]>
    ```
  }];
  let parameters = (ins OptionalArrayRefParameter<"::fp8opt::qt::NamedValueAttr">:$arguments,
                        OptionalArrayRefParameter<"::fp8opt::qt::NamedValueAttr">:$results);
  let assemblyFormat = "`<` (`arguments` `=` `[` $arguments^ `]`)? (` ` `results` `=` `[` $results^ `]`)? `>`";
}

def QT_EntryAttr : QT_Attr<"Entry", "entry"> {
  let summary = "what became of one contraction";
  let description = [{
    `sizes` are the batch, m, n and k extents (-1 is dynamic), each the product of its dimensions. Exactly one of
    `schemes` and `kept` is present. `label` is the name of the weight, absent where there is none. `given` is present where
    an operand came as codes and scales.

    - C1. There are four sizes, each at least -1.
    - C2. Exactly one of `schemes` and `kept` is present.

    Example:
    ```mlir
    #entry = #qt.entry<location = loc("model.py":7:3), sizes = [1, 5, 7, 3], label = "w", roles = <activation, weight>,
                       gemm = <fprop>, kept = <label, "w">>
    ```
  }];
  let parameters = (ins "::mlir::LocationAttr":$location, ArrayRefParameter<"int64_t">:$sizes,
    OptionalParameter<"::mlir::StringAttr">:$label,
    OptionalParameter<"::fp8opt::qt::RolesAttr">:$roles, OptionalParameter<"::fp8opt::qt::GemmAttr">:$gemm,
    OptionalParameter<"::fp8opt::qt::HalfAttr">:$half, OptionalParameter<"::fp8opt::qt::SiteAttr">:$site,
    OptionalParameter<"::fp8opt::qt::LinearAttr">:$linear, OptionalParameter<"::fp8opt::qt::LayerAttr">:$layer,
    OptionalParameter<"::fp8opt::qt::SchemesAttr">:$schemes, OptionalParameter<"::fp8opt::qt::KeptAttr">:$kept,
    OptionalParameter<"::fp8opt::qt::GivenAttr">:$given);
  let assemblyFormat = [{ `<` struct($location, custom<Sizes>($sizes), $label, $roles, $gemm, $half, $site,
                          $linear, $layer, $schemes, $kept, $given) `>` }];
  let genVerifyDecl = 1;
}
def QT_ReportAttr : QT_Attr<"Report", "report"> {
  let summary = "what became of every contraction of the program, in program order";
  let description = [{
    `recipe` is the symbol name of the recipe.

    Example:
    ```mlir
    #kept = #qt.entry<location = loc("model.py":7:3), sizes = [1, 5, 7, 3], kept = <no_role, "no loss is returned">>
    #report = #qt.report<"mxfp8", [#kept]>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$recipe, OptionalArrayRefParameter<"::fp8opt::qt::EntryAttr">:$entries);
  let assemblyFormat = "`<` $recipe (`,` `[` $entries^ `]`)? `>`";
}

#endif // FP8_OPT_DIALECT_QT_IR_QTREPORTATTRS_TD
