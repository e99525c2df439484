// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on quantized tensors.

#ifndef FP8_OPT_DIALECT_QT_IR_QTOPS_TD
#define FP8_OPT_DIALECT_QT_IR_QTOPS_TD

include "fp8-opt/Dialect/QT/IR/QTAttrs.td"
include "fp8-opt/Dialect/QT/IR/QTTypes.td"
include "fp8-opt/Dialect/QT/IR/QTInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def QT_Float : AnyTypeOf<[BF16, F16, F32], "bf16, f16 or f32">;
def QT_HighPrecision : RankedTensorOf<[BF16, F16, F32]>;
def QT_AmaxTensor : RankedTensorOf<[F32]>;
def QT_AmaxesAttr : TypedArrayAttrBase<QT_AmaxAttr, "blocks of amaxes">;

def QT_QuantizeOp : QT_Op<"quantize", [Pure, AttrSizedOperandSegments]> {
  let summary = "Quantizes a tensor by the scheme of the result type";
  let description = [{
    For each scale level from the outermost inwards and each block b of it: scale = rule(amax(b)), where amax is the
    largest magnitude of the real elements of the block (0 for an empty one; NaN and infinity as the level says). Then
    code = encode(x * encode factor) for each element, rounded and saturated as the scheme says. With `scales` the
    scales are given, one tensor for each level, instead of derived. With `amax` the largest magnitudes are given for
    the blocks of the outermost level, as qt.amax would compute them; those of an inner level are still computed.

    `half` keeps quantizations of the forward and the backward half of a training step apart, so that sharing never
    keeps codes alive from one to the other.

    - C1. Input and result have one shape; the input's type has no encoding.
    - C2. The element type of the input is the expressed type of the result.
    - C3. There are no given scales, or one tensor for each level, of the level's scales type.
    - C4. The rounding is not stochastic.
    - C5. A given amax has the shape of the outermost level's scales and stands alone, without given scales.

    Example:
    ```mlir
    %q = qt.quantize %x in <forward> : tensor<256x1024xbf16> to !qt.tensor<256x1024xbf16, #mx>
    %r = qt.quantize %x amax(%a : tensor<256x32xf32>) : tensor<256x1024xbf16> to !qt.tensor<256x1024xbf16, #mx>
    ```
  }];
  let arguments = (ins QT_HighPrecision:$input, Variadic<AnyRankedTensor>:$scales, Optional<QT_AmaxTensor>:$amax,
                       OptionalAttr<QT_HalfAttr>:$half);
  let results = (outs QT_TensorType:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input, "::mlir::ValueRange":$scales,
                                 "::fp8opt::qt::HalfAttr":$half), [{
    build($_builder, $_state, result, input, scales, /*amax=*/::mlir::Value(), half);
  }]>];
  let assemblyFormat = [{ $input (`scales` `(` $scales^ `:` type($scales) `)`)? (`amax` `(` $amax^ `:` type($amax) `)`)?
                          (`in` $half^)? attr-dict `:` type($input) `to` qualified(type($result)) }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def QT_MultiQuantizeOp : QT_Op<"multi_quantize", [Pure]> {
  let summary = "Quantizes one tensor in several ways in one pass over it";
  let description = [{
    result i = transpose(quantize(input), permutations[i]): quantized as qt.quantize would by the scheme whose transpose,
    as qt.transpose has it, is the scheme of the result. So the two orientations that a training step reads of one
    value, blocked along its rows and along its columns, are one op with one reader of the value.

    `reads[i]` says which of the amaxes is given for result i, as for qt.quantize, in the layout of the input; -1 is none.
    `half` is that of qt.quantize.

    - C1. There is at least one result, and a permutation of the dimensions for each.
    - C2. Each result has the expressed type and the permuted shape of the input, which has no encoding; its scheme can be
      transposed back (see qt.transpose).
    - C3. The rounding is not stochastic.
    - C4. `reads` has an amax, or -1, for each result; each amax is read, and has the shape of the outermost level's
      scales.

    Example:
    ```mlir
    %q:2 = qt.multi_quantize %x permutations [[0, 1], [1, 0]] in <forward>
             : tensor<256x1024xbf16> to !qt.tensor<256x1024xbf16, #mx>, !qt.tensor<1024x256xbf16, #mx>
    %r:2 = qt.multi_quantize %x permutations [[0, 1], [1, 0]] amax(%a : tensor<f32>) reads [-1, 0]
             : tensor<256x1024xbf16> to !qt.tensor<256x1024xbf16, #mx>, !qt.tensor<1024x256xbf16, #fp8>
    ```
  }];
  let arguments = (ins QT_HighPrecision:$input, Variadic<QT_AmaxTensor>:$amaxes,
                       TypedArrayAttrBase<I64ArrayAttr, "permutations">:$permutations,
                       OptionalAttr<DenseI64ArrayAttr>:$reads, OptionalAttr<QT_HalfAttr>:$half);
  let results = (outs Variadic<QT_TensorType>:$results);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::Value":$input,
                                 "::llvm::ArrayRef<::llvm::SmallVector<int64_t>>":$permutations,
                                 "::fp8opt::qt::HalfAttr":$half)>];
  let assemblyFormat = [{ $input `permutations` $permutations (`amax` `(` $amaxes^ `:` type($amaxes) `)` `reads` $reads)?
                          (`in` $half^)? attr-dict `:` type($input) `to` qualified(type($results)) }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<int64_t> getPermutation(unsigned result);
    /// The type of a result before it is transposed: of the input's shape.
    ::fp8opt::qt::QTensorType getUnpermutedType(unsigned result);
    /// The amax given for a result; null if none is.
    ::mlir::Value getAmax(unsigned result);
    /// The same as a qt.quantize and, where a result is permuted, a qt.transpose for each result; returns the values that
    /// replace the results.
    ::llvm::SmallVector<::mlir::Value> expand(::mlir::OpBuilder &builder);
  }];
}

