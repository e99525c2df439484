// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes: what an operand is, how it is quantized, and why it is not.

#ifndef FP8_OPT_DIALECT_QT_IR_QTATTRS_TD
#define FP8_OPT_DIALECT_QT_IR_QTATTRS_TD

include "fp8-opt/Dialect/QT/IR/QTBase.td"

// What an operand or a contraction is.

def QT_Role : QT_Enum<"Role", "what an operand of a matrix product is in the training step", [
  I32EnumCase<"Activation", 0, "activation">, I32EnumCase<"Weight", 1, "weight">,
  I32EnumCase<"Gradient", 2, "gradient">]>;
def QT_RoleAttr : QT_EnumAttr<QT_Role, "role">;

def QT_Gemm : QT_Enum<"Gemm", "which of the three products of a linear layer this is", [
  I32EnumCase<"Fprop", 0, "fprop">, I32EnumCase<"Dgrad", 1, "dgrad">, I32EnumCase<"Wgrad", 2, "wgrad">]>;
def QT_GemmAttr : QT_EnumAttr<QT_Gemm, "gemm">;

def QT_Half : QT_Enum<"Half", "whether the loss depends on it (forward) or not (backward, also recomputed)", [
  I32EnumCase<"Forward", 0, "forward">, I32EnumCase<"Backward", 1, "backward">]>;
def QT_HalfAttr : QT_EnumAttr<QT_Half, "half">;

def QT_Site : QT_Enum<"Site", "where in a model a contraction stands", [
  I32EnumCase<"Linear", 0, "linear">, I32EnumCase<"Head", 1, "head">, I32EnumCase<"Embedding", 2, "embedding">,
  I32EnumCase<"Score", 3, "score">, I32EnumCase<"Value", 4, "value">, I32EnumCase<"Router", 5, "router">,
  I32EnumCase<"Dispatch", 6, "dispatch">, I32EnumCase<"Other", 7, "other">]>;
def QT_SiteAttr : QT_EnumAttr<QT_Site, "site">;

def QT_RolesAttr : QT_Attr<"Roles", "roles"> {
  let summary = "the roles of the two operands of a contraction";
  let description = [{
    Example:
    ```mlir
    #roles = #qt.roles<activation, weight>
    ```
  }];
  let parameters = (ins EnumParameter<QT_Role>:$lhs, EnumParameter<QT_Role>:$rhs);
  let assemblyFormat = "`<` custom<Word>($lhs) `,` custom<Word>($rhs) `>`";
}

def QT_LinearAttr : QT_Attr<"Linear", "linear"> {
  let summary = "which linear layer a product belongs to";
  let description = [{
    All products with one `id` are the fprop (also recomputed, also of a shared weight), dgrad and wgrad of one linear
    layer. `argument` is the function argument that holds the weight, `sums` the axes of that argument that the fprop
    sums over; both are absent where no operand is a weight. `parts` are the arguments that a weight is joined of, where
    it is a concatenation, in its order, or those of two dimensions or more that it is computed from.

    - C1. `id` and `argument` are at least 0; the axes are at least 0, each once, and stand only beside an argument.
    - C2. The parts are at least 0, each once, and never stand beside an argument.

    Example:
    ```mlir
    #linear = #qt.linear<3, argument = 1, sums = [0]>
    ```
  }];
  let parameters = (ins "int64_t":$id, DefaultValuedParameter<"int64_t", "-1">:$argument,
                        OptionalArrayRefParameter<"int64_t">:$sums,
                        OptionalArrayRefParameter<"int64_t">:$parts);
  let genVerifyDecl = 1;
  let assemblyFormat = "`<` $id `` custom<LinearWeight>($argument, $sums, $parts) `>`";
}

def QT_LayerAttr : QT_Attr<"Layer", "layer"> {
  let summary = "the position of a linear layer: which repeated block of the model, and which place in it";
  let description = [{
    `index` counts the repeated blocks of the model, `place` the linear layers within one; both start at 0.

    Example:
    ```mlir
    #layer = #qt.layer<3, 1>
    ```
  }];
  let parameters = (ins "int64_t":$index, "int64_t":$place);
  let assemblyFormat = "`<` $index `,` $place `>`";
}

// How an operand is quantized.

