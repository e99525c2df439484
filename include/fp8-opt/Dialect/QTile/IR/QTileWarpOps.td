// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of a warp, whose operands and scales are registers of its threads.

#ifndef FP8_OPT_DIALECT_QTILE_IR_QTILEWARPOPS_TD
#define FP8_OPT_DIALECT_QTILE_IR_QTILEWARPOPS_TD

include "fp8-opt/Dialect/QTile/IR/QTileAttrs.td"
include "fp8-opt/Dialect/QTile/IR/QTileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def QTile_LoadOperandOp : QTile_Op<"load_operand"> {
  let summary = "Rows of a tile in panels, 32 bytes of each, in the registers of a warp";
  let description = [{
    Rows from `row` on, which is a multiple of 8; bytes from `byte` on, of the 128 of the tile's row.

    - C1. The tile is in panels of 128 bytes a row, of the operand's element type, and has at least its rows.
    - C2. 0 <= byte < 128, a multiple of 32.

    Example:
    ```mlir
    %a = qtile.load_operand %tile[%row] byte 32 : !qtile.shared<128x128xf8E4M3FN, panels> -> !qtile.operand<lhs, 32xf8E4M3FN>
    ```
  }];
  let arguments = (ins QTile_SharedType:$tile, I32:$row, I64Attr:$byte);
  let results = (outs QTile_OperandType:$result);
  let assemblyFormat = "$tile `[` $row `]` `byte` $byte attr-dict `:` qualified(type($tile)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def QTile_LoadScaleWordsOp : QTile_Op<"load_scale_words"> {
  let summary = "The four scales of each of some rows of a scale tile, in the registers of a warp";
  let description = [{
    The tile is one of `tiles_128x4`, of which rows from `row` on are loaded; that is a multiple of how many they are.

    - C1. The tile has 512 elements, of the type of the scales; these are at most 128 rows, a power of two.

    Example:
    ```mlir
    %s = qtile.load_scale_words %tile[%row] : !qtile.shared<512xf8E8M0FNU> -> !qtile.scale_words<64xf8E8M0FNU>
    ```
  }];
  let arguments = (ins QTile_SharedType:$tile, I32:$row);
  let results = (outs QTile_ScaleWordsType:$result);
  let assemblyFormat = "$tile `[` $row `]` attr-dict `:` qualified(type($tile)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def QTile_MmaScaledOp : QTile_Op<"mma_scaled", [Pure, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "Adds the products of 16 rows with all columns, by their scales, to a fragment";
  let description = [{
    result[i, j] = accumulator[i, j] + sum over k of (A[row + i, k] * sa[row + i, k]) * (B[j, k] * sb[j, k]), as the instruction
    adds, for the 32 bytes along k that the operands hold. A scale of f8E8M0FNU is for 32 elements along k, one of f8E4M3FN for
    16; `block` is which of the four scales of a row is the first. Run by all threads of a warp together.

    - C1. The left operand has the rows from `row` on, a multiple of 16, and as many rows as its scales, or fewer; the right one
      has the columns of the fragment, and scales for each.
    - C2. Scales of both operands have one type: f8E8M0FNU with codes of 8 bits, f8E4M3FN with f4E2M1FN.
    - C3. The scales for all elements from `block` on are among the four, at a multiple of how many they are.

    Example:
    ```mlir
    %d = qtile.mma_scaled %c, %a[16] by %sa, %b by %sb block 2 : !qtile.fragment<16x64xf32>,
           !qtile.operand<lhs, 32xf8E4M3FN>, !qtile.scale_words<32xf8E8M0FNU>,
           !qtile.operand<rhs, 64xf8E4M3FN>, !qtile.scale_words<64xf8E8M0FNU>
    ```
  }];
  let arguments = (ins QTile_FragmentType:$accumulator, QTile_OperandType:$lhs, I64Attr:$row, QTile_ScaleWordsType:$lhsScales,
                       QTile_OperandType:$rhs, QTile_ScaleWordsType:$rhsScales, I64Attr:$block);
  let results = (outs QTile_FragmentType:$result);
  let assemblyFormat = [{ $accumulator `,` $lhs `[` $row `]` `by` $lhsScales `,` $rhs `by` $rhsScales `block` $block attr-dict `:`
                          qualified(type($accumulator)) `,` qualified(type($lhs)) `,` qualified(type($lhsScales)) `,`
                          qualified(type($rhs)) `,` qualified(type($rhsScales)) }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Elements along the contraction in the operands, and those that share a scale.
    int64_t getElements() { return 32 * 8 / getLhs().getType().getElementType().getIntOrFloatBitWidth(); }
    int64_t getElementsOfScale();
    /// Scales of a row that the products take.
    int64_t getBlocks() { return getElements() / getElementsOfScale(); }
  }];
}

def QTile_SyncWarpOp : QTile_Op<"sync_warp"> {
  let summary = "Waits for all threads of the warp, and sees what they wrote to shared memory";
  let description = [{
    Example:
    ```mlir
    qtile.sync_warp
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // FP8_OPT_DIALECT_QTILE_IR_QTILEWARPOPS_TD