def QT_AmaxOp : QT_Op<"amax", [Pure]> {
  let summary = "The largest magnitude of each block of a tensor";
  let description = [{
    result[b] = max over the real elements x of block b of |x|, exact, as f32; 0 for a block without elements. An infinity is
    an amax; what a NaN does stands in the attribute. This is the amax that qt.quantize derives its scales from.

    - C1. The result has the shape that the attribute gives for the operand (see #qt.amax), which has no encoding and as
      many dimensions as the block has sizes.

    Example:
    ```mlir
    %whole = qt.amax %x <per tensor> : tensor<256x1000xbf16> -> tensor<f32>
    %rows = qt.amax %x <per block [1, *]> : tensor<256x1000xbf16> -> tensor<256x1xf32>
    ```
  }];
  let arguments = (ins QT_HighPrecision:$input, QT_AmaxAttr:$blocks);
  let results = (outs QT_AmaxTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "::fp8opt::qt::AmaxAttr":$blocks), [{
    auto type = ::llvm::cast<::mlir::RankedTensorType>(input.getType());
    build($_builder, $_state, blocks.getResultType(type.getShape()), input, blocks);
  }]>];
  let assemblyFormat = "$input $blocks attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def QT_DequantizeOp : QT_Op<"dequantize", [Pure]> {
  let summary = "Decodes a quantized tensor";
  let description = [{
    result = round(decode(code) * decode factor), computed in f32 by the scheme's decode formula and rounded once to
    the expressed type. A dequantization of a constant is not folded: its codes are smaller.

    - C1. Operand and result have one shape; the result's type has no encoding.
    - C2. The element type of the result is the expressed type of the operand.

    Example:
    ```mlir
    %x = qt.dequantize %q : !qt.tensor<256x1024xbf16, #mx> to tensor<256x1024xbf16>
    ```
  }];
  let arguments = (ins QT_TensorType:$input);
  let results = (outs QT_HighPrecision:$result);
  let assemblyFormat = "$input attr-dict `:` qualified(type($input)) `to` type($result)";
  let hasVerifier = 1;
}