def QT_ScaleAttr : QT_Attr<"Scale", "scale"> {
  let summary = "one set of scales of a scheme";
  let description = [{
    Syntax: `#qt.scale<type per tensor by rule, option = value, ...>` or
    `#qt.scale<type per block [1, 32] by rule, ...>`. A block is right-aligned with the dimensions of the tensor; missing
    leading dimensions are 1, `*` is a whole dimension. `per tensor` on an operand with batch dimensions is one scale
    for each batch slice. The options `floor`, `zero`, `inf`, `nan`, `overflow`, `stored` and `apply` are printed
    where they differ from the rule's default (docs/Spec.md, section scale).

    A block has one spelling, whatever tensor it is for: two sizes or more, of which the first is 1 only if there are just
    two. So `[32]` and `[1, 1, 32]` are `[1, 32]`.

    - C1. Block sizes are at least 1, or `*`; there is at least one.
    - C2. `floor` is finite and at least 0.

    Example:
    ```mlir
    #byte = #qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>
    #raised = #qt.scale<f32 per block [1, 128] by fdiv, floor = 1.0e-04>
    ```
  }];
  let parameters = (ins "::fp8opt::numerics::ScaleLevel":$level);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
  let builders = [AttrBuilder<(ins "::fp8opt::numerics::ScaleLevel":$level), [{
    return $_get($_ctxt, oneSpelling(std::move(level)));
  }]>];
  let extraClassDeclaration = [{
    /// The level with its block, and a floor of zero, spelled the one way that equal levels share.
    static ::fp8opt::numerics::ScaleLevel oneSpelling(::fp8opt::numerics::ScaleLevel level);
  }];
}

