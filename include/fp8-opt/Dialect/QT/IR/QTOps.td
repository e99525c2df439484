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

def QT_QuantizeOp : QT_Op<"quantize", [Pure]> {
  let summary = "Quantizes a tensor by the scheme of the result type";
  let description = [{
    For each scale level from the outermost inwards and each block b of it: scale = rule(amax(b)), where amax is the
    largest magnitude of the real elements of the block (0 for an empty one; NaN and infinity as the level says). Then
    code = encode(x * encode factor) for each element, rounded and saturated as the scheme says. With `scales` the
    scales are given, one tensor for each level, instead of derived.

    `half` keeps quantizations of the forward and the backward half of a training step apart, so that sharing never
    keeps codes alive from one to the other.

    - C1. Input and result have one shape; the input's type has no encoding.
    - C2. The element type of the input is the expressed type of the result.
    - C3. There are no given scales, or one tensor for each level, of the level's scales type.
    - C4. The rounding is not stochastic.

    Example:
    ```mlir
    %q = qt.quantize %x in <forward> : tensor<256x1024xbf16> to !qt.tensor<256x1024xbf16, #mx>
    ```
  }];
  let arguments = (ins QT_HighPrecision:$input, Variadic<AnyRankedTensor>:$scales, OptionalAttr<QT_HalfAttr>:$half);
  let results = (outs QT_TensorType:$result);
  let assemblyFormat = [{ $input (`scales` `(` $scales^ `:` type($scales) `)`)? (`in` $half^)? attr-dict
                          `:` type($input) `to` qualified(type($result)) }];
  let hasVerifier = 1;
  let hasFolder = 1;
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

def QT_TransposeOp : QT_Op<"transpose", [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
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
}

def QT_MatmulOp : QT_Op<"matmul", [Pure]> {
  let summary = "Multiplies A[batch..., M, K] by B[batch..., N, K]";
  let description = [{
    result[..., m, n] = round(addend[..., m, n] + t * sum over K blocks of s(m, block) * t(n, block) * p(m, n, block)):
    for each K block in order, p is the f32 sum of products of codes in order (multiply, then add), it is multiplied by
    the f32 product of the two block scales and added to an f32 accumulator; then come the tensor-level factors, the
    addend, and one rounding to the result's element type. A K block is the smaller of the operands' blocks along K; a
    scheme without blocks along K has one. Device targets may sum in another order within a derived bound.

    - C1. Operands have one rank of at least 2, equal batch dimensions and an equal last dimension K.
    - C2. Each operand is blocked along its last dimension, or has one scale for all of it.
    - C3. Of the operands' block sizes along K the larger is a multiple of the smaller.
    - C4. The result has shape [batch..., M, N], element type f32, bf16 or f16 and no encoding; the addend has its shape
      and type f32.

    Example:
    ```mlir
    %y = qt.matmul %a, %b : !qt.tensor<256x1024xbf16, #mx>, !qt.tensor<512x1024xbf16, #mx> -> tensor<256x512xbf16>
    ```
  }];
  let arguments = (ins QT_TensorType:$lhs, QT_TensorType:$rhs, Optional<RankedTensorOf<[F32]>>:$addend);
  let results = (outs QT_HighPrecision:$result);
  let assemblyFormat = [{ $lhs `,` $rhs (`plus` $addend^ `:` type($addend))? attr-dict
                          `:` qualified(type($lhs)) `,` qualified(type($rhs)) `->` type($result) }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
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

include "fp8-opt/Dialect/QT/IR/QTRecipeOps.td"

#endif // FP8_OPT_DIALECT_QT_IR_QTOPS_TD
