// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inside a kernel of products: the way of a result to memory.

#ifndef FP8_OPT_DIALECT_QTILE_IR_QTILERESULTOPS_TD
#define FP8_OPT_DIALECT_QTILE_IR_QTILERESULTOPS_TD

include "fp8-opt/Dialect/QTile/IR/QTileAttrs.td"
include "fp8-opt/Dialect/QTile/IR/QTileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def QTile_AddColumnsOp : QTile_Op<"add_columns", [Pure, AllTypesMatch<["fragment", "result"]>]> {
  let summary = "Adds to each element the number of its column, in f32";
  let description = [{
    - C1. The columns are those of the fragment.

    Example:
    ```mlir
    %y = qtile.add_columns %f, %bias : !qtile.fragment<64x128xf32>, !qtile.columns<128xf32>
    ```
  }];
  let arguments = (ins QTile_FragmentType:$fragment, QTile_ColumnsType:$columns);
  let results = (outs QTile_FragmentType:$result);
  let assemblyFormat = "$fragment `,` $columns attr-dict `:` qualified(type($fragment)) `,` qualified(type($columns))";
  let hasVerifier = 1;
}

def QTile_AllocOp : QTile_Op<"alloc", [HasParent<"KernelOp">]> {
  let summary = "A tile in shared memory of its own";
  let description = [{
    `offset` is the byte where it starts, once qtile-plan-rings has placed it.

    Example:
    ```mlir
    %tile = qtile.alloc at 1024 : !qtile.shared<64x256xbf16, panels>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs QTile_SharedType:$result);
  let assemblyFormat = "(`at` $offset^)? attr-dict `:` qualified(type($result))";
}

def QTile_SubtileOp : QTile_Op<"subtile", [Pure]> {
  let summary = "One of several tiles of one type that lie in a larger one after each other";
  let description = [{
    Subtile `index` starts index times its bytes after the start of the tile.

    Example:
    ```mlir
    %half = qtile.subtile %tile[%i] : !qtile.shared<128x256xbf16, panels> -> !qtile.shared<64x256xbf16, panels>
    ```
  }];
  let arguments = (ins QTile_SharedType:$tile, I32:$index);
  let results = (outs QTile_SharedType:$result);
  let assemblyFormat = "$tile `[` $index `]` attr-dict `:` qualified(type($tile)) `->` qualified(type($result))";
}

def QTile_BarriersOp : QTile_Op<"barriers", [HasParent<"KernelOp">]> {
  let summary = "Named barriers; the first has number `first`, once qtile-plan-rings has numbered them";
  let description = [{
    Example:
    ```mlir
    %turns = qtile.barriers from 1 : !qtile.barriers<2 of 256>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$first);
  let results = (outs QTile_BarriersType:$result);
  let assemblyFormat = "(`from` $first^)? attr-dict `:` qualified(type($result))";
}

class QTile_BarrierUse<string keyword, string what> : QTile_Op<keyword> {
  let summary = what;
  let description = "Example:\n```mlir\nqtile." # keyword # " %turns[%i] : !qtile.barriers<2 of 256>\n```\n";
  let arguments = (ins QTile_BarriersType:$barriers, I32:$index);
  let assemblyFormat = "$barriers `[` $index `]` attr-dict `:` qualified(type($barriers))";
}
def QTile_ArriveOp : QTile_BarrierUse<"arrive", "Arrives at a named barrier and goes on">;
def QTile_SyncOp : QTile_BarrierUse<"sync", "Arrives at a named barrier and waits for all its threads">;

def QTile_StageFragmentOp : QTile_Op<"stage_fragment", [AttrSizedOperandSegments]> {
  let summary = "Writes a fragment to rows of a tile in panels, rounded to the tile's elements, or as codes";
  let description = [{
    Fragment row i goes to row `row` + i of the tile, rounded once, to nearest even, if that is needed; with a scheme as codes of it, under
    an encode factor, of numbers that are first rounded to `of`. With `keep`, zeros go to the columns from that number on. Run by the
    warpgroup that holds the fragment, or the warp where it has 16 rows.

    - C1. The tile is in panels, of bf16, f16 or f32, or of the scheme's codes; it has the fragment's columns and at least its rows.
    - C2. The codes of a scheme are f8E4M3FN or f8E5M2, of a multiple of 16 columns of a fragment of 64 rows.
    - C3. Columns are kept of elements of at most 16 bits.

    Example:
    ```mlir
    qtile.stage_fragment %f to %tile[%row] keep %n
      as #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]> of bf16 by %factor
      : !qtile.fragment<64x256xf32> to !qtile.shared<64x256xf8E4M3FN, panels>
    ```
  }];
  let arguments = (ins QTile_FragmentType:$fragment, QTile_SharedType:$tile, I32:$row, Optional<I32>:$keep,
                       OptionalAttr<QTile_SchemeAttr>:$scheme, OptionalAttr<TypeAttr>:$expressed, Optional<F32>:$factor);
  let assemblyFormat = [{ $fragment `to` $tile `[` $row `]` (`keep` $keep^)? (`as` $scheme^ `of` $expressed `by` $factor)? attr-dict
                          `:` qualified(type($fragment)) `to` qualified(type($tile)) }];
  let hasVerifier = 1;
}

def QTile_CopyFenceOp : QTile_Op<"copy_fence"> {
  let summary = "Orders what this thread wrote to shared memory before copies from there that begin behind a barrier";
  let description = [{
    Example:
    ```mlir
    qtile.copy_fence
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def QTile_StorePanelsOp : QTile_Op<"store_panels"> {
  let summary = "Copies rows of the panels of a tile to panels in global memory, which have the same rows of 128 bytes";
  let description = [{
    The first `count` rows of panel i of the tile go to the 128-byte rows number `line` + i * `apart` and following, for the first
    `panels` panels, of as many as the tile has at most. Run by one thread, by the copy engine, and done when the tile may be written again.

    - C1. The tile is whole panels, of the element type of the array.

    Example:
    ```mlir
    qtile.store_panels %tile to %into[%line] panels %panels apart %rows count %count
      : !qtile.shared<64x256xf8E4M3FN, panels> to !qtile.global<f8E4M3FN>
    ```
  }];
  let arguments = (ins QTile_SharedType:$tile, QTile_GlobalType:$into, I32:$line, I32:$panels, I32:$apart, I32:$count);
  let assemblyFormat = [{ $tile `to` $into `[` $line `]` `panels` $panels `apart` $apart `count` $count attr-dict
                          `:` qualified(type($tile)) `to` qualified(type($into)) }];
  let hasVerifier = 1;
}

def QTile_StoreTileOp : QTile_Op<"store_tile"> {
  let summary = "Copies a tile in panels to a row-major matrix, without what lies outside of it";
  let description = [{
    Tile row i, column j goes to element (row + i, column + j) of the m times n matrix, if that is one; with `accumulate` it is
    added to it. Run by
    `threads` threads, of which this is number `thread`; each has `at_once` chunks of 16 bytes on the way at a time, four
    registers a chunk.

    - C1. The tile is in panels, of the element type of the matrix; threads are whole warps.
    - C2. What all threads have on the way are whole groups of 8 rows of 128 bytes.
    - C3. What is accumulated is f32.

    Example:
    ```mlir
    qtile.store_tile %tile to %y[%row, %column] of %m, %n by %thread of 128 at_once 4
      : !qtile.shared<128x256xbf16, panels> to !qtile.global<bf16>
    ```
  }];
  let arguments = (ins QTile_SharedType:$tile, QTile_GlobalType:$into, I32:$row, I32:$column, I32:$m, I32:$n, I32:$thread,
                       I64Attr:$threads, I64Attr:$at_once, UnitAttr:$accumulate);
  let assemblyFormat = [{ $tile `to` $into (`accumulate` $accumulate^)? `[` $row `,` $column `]` `of` $m `,` $n `by` $thread `of` $threads `at_once` $at_once attr-dict
                          `:` qualified(type($tile)) `to` qualified(type($into)) }];
  let hasVerifier = 1;
}

#endif // FP8_OPT_DIALECT_QTILE_IR_QTILERESULTOPS_TD