def QT_RequantizeOp : QT_Op<"requantize", [Pure]> {
  let summary = "Quantizes the numbers of a quantized tensor by another scheme";
  let description = [{
    result = quantize(dequantize(operand)): decoded by the scheme of the operand, rounded to the expressed type, and
    quantized by the scheme of the result. It is one op so that what it costs, and the second rounding, can be seen. There
    is no fold: even by the scheme that the operand has, deriving scales again can give others. Between powers of two
    as scales and within one code format the second rounding changes only numbers that fall below the smallest normal
    number under their new scale.

    `half` is that of qt.quantize.

    - C1. Operand and result have one shape and one expressed type.
    - C2. The rounding is not stochastic.

    Example:
    ```mlir
    %r = qt.requantize %q in <backward> : !qt.tensor<3x2xbf16, #column> to !qt.tensor<3x2xbf16, #mx>
    ```
  }];
  let arguments = (ins QT_TensorType:$input, OptionalAttr<QT_HalfAttr>:$half);
  let results = (outs QT_TensorType:$result);
  let assemblyFormat = [{ $input (`in` $half^)? attr-dict `:` qualified(type($input)) `to` qualified(type($result)) }];
  let hasVerifier = 1;
}

def QT_TransposeOp : QT_Op<"transpose", [Pure, QT_MovesCodes, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Permutes the dimensions of a quantized tensor and the blocks with them";
  let description = [{
    Dimension i of the result is dimension permutation[i] of the operand; codes, scales and blocks move alike, no number
    changes. Transposing never fails; qt.matmul decides whether it can use the result.

    - C1. The permutation is a permutation of the dimensions.
    - C2. A level per tensor keeps its batch dimensions in place: where one exists, only the last two dimensions move.

    Example:
    ```mlir
    %t = qt.transpose %q permutation = [1, 0] : !qt.tensor<2x3xf32, #row> -> !qt.tensor<3x2xf32, #column>
    ```
  }];
  let arguments = (ins QT_TensorType:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs QT_TensorType:$result);
  let assemblyFormat = "$input `permutation` `=` $permutation attr-dict `:` qualified(type($input)) `->` qualified(type($result))";
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The type of a value of this type transposed; an error at `loc` where that is not possible, if there is one.
    static ::llvm::FailureOr<::fp8opt::qt::QTensorType>
    getTransposedType(::fp8opt::qt::QTensorType type, ::llvm::ArrayRef<int64_t> permutation,
                      ::std::optional<::mlir::Location> loc);
  }];
}

def QT_MatmulOp : QT_Op<"matmul", [Pure, DeclareOpInterfaceMethods<QT_AmaxProducer>,
                                    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Multiplies A[batch..., M, K] by B[batch..., N, K]";
  let description = [{
    result[..., m, n] = round(addend[..., m, n] + f * sum over K blocks of s(m, block) * t(n, block) * p(m, n, block)),
    s and t the scales of the left and the right operand, f the product of their tensor-level factors:
    for each K block in order, p is the f32 sum of products of codes in order (multiply, then add), it is multiplied by
    the f32 product of the two block scales and added to an f32 accumulator; then come the tensor-level factors, the
    addend, and one rounding to the result's element type. A K block is the smaller of the operands' blocks along K; a
    scheme without blocks along K has one. Device targets may sum in another order within a derived bound.

    The accumulators of some devices have fewer bits than f32. Where a product is `promoted`, such a device adds each 128 of K for itself, and
    these sums in f32; elsewhere it may leave all of K to them (cuBLASLt calls that fast accumulation). The reference adds in f32 either way.

    With `amax` the op also returns amaxes of its rounded result, each as qt.amax would compute it.

    - C1. Operands have one rank of at least 2, equal batch dimensions and an equal last dimension K.
    - C2. Each operand is blocked along its last dimension, or has one scale for all of it.
    - C3. Of the operands' block sizes along K the larger is a multiple of the smaller.
    - C4. The result has shape [batch..., M, N], element type f32, bf16 or f16 and no encoding; the addend has its shape
      and type f32.
    - C5. There is an amax result for each of the blocks in `amax`, of the shape that they give (see #qt.amax).

    Example:
    ```mlir
    %y = qt.matmul %a, %b : !qt.tensor<256x1024xbf16, #mx>, !qt.tensor<512x1024xbf16, #mx> -> tensor<256x512xbf16>
    %p = qt.matmul %x, %w promoted : !qt.tensor<256x1024xbf16, #fp8>, !qt.tensor<512x1024xbf16, #fp8> -> tensor<256x512xbf16>
    %z, %rows = qt.matmul %a, %b amax [#qt.amax<per block [1, *]>]
      : !qt.tensor<256x1024xbf16, #mx>, !qt.tensor<512x1024xbf16, #mx> -> tensor<256x512xbf16>, tensor<256x1xf32>
    ```
  }];
  let arguments = (ins QT_TensorType:$lhs, QT_TensorType:$rhs, Optional<RankedTensorOf<[F32]>>:$addend,
                       UnitAttr:$promoted, OptionalAttr<QT_AmaxesAttr>:$blocks);
  let results = (outs QT_HighPrecision:$result, Variadic<QT_AmaxTensor>:$amaxes);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                                 "::mlir::Value":$addend, CArg<"bool", "false">:$promoted), [{
    build($_builder, $_state, result, ::mlir::TypeRange(), lhs, rhs, addend, promoted, ::mlir::ArrayAttr());
  }]>];
  let assemblyFormat = [{ $lhs `,` $rhs (`plus` $addend^ `:` type($addend))? (`promoted` $promoted^)? (`amax` $blocks^)? attr-dict
                          `:` qualified(type($lhs)) `,` qualified(type($rhs)) `->` type($result)
                          (`,` type($amaxes)^)? }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getType() { return ::llvm::cast<::mlir::RankedTensorType>(getResult().getType()); }
    /// Whether C3 holds for operands of these types.
    static bool nestAlongK(::fp8opt::qt::QTensorType lhs, ::fp8opt::qt::QTensorType rhs);
  }];
}