def QT_AmaxAttr : QT_Attr<"Amax", "amax"> {
  let summary = "of which elements an amax is the largest magnitude";
  let description = [{
    The block that shares an amax, spelled and aligned as in `#qt.scale`, and what a NaN does: with `nan = ignore` it
    is left out, else it makes the amax NaN. The amax of a tensor has the shape of the scales of such a block:
    ceildiv(dimension, block), without the last two dimensions per tensor.

    - C1. Block sizes are at least 1, or `*`.

    Example:
    ```mlir
    #whole = #qt.amax<per tensor>
    #blocks = #qt.amax<per block [1, 128], nan = ignore>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$block, "::fp8opt::numerics::NanAmax":$nan);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
  let builders = [AttrBuilder<(ins "::llvm::ArrayRef<int64_t>":$block, "::fp8opt::numerics::NanAmax":$nan), [{
    return $_get($_ctxt, oneSpelling(block), nan);
  }]>];
  let extraClassDeclaration = [{
    /// The block spelled the one way that equal blocks share; -1 is a whole dimension.
    static ::llvm::SmallVector<int64_t> oneSpelling(::llvm::ArrayRef<int64_t> block);
    /// The same of a block that has a size for each dimension, where ShapedType::kDynamic is a whole one: per tensor
    /// if that is what it is.
    static AmaxAttr getFull(::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> block,
                            ::fp8opt::numerics::NanAmax nan);
    /// The block with `rank` sizes; ShapedType::kDynamic is a whole dimension.
    ::llvm::SmallVector<int64_t> getFullBlock(int64_t rank) const;
    /// The amax of a tensor of this shape.
    ::mlir::RankedTensorType getResultType(::llvm::ArrayRef<int64_t> shape) const;
  }];
}

def QT_SchemeAttr : QT_Attr<"Scheme", "scheme"> {
  let summary = "everything that decides the bits of a quantized tensor";
  let description = [{
    A code format, and one or two scale levels from the smallest block outwards; then `rounding`, `overflow` and `nan`
    where they differ from nearest_even, saturate and max.

    - C1. Numerics can compute it (docs/Spec.md, section scheme).

    Example:
    ```mlir
    #mxfp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
    #nvfp4 = #qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>
    ```
  }];
  let parameters = (ins "::fp8opt::numerics::FormatId":$code, ArrayRefParameter<"::fp8opt::qt::ScaleAttr">:$scales,
                        "::fp8opt::numerics::Rounding":$rounding, "::fp8opt::numerics::Overflow":$overflow,
                        "::fp8opt::numerics::NanCode":$nan);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What amax the scales of a level are made from.
    AmaxAttr getAmax(unsigned level) const;
    /// The same scheme as Numerics reads it.
    ::fp8opt::numerics::Scheme getNumerics() const;
    static SchemeAttr get(::mlir::MLIRContext *context, const ::fp8opt::numerics::Scheme &scheme);
  }];
}

def QT_SchemesAttr : QT_Attr<"Schemes", "schemes"> {
  let summary = "the schemes of the two operands of a contraction that will be quantized";
  let description = [{
    Example:
    ```mlir
    #e4m3 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
    #e5m2 = #qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>
    #schemes = #qt.schemes<#e5m2, #e4m3>
    ```
  }];
  let parameters = (ins "::fp8opt::qt::SchemeAttr":$lhs, "::fp8opt::qt::SchemeAttr":$rhs);
  let assemblyFormat = "`<` $lhs `,` $rhs `>`";
}

def QT_CastSource : QT_Enum<"CastSource", "which numbers a quantizer reads where a rounding comes before it", [
  I32EnumCase<"Rounded", 0, "rounded">, I32EnumCase<"Fp32Unrounded", 1, "fp32_unrounded">]>;
def QT_CastSourceAttr : QT_EnumAttr<QT_CastSource, "cast_source">;

// What the graph has quantized before the compiler came.

def QT_Decoded : QT_Enum<"Decoded", "whether an operand was codes and scales in the graph, and how it was decoded there", [
  I32EnumCase<"Not", 0, "not">, I32EnumCase<"Exact", 1, "exact">, I32EnumCase<"Rounded", 2, "rounded">,
  I32EnumCase<"Refused", 3, "refused">]>;
def QT_GivenAttr : QT_Attr<"Given", "given"> {
  let summary = "which operands of a contraction came as codes and scales";
  let description = [{
    For each operand: `not`: it came in high precision; `exact`: as codes and scales, and qt.dequantize gives the bits of
    the graph's own decoding; `rounded`: the graph's decoding rounds more often or divides, so that the two may differ by
    a last bit; `refused`: the graph decodes codes, in a way that no scheme has, and the operand stays as it was. `detail`
    says why, or is empty.

    Example:
    ```mlir
    #given = #qt.given<exact, refused, "it has a scale for each element along K">
    ```
  }];
  let parameters = (ins EnumParameter<QT_Decoded>:$lhs, EnumParameter<QT_Decoded>:$rhs, OptionalParameter<"::mlir::StringAttr">:$detail);
  let assemblyFormat = "`<` custom<Word>($lhs) `,` custom<Word>($rhs) (`,` $detail^)? `>`";
  let extraClassDeclaration = [{
    /// Whether this operand is the qt.dequantize of codes and scales of the graph.
    bool holds(bool isRhs) const {
      Decoded operand = isRhs ? getRhs() : getLhs();
      return operand == Decoded::Exact || operand == Decoded::Rounded;
    }
  }];
}

// Why a contraction is not quantized.

def QT_KeptBy : QT_Enum<"KeptBy", "what keeps a contraction in high precision", [
  I32EnumCase<"NoProduct", 0, "no_product">, I32EnumCase<"ElementType", 1, "element_type">,
  I32EnumCase<"NoRole", 2, "no_role">, I32EnumCase<"NoRule", 3, "no_rule">, I32EnumCase<"Site", 4, "site">,
  I32EnumCase<"Label", 5, "label">, I32EnumCase<"Position", 6, "position">, I32EnumCase<"Product", 7, "product">,
  I32EnumCase<"Size", 8, "size">, I32EnumCase<"Given", 9, "given">, I32EnumCase<"Body", 10, "body">]>;
def QT_KeptAttr : QT_Attr<"Kept", "kept"> {
  let summary = "why a contraction stays in high precision";
  let description = [{
    `by` is the kind of reason, `detail` the text for people. `no_product`: no m, n or k dimension, or a contraction of
    another form, such as a convolution; `body`: it has m, n and k, but adds something else than products of two operands;
    `element_type`: no scheme reads this type; `no_role`: roles could not be inferred; `no_rule`, `site`, `label`,
    `position`, `product`, `size`: the recipe asks for it; `given`: the scales that the graph brings for one operand cannot
    meet the scheme of the other.

    Example:
    ```mlir
    #kept = #qt.kept<site, "head">
    ```
  }];
  let parameters = (ins EnumParameter<QT_KeptBy>:$by, "::mlir::StringAttr":$detail);
  let assemblyFormat = "`<` custom<Word>($by) `,` $detail `>`";
}

// What a module carries along; all attributes are one list.

include "fp8-opt/Dialect/QT/IR/QTReportAttrs.td"
include "fp8-opt/Dialect/QT/IR/QTPlanAttrs.td"

// What a constant holds.

def QT_DenseAttr : QT_Attr<"Dense", "dense"> {
  let summary = "codes and scales of a constant";
  let description = [{
    `codes` are integers, one for each element, `scales` one tensor for each scale level. Nothing reads or writes codes as
    decimal numbers: upstream parses `dense<1000.0> : tensor<1xf8E4M3FN>` as NaN.

    - C1. The codes and all scales are ranked tensors, and there are scales of at least one level.

    Example:
    ```mlir
    #dense = #qt.dense<dense<[56, 126]> : tensor<2xi8>, [dense<1.0> : tensor<f32>]>
    ```
  }];
  let parameters = (ins "::mlir::ElementsAttr":$codes, ArrayRefParameter<"::mlir::ElementsAttr">:$scales);
  let assemblyFormat = "`<` $codes `,` `[` $scales `]` `>`";
  let genVerifyDecl = 1;
}

#endif // FP8_OPT_DIALECT_QT_IR_QTATTRS_TD
