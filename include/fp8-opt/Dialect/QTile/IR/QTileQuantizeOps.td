// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What quantizers compute.

#ifndef FP8_OPT_DIALECT_QTILE_IR_QTILEQUANTIZEOPS_TD
#define FP8_OPT_DIALECT_QTILE_IR_QTILEQUANTIZEOPS_TD

include "fp8-opt/Dialect/QTile/IR/QTileAttrs.td"
include "fp8-opt/Dialect/QTile/IR/QTileInterfaces.td"
include "fp8-opt/Dialect/QTile/IR/QTileTypes.td"

def QTile_AmaxOp : QTile_Op<"amax", [HasParent<"KernelOp">]> {
  let summary = "The largest magnitude of a matrix, or of each of its rows and columns, by a scheme with such scales";
  let description = [{
    `into` is one element, which is raised to the magnitude, and starts at 0. Under a scale for each row it is an element
    for each row of the matrix, then one for each column, which is a row of the transpose. A NaN is the largest, or left out, as the
    scheme says. The matrix is rows of columns without padding, and starts at a multiple of 16 bytes. In a `batch` each
    of as many matrices, which follow each other, has as many elements of `into`.

    - C1. Numbers are bf16, f16 or f32.
    - C2. The scheme's only level, or its outer one, is a scale for all of a tensor; or the only one is a scale for each row.

    Example:
    ```mlir
    qtile.amax %x sizes(%m, %n) by #fp8 into %cell : !qtile.global<bf16>
    qtile.amax %x sizes(%m, %n) by #row into %amaxes : !qtile.global<bf16>
    ```
  }];
  let arguments = (ins QTile_GlobalType:$source, I32:$rows, I32:$columns, Optional<I32>:$batch, QTile_SchemeAttr:$scheme,
                       QTile_Scales:$into);
  let assemblyFormat = [{ $source `sizes` `(` $rows `,` $columns `)` (`in` `batch` `(` $batch^ `)`)? `by` $scheme `into` $into attr-dict
                          `:` qualified(type($source)) }];
  let hasVerifier = 1;
}

def QTile_QuantizeOp : QTile_Op<"quantize", [HasParent<"KernelOp">, AttrSizedOperandSegments, QTile_QuantizerInterface]> {
  let summary = "Codes in panels, and their scales, of a matrix, for products along its columns, its rows, or both";
  let description = [{
    The source is row major, `rows` of `columns` without padding, and starts at a multiple of 16 bytes. `along_columns`
    names codes and scales of the matrix, whose contraction runs along its columns; `along_rows` those of its transpose, whose
    contraction runs along the source's rows. The scheme is that of the operand in each case, with the contraction last. Where
    a level is for all of the tensor, or a scale for a row and codes are wanted along rows, `amax` is what qtile.amax left.

    Codes lie in panels: rows padded to 16 may stay as they are, the rest of the last 128 bytes along the contraction is
    zero codes. Scales, decode factors, lie as a product reads them: `tensor`, `row`, `block_1x128`, `block_128x128`; their
    padding stays as it is. Scales that are codes, for each 32 or 16 along the contraction, lie in `tiles_128x4`, with zeros
    behind the last one of a row; one for a block of 16x16 is that of each of its 16 rows. Under two levels the outer scale
    is the amax, which is there already. Both sizes are at least 1.

    In a `batch` there are as many matrices, which follow each other. Each is quantized alone, by an amax of its own where
    there is one; codes and scales are stacks of what one matrix has, padding included.

    - C1. Numbers are bf16, f16 or f32; codes are of the scheme's type, or i8.
    - C2. There is at least one output; each has codes and scales.
    - C3. The scheme has blocks of one of those layouts; there is an amax if a level is for all of a tensor, or scales are per row and
      an output is along rows, and there alone.

    Example:
    ```mlir
    qtile.quantize %x sizes(%m, %k) by #qt.scheme<f8E4M3FN, [#qt.scale<f32 per block [1, 128] by fdiv>]>
      along_columns(%codes, %scales : !qtile.global<f8E4M3FN>)
      along_rows(%codes_t, %scales_t : !qtile.global<f8E4M3FN>) : !qtile.global<bf16>
    ```
    The type of scales follows from the scheme and is not spelled.
  }];
  let arguments = (ins QTile_GlobalType:$source, I32:$rows, I32:$columns, Optional<I32>:$batch, QTile_SchemeAttr:$scheme,
                       Optional<QTile_Scales>:$amax,
                       Optional<QTile_GlobalType>:$columnCodes, Optional<QTile_GlobalType>:$columnScales,
                       Optional<QTile_GlobalType>:$rowCodes, Optional<QTile_GlobalType>:$rowScales);
  let assemblyFormat = [{ $source `sizes` `(` $rows `,` $columns `)` (`in` `batch` `(` $batch^ `)`)? `by` $scheme (`amax` $amax^)?
                          (`along_columns` `(` $columnCodes^ `,` $columnScales `` custom<ScalesBy>(type($columnScales), ref($scheme))
                           `:` qualified(type($columnCodes)) `)`)?
                          (`along_rows` `(` $rowCodes^ `,` $rowScales `` custom<ScalesBy>(type($rowScales), ref($scheme))
                           `:` qualified(type($rowCodes)) `)`)? attr-dict
                          `:` qualified(type($source)) }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// What shares a scale of the innermost level under a scheme, block_1x16 also for blocks of 16x16; none
    /// where no layout of scales is for it.
    static ::fp8opt::qtile::Scaling getScalingOf(::fp8opt::qt::SchemeAttr scheme);
    ::fp8opt::qtile::Scaling getScaling() { return getScalingOf(getScheme()); }
    /// Whether the outermost level is a scale for all of a tensor.
    static bool isForTensor(::fp8opt::qt::SchemeAttr scheme);
    /// Whether the amax is there first: what shares a scale then is more than a block of threads reads.
    static bool readsAmax(::fp8opt::qt::SchemeAttr scheme, bool isAlongRows);
  }];
}

#endif // FP8_OPT_DIALECT_QTILE_IR_QTILEQUANTIZEOPS_TD
