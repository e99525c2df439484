// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread does with numbers of its own: vectors from and to memory, maxima among lanes, codes. Numbers of a thread
// are scalars and builtin vectors of one dimension, and arith works on both.

#ifndef FP8_OPT_DIALECT_QTILE_IR_QTILETHREADOPS_TD
#define FP8_OPT_DIALECT_QTILE_IR_QTILETHREADOPS_TD

include "fp8-opt/Dialect/QTile/IR/QTileAttrs.td"
include "fp8-opt/Dialect/QTile/IR/QTileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// Magnitudes, which as integers are in the order of the numbers.
def QTile_Magnitudes : AnyTypeOf<[I16, I32, VectorOfRankAndType<[1], [I16, I32]>]>;
def QTile_Codes : VectorOfRankAndType<[1], [I8]>;

// Memory.

def QTile_FromOp : QTile_Op<"from", [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "The array from an element on";
  let description = [{
    Of elements of 4 bits, that is the first one of a byte.

    Example:
    ```mlir
    %b = qtile.from %a[%offset] : !qtile.global<f8E4M3FN>  // a matrix of a stack
    ```
  }];
  let arguments = (ins QTile_GlobalType:$source, I64:$offset);
  let results = (outs QTile_GlobalType:$result);
  let assemblyFormat = "$source `[` $offset `]` attr-dict `:` qualified(type($source))";
}

def QTile_LoadOp : QTile_Op<"load"> {
  let summary = "Elements of global memory that follow each other";
  let description = [{
    A scalar, or a vector of the elements from `offset` on. Elements of the vector from number `count` on are not read, and
    are 0. `aligned`: offset and count are multiples of as many elements as 16 bytes hold. Without a count, a vector
    lies at a multiple of its bytes, of at most 16.

    - C1. The elements have as many bits as those of the array.
    - C2. A count is one of a vector; an aligned one is of a vector of whole 16 bytes.

    Example:
    ```mlir
    %s = qtile.load %scales[%i] : !qtile.global<f32> -> f32
    %x = qtile.load %source[%i] count %n aligned : !qtile.global<bf16> -> vector<16xbf16>
    ```
  }];
  let arguments = (ins QTile_GlobalType:$source, I64:$offset, Optional<I32>:$count, UnitAttr:$aligned);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{ $source `[` $offset `]` (`count` $count^ (`aligned` $aligned^)?)? attr-dict
                          `:` qualified(type($source)) `->` type($result) }];
  let hasVerifier = 1;
}

def QTile_StoreOp : QTile_Op<"store"> {
  let summary = "Writes a scalar or a vector to global memory";
  let description = [{
    A vector lies at a multiple of its bytes, of at most 16. Into an array of elements of 4 bits go whole bytes, two elements
    each, from an even offset on. With a count, elements of the vector from number `count` on are not written, and it may lie
    anywhere; `aligned`: offset and count are multiples of as many elements as 16 bytes hold.

    - C1. The elements have as many bits as those of the array, at least 8.
    - C2. A count is one of a vector; an aligned one is of a vector of whole 16 bytes.

    Example:
    ```mlir
    qtile.store %x to %into[%i] count %n aligned : vector<8xbf16> to !qtile.global<bf16>
    ```
  }];
  let arguments = (ins AnyType:$value, QTile_GlobalType:$into, I64:$offset, Optional<I32>:$count, UnitAttr:$aligned);
  let assemblyFormat = [{ $value `to` $into `[` $offset `]` (`count` $count^ (`aligned` $aligned^)?)? attr-dict
                          `:` type($value) `to` qualified(type($into)) }];
  let hasVerifier = 1;
}

def QTile_LoadSharedOp : QTile_Op<"load_shared"> {
  let summary = "Elements of a tile in shared memory that follow each other, from element `offset` on";
  let description = [{
    A vector lies at a multiple of its bytes, of at most 16. The offset counts elements as they are stored.

    - C1. The elements have as many bits as those of the tile.

    Example:
    ```mlir
    %x = qtile.load_shared %tile[%i] : !qtile.shared<256xf32> -> vector<4xf32>
    ```
  }];
  let arguments = (ins QTile_SharedType:$tile, I32:$offset);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$tile `[` $offset `]` attr-dict `:` qualified(type($tile)) `->` type($result)";
  let hasVerifier = 1;
}

