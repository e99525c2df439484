// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels compute that read what quantizers left.

#ifndef FP8_OPT_DIALECT_QTILE_IR_QTILEREQUANTIZEOPS_TD
#define FP8_OPT_DIALECT_QTILE_IR_QTILEREQUANTIZEOPS_TD

include "fp8-opt/Dialect/QTile/IR/QTileAttrs.td"
include "fp8-opt/Dialect/QTile/IR/QTileInterfaces.td"
include "fp8-opt/Dialect/QTile/IR/QTileTypes.td"

def QTile_RequantizeOp : QTile_Op<"requantize", [HasParent<"KernelOp">, AttrSizedOperandSegments, QTile_QuantizerInterface]> {
  let summary = "Codes in panels, and their scales, of a matrix that is codes in panels by another scheme";
  let description = [{
    What qt.requantize computes: numbers = round(decode(code) * decode factor) to `of`, which are quantized by `by`. The operand
    is a matrix of `rows` and `columns` whose contraction runs along its columns, as qtile.quantize leaves it: `codes` in panels with
    zero codes behind the last column, `scales` as products read them; both schemes have the contraction last. Results are those
    of qtile.quantize, of these numbers. Codes of the transpose are read as the matrix with its sizes swapped. Both sizes are at
    least 1. In a `batch` there are as many matrices; what is read and what is written are stacks of what one has, padding included.

    - C1. `of` is bf16, f16 or f32; codes are of their schemes' types, or i8.
    - C2. The scales that are read are of f32, and those that are made for blocks, by one level.
    - C3. There is at least one output; each has codes and scales.

    Example:
    ```mlir
    qtile.requantize %codes by %scales as #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]> of bf16
      sizes(%m, %k) by #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv_pow2>]>
      along_rows(%codes_t, %scales_t : !qtile.global<f8E4M3FN>) : !qtile.global<f8E4M3FN>
    ```
    The types of scales follow from the schemes and are not spelled.
  }];
  let arguments = (ins QTile_GlobalType:$codes, QTile_Scales:$scales, QTile_SchemeAttr:$from, TypeAttr:$expressed,
                       I32:$rows, I32:$columns, Optional<I32>:$batch, QTile_SchemeAttr:$scheme,
                       Optional<QTile_GlobalType>:$columnCodes, Optional<QTile_GlobalType>:$columnScales,
                       Optional<QTile_GlobalType>:$rowCodes, Optional<QTile_GlobalType>:$rowScales);
  let assemblyFormat = [{ $codes `by` $scales `as` $from `of` $expressed `sizes` `(` $rows `,` $columns `)`
                          (`in` `batch` `(` $batch^ `)`)? `by` $scheme
                          (`along_columns` `(` $columnCodes^ `,` $columnScales `` custom<ScalesBy>(type($columnScales), ref($scheme))
                           `:` qualified(type($columnCodes)) `)`)?
                          (`along_rows` `(` $rowCodes^ `,` $rowScales `` custom<ScalesBy>(type($rowScales), ref($scheme))
                           `:` qualified(type($rowCodes)) `)`)? attr-dict
                          `:` qualified(type($codes)) }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::fp8opt::qtile::Scaling getScaling();
    /// No kernel finds the amax of numbers that are not there.
    ::mlir::Value getAmax() { return {}; }
  }];
}

def QTile_DequantizeOp : QTile_Op<"dequantize", [HasParent<"KernelOp">]> {
  let summary = "The numbers of a matrix that is codes in panels";
  let description = [{
    What qt.dequantize computes: round(decode(code) * decode factor) to the element type of `into`, which is row major, `rows`
    of `columns` without padding, and starts at a multiple of 16 bytes. `along` says which dimension of this matrix the
    contraction runs along: along columns, `codes` are its rows; along rows, those of its transpose. Codes and scales lie as
    qtile.quantize leaves them; the scheme has the contraction last. Both sizes are at least 1. In a `batch` there are as many
    matrices; codes and scales are stacks of what one has, padding included, and the matrices follow each other.

    - C1. Numbers are bf16, f16 or f32; codes are of the scheme's type, or i8.
    - C2. The scales are of f32.

    Example:
    ```mlir
    qtile.dequantize %codes by %scales as #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]> along columns
      sizes(%m, %k) into %x : !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
    ```
    The type of scales follows from the scheme and is not spelled.
  }];
  let arguments = (ins QTile_GlobalType:$codes, QTile_Scales:$scales, QTile_SchemeAttr:$from, QTile_AlongAttr:$along,
                       I32:$rows, I32:$columns, Optional<I32>:$batch, QTile_GlobalType:$into);
  let assemblyFormat = [{ $codes `by` $scales `as` $from `along` `` $along `sizes` `(` $rows `,` $columns `)`
                          (`in` `batch` `(` $batch^ `)`)? `into` $into attr-dict
                          `:` qualified(type($codes)) `->` qualified(type($into)) }];
  let hasVerifier = 1;
}

#endif // FP8_OPT_DIALECT_QTILE_IR_QTILEREQUANTIZEOPS_TD