def QT_ConstantOp : QT_Op<"constant", [Pure, ConstantLike]> {
  let summary = "A quantized tensor known at compile time";
  let description = [{
    Holds codes and scales, which may be dense resources. What folding makes is dense up to 4 KiB and a resource above
    (docs/Rationale/QT.md).

    - C1. The shape is static.
    - C2. The codes have the codes type of the result, the scales of each level its scales type.
    - C3. A resource that is there has as many bytes as its type.
    - C4. A code uses the low bits of its integer, as many as its format has. This is checked of inline codes.

    Example:
    ```mlir
    %w = qt.constant <dense<[29, 126]> : tensor<2xi8>, [dense<1.0> : tensor<f32>]> : !qt.tensor<2xf32, #fp8>
    ```
  }];
  let arguments = (ins QT_DenseAttr:$value);
  let results = (outs QT_TensorType:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def QT_AssembleOp : QT_Op<"assemble", [Pure]> {
  let summary = "Makes a quantized tensor of codes and scales";
  let description = [{
    With qt.disassemble the only door between quantized tensors and plain ones.

    - C1. The codes have the codes type of the result, the scales of each level its scales type.

    Example:
    ```mlir
    %q = qt.assemble %codes, %scales : tensor<2x3xi8>, tensor<2x1xf32> -> !qt.tensor<2x3xf32, #row>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$codes, Variadic<AnyRankedTensor>:$scales);
  let results = (outs QT_TensorType:$result);
  let assemblyFormat = [{ $codes `,` $scales attr-dict `:` type($codes) `,` type($scales) `->` qualified(type($result)) }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def QT_DisassembleOp : QT_Op<"disassemble", [Pure]> {
  let summary = "Takes a quantized tensor apart into codes and scales";
  let description = [{
    - C1. The first result has the codes type of the operand, the others the scales type of each level.

    Example:
    ```mlir
    %codes, %scales = qt.disassemble %q : !qt.tensor<2x3xf32, #row> -> tensor<2x3xi8>, tensor<2x1xf32>
    ```
  }];
  let arguments = (ins QT_TensorType:$input);
  let results = (outs AnyRankedTensor:$codes, Variadic<AnyRankedTensor>:$scales);
  let assemblyFormat = "$input attr-dict `:` qualified(type($input)) `->` type($codes) `,` type($scales)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

include "fp8-opt/Dialect/QT/IR/QTViewOps.td"
include "fp8-opt/Dialect/QT/IR/QTRecipeOps.td"

#endif // FP8_OPT_DIALECT_QT_IR_QTOPS_TD