def QTile_StoreSharedOp : QTile_Op<"store_shared"> {
  let summary = "Writes a scalar or a vector to a tile in shared memory, from element `offset` on";
  let description = [{
    - C1. The elements have as many bits as those of the tile.

    Example:
    ```mlir
    qtile.store_shared %x to %tile[%i] : vector<4xf32> to !qtile.shared<256xf32>
    ```
  }];
  let arguments = (ins AnyType:$value, QTile_SharedType:$tile, I32:$offset);
  let assemblyFormat = "$value `to` $tile `[` $offset `]` attr-dict `:` type($value) `to` qualified(type($tile))";
  let hasVerifier = 1;
}

def QTile_AtomicMaxOp : QTile_Op<"atomic_max"> {
  let summary = "Raises an element of global memory to a magnitude, given by its bits";
  let description = [{
    Bits of f32 without a sign are in the order of the numbers, with NaN above infinity. Threads may raise one element at
    the same time. The element starts at 0.

    - C1. The array has elements of 32 bits.

    Example:
    ```mlir
    qtile.atomic_max %magnitude to %amax[%i] : !qtile.global<f32>
    ```
  }];
  let arguments = (ins I32:$magnitude, QTile_GlobalType:$into, I64:$offset);
  let assemblyFormat = "$magnitude `to` $into `[` $offset `]` attr-dict `:` qualified(type($into))";
  let hasVerifier = 1;
}

def QTile_SyncAllOp : QTile_Op<"sync_all"> {
  let summary = "Waits until all threads of the thread block are here, and sees what they wrote to shared memory";
  let description = [{
    Example:
    ```mlir
    qtile.sync_all
    ```
  }];
  let assemblyFormat = "attr-dict";
}

// Maxima. Nothing here knows floats: a magnitude is an unsigned integer.

def QTile_VectorMaxOp : QTile_Op<"vector_max", [Pure, SameTypeOperands]> {
  let summary = "The largest element of each of some vectors";
  let description = [{
    Element i of the result is that of vector i; of one vector, the result is a scalar.

    - C1. The result has an element for each vector, of their element type.

    Example:
    ```mlir
    %m = qtile.vector_max %row0, %row1 : vector<8xi16>, vector<8xi16> -> vector<2xi16>
    ```
  }];
  let arguments = (ins Variadic<VectorOfRankAndType<[1], [I16, I32]>>:$vectors);
  let results = (outs QTile_Magnitudes:$result);
  let assemblyFormat = "$vectors attr-dict `:` type($vectors) `->` type($result)";
  let hasVerifier = 1;
}

def QTile_LaneMaxOp : QTile_Op<"lane_max", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "The largest among lanes, in all of them; of a vector, element by element";
  let description = [{
    Among `over` lanes of the warp whose numbers differ by multiples of `stride` within `over` times it. All lanes take part.

    - C1. `over` and `stride` are powers of two; their product is at most 32.

    Example:
    ```mlir
    %group = qtile.lane_max %x over 8 stride 1 : i16
    ```
  }];
  let arguments = (ins QTile_Magnitudes:$value, I64Attr:$over, I64Attr:$stride);
  let results = (outs QTile_Magnitudes:$result);
  let assemblyFormat = "$value `over` $over `stride` $stride attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def QTile_LaneReadOp : QTile_Op<"lane_read", [Pure]> {
  let summary = "What another lane of the warp has";
  let description = [{
    All lanes take part.

    Example:
    ```mlir
    %y = qtile.lane_read %x of %lane
    ```
  }];
  let arguments = (ins I32:$value, I32:$lane);
  let results = (outs I32:$result);
  let assemblyFormat = "$value `of` $lane attr-dict";
}

def QTile_PickOp : QTile_Op<"pick", [Pure]> {
  let summary = "The element of a vector whose number is known at run time";
  let description = [{
    - C1. The vector has a power of two of elements; the result is one of them.

    Example:
    ```mlir
    %m = qtile.pick %maxima[%i] : vector<4xi16> -> i16
    ```
  }];
  let arguments = (ins VectorOfRankAndType<[1], [I16, I32]>:$vector, I32:$index);
  let results = (outs AnyTypeOf<[I16, I32]>:$result);
  let assemblyFormat = "$vector `[` $index `]` attr-dict `:` type($vector) `->` type($result)";
  let hasVerifier = 1;
}

def QTile_RenewOp : QTile_Op<"renew", [AllTypesMatch<["vector", "result"]>]> {
  let summary = "The same vector, of which nothing is kept that was computed from it before";
  let description = [{
    Where numbers are read a second time far behind the first, making f32 of them again costs less than the registers in which
    LLVM would keep what it made.

    - C1. The vector is of whole 4 bytes.

    Example:
    ```mlir
    %again = qtile.renew %x : vector<16xbf16>
    ```
  }];
  let arguments = (ins VectorOfRankAndType<[1], [BF16, F16, F32]>:$vector);
  let results = (outs VectorOfRankAndType<[1], [BF16, F16, F32]>:$result);
  let assemblyFormat = "$vector attr-dict `:` type($vector)";
  let hasVerifier = 1;
}

