// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inside a kernel: roles, rings, copies, matrix products and promotions.

#ifndef FP8_OPT_DIALECT_QTILE_IR_QTILEROLEOPS_TD
#define FP8_OPT_DIALECT_QTILE_IR_QTILEROLEOPS_TD

include "fp8-opt/Dialect/QTile/IR/QTileAttrs.td"
include "fp8-opt/Dialect/QTile/IR/QTileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Who runs.

def QTile_RoleOp : QTile_Op<"role", [HasParent<"KernelOp">, SingleBlock, NoTerminator]> {
  let summary = "What one group of warps of a thread block does";
  let description = [{
    The warp roles of a kernel are its last ops and take the warps of the thread block in their order, each a multiple of 4. `registers`
    is what each thread of the group may use. The argument is the number of the warp within the role, equal in all
    threads of a warp.

    - C1. Warps are a positive multiple of 4; registers a multiple of 8 between 24 and 255.

    Example:
    ```mlir
    qtile.role producer warps 4 registers 40 {
    ^bb0(%warp: i32):
    }
    ```
  }];
  let arguments = (ins QTile_RoleKindAttr:$kind, I64Attr:$warps, I64Attr:$registers);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`` $kind `warps` $warps `registers` $registers attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

class QTile_Index<string keyword, string what> : QTile_Op<keyword, [Pure]> {
  let summary = what;
  let description = "Example:\n```mlir\n%i = qtile." # keyword # "\n```\n";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}
def QTile_BlockOp : QTile_Index<"block", "The number of this thread block in the grid">;
def QTile_BlocksOp : QTile_Index<"blocks", "How many thread blocks the grid has">;
def QTile_LaneOp : QTile_Index<"lane", "The number of this thread in its warp, 0 to 31">;
def QTile_ThreadOp : QTile_Index<"thread", "The number of this thread in its thread block">;

// Rings.

def QTile_RingOp : QTile_Op<"ring", [HasParent<"KernelOp">]> {
  let summary = "A ring in shared memory, all stages empty";
  let description = [{
    `plan` is derived by qtile-plan-rings from the fills and releases of the ring.

    Example:
    ```mlir
    %ring = qtile.ring : !qtile.ring<3, !qtile.shared<256x128xf8E4M3FN, panels>, !qtile.shared<256xf32>>
    ```
  }];
  let arguments = (ins OptionalAttr<QTile_RingPlanAttr>:$plan);
  let results = (outs QTile_RingType:$result);
  let assemblyFormat = "(`plan` $plan^)? attr-dict `:` qualified(type($result))";
}

def QTile_FirstOp : QTile_Op<"first", [Pure]> {
  let summary = "The first position in a ring, for those who fill it or those who empty it";
  let description = [{
    Example:
    ```mlir
    %stage = qtile.first consumer of %ring : !qtile.ring<3, !qtile.shared<256xf32>>
    ```
  }];
  let arguments = (ins QTile_RoleKindAttr:$kind, QTile_RingType:$ring);
  let results = (outs QTile_StageType:$result);
  let assemblyFormat = "`` $kind `of` $ring attr-dict `:` qualified(type($ring))";
}

def QTile_AdvanceOp : QTile_Op<"advance", [Pure]> {
  let summary = "The next position in a ring; where `condition` is given and false, the same";
  let description = [{
    Example:
    ```mlir
    %next = qtile.advance %ring[%stage] if %more : !qtile.ring<3, !qtile.shared<256xf32>>
    ```
  }];
  let arguments = (ins QTile_RingType:$ring, QTile_StageType:$stage, Optional<I1>:$condition);
  let results = (outs QTile_StageType:$result);
  let assemblyFormat = "$ring `[` $stage `]` (`if` $condition^)? attr-dict `:` qualified(type($ring))";
}

def QTile_FillOp : QTile_Op<"fill", [SingleBlock, NoTerminator]> {
  let summary = "Waits until a stage is empty and starts copies into it";
  let description = [{
    The arguments of the body are the tiles of the stage; the body has nothing but copies. The stage is full once the copies
    of all fills of it are done. `bulk` is run by one thread, `async` by the 32 threads of a warp.

    - C1. The arguments are the tiles of the ring.
    - C2. The body has copies only, at least one, whose other operands are defined outside; those of tiles are bulk.

    Example:
    ```mlir
    qtile.fill bulk %ring[%stage] : !qtile.ring<3, !qtile.shared<256x128xf8E4M3FN, panels>> {
    ^bb0(%tile: !qtile.shared<256x128xf8E4M3FN, panels>):
      qtile.copy %a[%offset] count %bytes to %tile : !qtile.global<f8E4M3FN> to !qtile.shared<256x128xf8E4M3FN, panels>
    }
    ```
  }];
  let arguments = (ins QTile_CopyKindAttr:$kind, QTile_RingType:$ring, QTile_StageType:$stage);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`` $kind $ring `[` $stage `]` attr-dict `:` qualified(type($ring)) $body";
  let hasVerifier = 1;
}

def QTile_CopyOp : QTile_Op<"copy", [HasParent<"FillOp">]> {
  let summary = "Copies a run of elements from global memory to the start of a tile";
  let description = [{
    From element `offset`, `count` elements; their bytes are a multiple of 16 and at most those of the tile. A count of 0
    copies nothing. The rest of the tile is left as it is. Where `once` is given and true, nobody reads these elements again
    after what runs at the same time: the cache gives them up before anything else.

    - C1. Source and tile have one element type.
    - C2. `once` is of a bulk fill.

    Example:
    ```mlir
    qtile.fill bulk %ring[%stage] : !qtile.ring<3, !qtile.shared<256xf32>> {
    ^bb0(%tile: !qtile.shared<256xf32>):
      qtile.copy %scales[%offset] count %count to %tile : !qtile.global<f32> to !qtile.shared<256xf32>
    }
    ```
  }];
  let arguments = (ins QTile_GlobalType:$source, I64:$offset, I32:$count, QTile_SharedType:$tile, Optional<I1>:$once);
  let assemblyFormat = [{ $source `[` $offset `]` `count` $count `to` $tile (`once` $once^)? attr-dict
                          `:` qualified(type($source)) `to` qualified(type($tile)) }];
  let hasVerifier = 1;
}

def QTile_TensorMapOp : QTile_Op<"tensor_map", [AttrSizedOperandSegments]> {
  let summary = "Describes a row-major matrix to the copy engine, and how large the tiles are that it copies";
  let description = [{
    Rows of `columns` elements follow each other. Of a stack, `of` are the sizes of its outer dimensions, the innermost first, and
    `strides` how many elements are from row to row and from matrix to matrix of each outer dimension, multiples of 16 bytes. The description lies at number `index` of the places of 128 bytes in
    `places`, of which the first one starts at the first multiple of 128 bytes. It is written by way of the first 128 bytes of `scratch`,
    which nobody uses meanwhile. Run by the 32 threads of a warp, which then may copy; the matrix and its rows start at multiples
    of 16 bytes. Along one dimension a product contracts, which needs zeros; along the other, the rest of the tile is left as it is where
    the matrix is smaller: with `clip` rows of the tile, without it columns of its panel.

    - C1. Matrix and tile have one element type.
    - C2. There is a size for each outer dimension of the map; beside these, a stride for rows and for each of them.

    Example:
    ```mlir
    %map = qtile.tensor_map %a[%rows, %columns] clip in %places[%i] through %scratch
      : !qtile.global<bf16>, !qtile.shared<128x256xbf16, panels> -> !qtile.tensor_map<!qtile.shared<128x64xbf16, panels>>
    %stack = qtile.tensor_map %a[%rows, %columns] of [%heads, %batch] strides [%s0, %s1, %s2] in %places[%i] through %scratch
      : !qtile.global<bf16>, !qtile.shared<128x256xbf16, panels> -> !qtile.tensor_map<outer 2, !qtile.shared<128x64xbf16, panels>>
    ```
  }];
  let arguments = (ins QTile_GlobalType:$matrix, I32:$rows, I32:$columns, Variadic<I32>:$outer, Variadic<I32>:$strides, UnitAttr:$clip, QTile_Bytes:$places,
                       I32:$index, QTile_SharedType:$scratch);
  let results = (outs QTile_TensorMapType:$map);
  let assemblyFormat = [{ $matrix `[` $rows `,` $columns `]` (`of` `[` $outer^ `]` `strides` `[` $strides `]`)? (`clip` $clip^)? `in` $places `[` $index `]` `through` $scratch attr-dict
                          `:` qualified(type($matrix)) `,` qualified(type($scratch)) `->` qualified(type($map)) }];
  let hasVerifier = 1;
}

def QTile_CopyTileOp : QTile_Op<"copy_tile", [HasParent<"FillOp">, AttrSizedOperandSegments]> {
  let summary = "Copies a tile of a row-major matrix, and zeros where it lies outside, but for what the map leaves";
  let description = [{
    Element (row + i, column + j) of the matrix goes to element (i, j) of the tile. Of a stack, the numbers behind these say which
    matrix, one for each outer dimension. `once` is that of `copy`.

    - C1. The tile is that of the map.
    - C2. There is a number for each outer dimension of the map.

    Example:
    ```mlir
    qtile.fill bulk %ring[%stage] : !qtile.ring<3, !qtile.shared<64x256xbf16, panels>> {
    ^bb0(%tile: !qtile.shared<64x256xbf16, panels>):
      qtile.copy_tile %map[%row, %column] to %tile
        : !qtile.tensor_map<!qtile.shared<64x256xbf16, panels>> to !qtile.shared<64x256xbf16, panels>
    }
    ```
  }];
  let arguments = (ins QTile_TensorMapType:$map, I32:$row, I32:$column, Variadic<I32>:$outer, QTile_SharedType:$tile, Optional<I1>:$once);
  let assemblyFormat = [{ $map `[` $row `,` $column (`,` $outer^)? `]` `to` $tile (`once` $once^)? attr-dict
                          `:` qualified(type($map)) `to` qualified(type($tile)) }];
  let hasVerifier = 1;
}

def QTile_WaitOp : QTile_Op<"wait"> {
  let summary = "Waits until a stage is full and yields its tiles";
  let description = [{
    - C1. The results are the tiles of the ring.

    Example:
    ```mlir
    %tile = qtile.wait %ring[%stage] : !qtile.ring<3, !qtile.shared<256xf32>> -> !qtile.shared<256xf32>
    ```
  }];
  let arguments = (ins QTile_RingType:$ring, QTile_StageType:$stage);
  let results = (outs Variadic<QTile_SharedType>:$tiles);
  let assemblyFormat = [{ $ring `[` $stage `]` attr-dict `:` qualified(type($ring)) `->` qualified(type($tiles)) }];
  let hasVerifier = 1;
}

def QTile_ReleaseOp : QTile_Op<"release"> {
  let summary = "Says, once for each warp, that a stage will not be read any more; where `condition` is given and false, nothing";
  let description = [{
    Nobody waits here. Every consumer warp must release every stage that it waited for.

    Example:
    ```mlir
    qtile.release %ring[%stage] if %more : !qtile.ring<3, !qtile.shared<256xf32>>
    ```
  }];
  let arguments = (ins QTile_RingType:$ring, QTile_StageType:$stage, Optional<I1>:$condition);
  let assemblyFormat = "$ring `[` $stage `]` (`if` $condition^)? attr-dict `:` qualified(type($ring))";
}

// Matrix products. Their order in the text is the order of the instructions.

def QTile_ZeroOp : QTile_Op<"zero", [Pure]> {
  let summary = "A fragment of zeros, or a pending one";
  let description = [{
    Example:
    ```mlir
    %sum = qtile.zero : !qtile.fragment<64x128xf32>
    ```
  }];
  let results = (outs AnyTypeOf<[QTile_FragmentType, QTile_PendingType]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def QTile_MmaFenceOp : QTile_Op<"mma_fence"> {
  let summary = "Orders what registers were written before the products that follow";
  let description = [{
    Before the first product of a wave whose accumulator was written by other instructions.

    Example:
    ```mlir
    qtile.mma_fence
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def QTile_MmaOp : QTile_Op<"mma"> {
  let summary = "Starts the products of a wave of rows with a tile of columns";
  let description = [{
    Adds A[row + i, k] * B[j, k] to accumulator [i, j], for the rows of the accumulator and the bytes k of the 128 of the
    tiles that `from` and `to` name, in steps of the instruction (32 bytes). `fresh`: the first step ignores what the
    accumulator held; it is an operand all the same, since a kernel keeps one set of registers for it. A `transposed` tile has a row for
    each element of those 128 bytes, and along it what else are rows.

    - C1. Tiles are in panels of 128 bytes a row; the columns of the accumulator are the rows of the right tile. Of a transposed
      tile, of elements of 16 bits, it is rows for bytes of a row, and columns for rows.
    - C2. 0 <= from < to <= 128, multiples of 32.
    - C3. The accumulator is a fragment or pending, of the shape of the result.

    Example:
    ```mlir
    %p = qtile.mma %acc, %a[%row], %b from 0 to 128 fresh : !qtile.fragment<64x128xf32>,
           !qtile.shared<256x128xf8E4M3FN, panels>, !qtile.shared<128x128xf8E4M3FN, panels> -> !qtile.pending<64x128xf32>
    ```
  }];
  let arguments = (ins AnyTypeOf<[QTile_FragmentType, QTile_PendingType]>:$accumulator, QTile_SharedType:$lhs, I32:$row,
                       UnitAttr:$lhsTransposed, QTile_SharedType:$rhs, UnitAttr:$rhsTransposed, I64Attr:$from, I64Attr:$to,
                       UnitAttr:$fresh);
  let results = (outs QTile_PendingType:$result);
  let assemblyFormat = [{ $accumulator `,` $lhs `[` $row `]` (`transposed` $lhsTransposed^)? `,`
                          $rhs (`transposed` $rhsTransposed^)? `from` $from `to` $to (`fresh` $fresh^)? attr-dict
                          `:` qualified(type($accumulator)) `,` qualified(type($lhs)) `,` qualified(type($rhs))
                          `->` qualified(type($result)) }];
  let hasVerifier = 1;
}

def QTile_MmaCommitOp : QTile_Op<"mma_commit"> {
  let summary = "Makes one group of all products started since the last commit";
  let description = [{
    Example:
    ```mlir
    qtile.mma_commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def QTile_MmaWaitOp : QTile_Op<"mma_wait"> {
  let summary = "Waits until at most so many groups are unfinished";
  let description = [{
    The accumulators given, all of finished groups, come out as fragments.

    - C1. Each result has the shape of its operand.

    Example:
    ```mlir
    %f = qtile.mma_wait 0 of %p : !qtile.pending<64x128xf32> -> !qtile.fragment<64x128xf32>
    ```
  }];
  let arguments = (ins I64Attr:$in_flight, Variadic<QTile_PendingType>:$pending);
  let results = (outs Variadic<QTile_FragmentType>:$results);
  let assemblyFormat = [{ $in_flight (`of` $pending^ `:` qualified(type($pending)) `->` qualified(type($results)))? attr-dict }];
  let hasVerifier = 1;
}

// Scales and fragments.

def QTile_LoadRowsOp : QTile_Op<"load_rows"> {
  let summary = "The two numbers that a tile has for the rows of this thread in a wave of 64";
  let description = [{
    Element row + r of the tile for r the first row of the thread in the layout wgmma_accumulator, and r + 8.

    Example:
    ```mlir
    %s0, %s1 = qtile.load_rows %scales[%row] : !qtile.shared<256xf32>
    ```
  }];
  let arguments = (ins QTile_SharedType:$tile, I32:$row);
  let results = (outs F32:$first, F32:$second);
  let assemblyFormat = "$tile `[` $row `]` attr-dict `:` qualified(type($tile))";
}

def QTile_LoadColumnsOp : QTile_Op<"load_columns"> {
  let summary = "The numbers that a tile of f32, bf16 or f16 has for the columns of this thread";
  let description = [{
    Example:
    ```mlir
    %bias = qtile.load_columns %tile : !qtile.shared<128xbf16> -> !qtile.columns<128xf32>
    ```
  }];
  let arguments = (ins QTile_SharedType:$tile);
  let results = (outs QTile_ColumnsType:$result);
  let assemblyFormat = "$tile attr-dict `:` qualified(type($tile)) `->` qualified(type($result))";
}

def QTile_PromoteOp : QTile_Op<"promote", [Pure, AttrSizedOperandSegments, AllTypesMatch<["partial", "result"]>]> {
  let summary = "Adds a partial sum, by its scales, to a sum";
  let description = [{
    sum[i, j] + partial[i, j] * scale, in one rounding. Scales come in pairs: the first of a pair is that of the first of
    the two rows of a thread, the other that of its second row. Each pair is for an equal part of the columns, in
    their order. With `columns`, (partial[i, j] * columns[j]) is rounded first. Without a sum, the products alone.

    - C1. Sum, partial and result have one type; the columns are theirs.
    - C2. There are pairs of scales, at least one; the columns of each are equally many and a multiple of 8.

    Example:
    ```mlir
    %sum = qtile.promote %partial by %s0, %s1 onto(%sum0 : !qtile.fragment<64x128xf32>) : !qtile.fragment<64x128xf32>
    %wide = qtile.promote %p by %s0, %s1, %s2, %s3, %s4, %s5 : !qtile.fragment<64x192xf32>  // 64 columns each
    ```
  }];
  let arguments = (ins QTile_FragmentType:$partial, Variadic<F32>:$scales, Optional<QTile_ColumnsType>:$columns,
                       Optional<QTile_FragmentType>:$sum);
  let results = (outs QTile_FragmentType:$result);
  let assemblyFormat = [{ $partial `by` $scales (`columns` `(` $columns^ `:` qualified(type($columns)) `)`)?
                          (`onto` `(` $sum^ `:` qualified(type($sum)) `)`)? attr-dict `:` qualified(type($partial)) }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Columns that share a pair of scales.
    int64_t getColumnsOfPair() { return 2 * getResult().getType().getColumns() / static_cast<int64_t>(getScales().size()); }
  }];
}

#endif // FP8_OPT_DIALECT_QTILE_IR_QTILEROLEOPS_TD