// Codes.

def QTile_EncodeOp : QTile_Op<"encode", [Pure]> {
  let summary = "The codes of numbers by a scheme, under an encode factor";
  let description = [{
    Each element meets the factor and is rounded as Numerics does both (docs/Spec.md, sections scale and encode). One factor is
    for all elements, a vector of factors has one for each.

    - C1. There are as many codes as numbers, a multiple of 4, and one factor or as many.
    - C2. Codes of the scheme have at most 8 bits, and are rounded without random bits.

    Example:
    ```mlir
    %c = qtile.encode %x by %factor as #row : vector<16xbf16>, f32 -> vector<16xi8>
    ```
  }];
  let arguments = (ins VectorOfRankAndType<[1], [BF16, F16, F32]>:$values,
                       AnyTypeOf<[F32, VectorOfRankAndType<[1], [F32]>]>:$factor, QTile_SchemeAttr:$scheme);
  let results = (outs QTile_Codes:$codes);
  let assemblyFormat = [{ $values `by` $factor `as` $scheme attr-dict
                          `:` type($values) `,` type($factor) `->` type($codes) }];
  let hasVerifier = 1;
}

def QTile_DecodeOp : QTile_Op<"decode", [Pure]> {
  let summary = "The numbers that codes stand for by a scheme, under a decode factor";
  let description = [{
    Each code is decoded, meets the factor and is rounded once, as Numerics does it (docs/Spec.md, section decode). One factor is
    for all codes, a vector of factors has one for each.

    - C1. There are as many numbers as codes, a multiple of 4, and one factor or as many.
    - C2. Codes of the scheme have at most 8 bits.

    Example:
    ```mlir
    %x = qtile.decode %c by %factor as #row : vector<8xi8>, f32 -> vector<8xbf16>
    ```
  }];
  let arguments = (ins QTile_Codes:$codes, AnyTypeOf<[F32, VectorOfRankAndType<[1], [F32]>]>:$factor,
                       QTile_SchemeAttr:$scheme);
  let results = (outs VectorOfRankAndType<[1], [BF16, F16, F32]>:$values);
  let assemblyFormat = [{ $codes `by` $factor `as` $scheme attr-dict
                          `:` type($codes) `,` type($factor) `->` type($values) }];
  let hasVerifier = 1;
}

def QTile_KeepFirstOp : QTile_Op<"keep_first", [Pure, AllTypesMatch<["codes", "result"]>]> {
  let summary = "The first `count` codes of a vector, and zero codes behind them";
  let description = [{
    - C1. There is a multiple of 4 codes.

    Example:
    ```mlir
    %kept = qtile.keep_first %count of %codes : vector<16xi8>
    ```
  }];
  let arguments = (ins I32:$count, QTile_Codes:$codes);
  let results = (outs QTile_Codes:$result);
  let assemblyFormat = "$count `of` $codes attr-dict `:` type($codes)";
  let hasVerifier = 1;
}

def QTile_PackOp : QTile_Op<"pack", [Pure]> {
  let summary = "Codes of 4 bits, two in a byte, the first one in its lower half";
  let description = [{
    - C1. There is a multiple of 8 codes, and half as many bytes.

    Example:
    ```mlir
    %p = qtile.pack %codes : vector<16xi8> -> vector<8xi8>
    ```
  }];
  let arguments = (ins QTile_Codes:$codes);
  let results = (outs QTile_Codes:$result);
  let assemblyFormat = "$codes attr-dict `:` type($codes) `->` type($result)";
  let hasVerifier = 1;
}

def QTile_TransposeOp : QTile_Op<"transpose", [Pure]> {
  let summary = "Columns of a square of codes, of its rows";
  let description = [{
    Code i of result j is code j of vector i.

    - C1. There are as many vectors as codes in each, and as many results, a multiple of 4.

    Example:
    ```mlir
    %c0, %c1, %c2, %c3 = qtile.transpose %r0, %r1, %r2, %r3
      : vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8> -> vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>
    ```
  }];
  let arguments = (ins Variadic<QTile_Codes>:$rows);
  let results = (outs Variadic<QTile_Codes>:$columns);
  let assemblyFormat = "$rows attr-dict `:` type($rows) `->` type($columns)";
  let hasVerifier = 1;
}

#endif // FP8_OPT_DIALECT_QTILE_IR_QTILETHREADOPS_TD
