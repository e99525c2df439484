// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the numbers of a kernel lie: global memory, shared memory, the registers of a group of threads.

#ifndef FP8_OPT_DIALECT_QTILE_IR_QTILETYPES_TD
#define FP8_OPT_DIALECT_QTILE_IR_QTILETYPES_TD

include "fp8-opt/Dialect/QTile/IR/QTileAttrs.td"

def QTile_GlobalType : QTile_Type<"Global", "global"> {
  let summary = "the address of an array in global memory";
  let description = [{
    Offsets from it count elements. How the array is laid out is said by the op that reads it.

    - C1. The element type is an integer or a float of 4, 8, 16 or 32 bits; of 4 bits, two are a byte, the first one its lower half.

    Example: `!qtile.global<bf16>`.
  }];
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
  let genVerifyDecl = 1;
}

def QTile_Scales : Type<CPred<"$_self == ::fp8opt::qtile::GlobalType::get($_self.getContext(), ::mlir::Float32Type::get($_self.getContext()))">, "!qtile.global<f32>", "::fp8opt::qtile::GlobalType">,
                   BuildableType<"::fp8opt::qtile::GlobalType::get($_builder.getContext(), $_builder.getF32Type())">;
def QTile_Bounds : Type<CPred<"$_self == ::fp8opt::qtile::GlobalType::get($_self.getContext(), ::mlir::IntegerType::get($_self.getContext(), 32))">, "!qtile.global<i32>", "::fp8opt::qtile::GlobalType">,
                   BuildableType<"::fp8opt::qtile::GlobalType::get($_builder.getContext(), $_builder.getI32Type())">;

def QTile_Bytes : Type<CPred<"$_self == ::fp8opt::qtile::GlobalType::get($_self.getContext(), ::mlir::IntegerType::get($_self.getContext(), 8))">, "!qtile.global<i8>", "::fp8opt::qtile::GlobalType">,
                  BuildableType<"::fp8opt::qtile::GlobalType::get($_builder.getContext(), $_builder.getI8Type())">;

def QTile_SharedType : QTile_Type<"Shared", "shared"> {
  let summary = "a tile in shared memory";
  let description = [{
    `!qtile.shared<256x128xf8E4M3FN, panels>`: rows and columns of elements. In `panels` (layout of the same name) each 128
    bytes of a row form a panel of all rows, 128 bytes a row, whose eight 16-byte chunks are exchanged by the row as
    matrix units with 128-byte swizzle read them. Without a layout, rows follow each other.

    - C1. The element type is an integer or a float of 4, 8, 16 or 32 bits; there are one or two sizes, at least 1; a tile is
      whole bytes.
    - C2. A tile in panels has two sizes; its rows are a multiple of 8, the bytes of a row a multiple of 16. The last panel of
      a row may be in use in part, and takes its whole place.

    Example: a tile of scales, `!qtile.shared<256xf32>`.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "bool":$isInPanels);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getBytes() const;
    /// Of an operand of a matrix product.
    int64_t getRows() const { return getShape().front(); }
    int64_t getColumns() const { return getShape().back(); }
    int64_t getBytesPerRow() const;
    /// Where a tile of this type may start, in bytes.
    int64_t getAlignment() const;
  }];
}

def QTile_RingType : QTile_Type<"Ring", "ring"> {
  let summary = "stages of tiles in shared memory that producers fill and consumers empty";
  let description = [{
    Each stage has one tile of each type, a barrier for full and one for empty.

    - C1. There are at least 1 stage and 1 tile.

    Example: `!qtile.ring<3, !qtile.shared<256x128xf8E4M3FN, panels>, !qtile.shared<256xf32>>`.
  }];
  let parameters = (ins "int64_t":$stages, ArrayRefParameter<"::fp8opt::qtile::SharedType">:$tiles);
  let assemblyFormat = "`<` $stages `,` custom<Tiles>($tiles) `>`";
  let genVerifyDecl = 1;
}

def QTile_TensorMapType : QTile_Type<"TensorMap", "tensor_map"> {
  let summary = "a row-major matrix, described to the copy engine, which copies such a tile of it at a time";
  let description = [{
    With `outer` dimensions it is a stack of such matrices, of that rank.

    - C1. The tile is in panels, of elements of 16 bits, and has at most 256 rows.
    - C2. There are at most three outer dimensions.

    Examples: `!qtile.tensor_map<!qtile.shared<128x64xbf16, panels>>`, `!qtile.tensor_map<outer 2, !qtile.shared<128x64xbf16, panels>>`.
  }];
  let parameters = (ins "::fp8opt::qtile::SharedType":$tile, DefaultValuedParameter<"int64_t", "0">:$outer);
  let assemblyFormat = "`<` (`outer` $outer^ `,`)? qualified($tile) `>`";
  let genVerifyDecl = 1;
}

def QTile_StageType : QTile_Type<"Stage", "stage"> {
  let summary = "a position in a ring: the number of a stage, and the phase its barrier is waited for in";
  let description = "The only way to one is qtile.first and qtile.advance.";
}

def QTile_BarriersType : QTile_Type<"Barriers", "barriers"> {
  let summary = "named barriers, each for the same number of threads";
  let description = "Example: `!qtile.barriers<2 of 160>`: two barriers of 160 threads each.";
  let parameters = (ins "int64_t":$count, "int64_t":$threads);
  let assemblyFormat = "`<` $count `of` $threads `>`";
  let genVerifyDecl = 1;
}

class QTile_Accumulator<string name, string keyword> : QTile_Type<name, keyword> {
  let parameters = (ins "int64_t":$rows, "int64_t":$columns, "::mlir::Type":$elementType);
  let assemblyFormat = "`<` custom<Matrix>($rows, $columns, $elementType) `>`";
  let genVerifyDecl = 1;
}

def QTile_FragmentType : QTile_Accumulator<"Fragment", "fragment"> {
  let summary = "a matrix spread over the registers of a group of threads, as an instruction leaves it";
  let description = [{
    Which thread holds which element is the layout of the instruction (`wgmma_accumulator`: 64 rows over the 128
    threads of a warpgroup).

    - C1. The element type is f32; rows are 64 or 16; columns a multiple of 8.

    Example: `!qtile.fragment<64x128xf32>`.
  }];
}

def QTile_PendingType : QTile_Accumulator<"Pending", "pending"> {
  let summary = "a fragment that a matrix unit may still write";
  let description = "It can be added to by qtile.mma; only qtile.mma_wait makes a fragment of it. Example: `!qtile.pending<64x128xf32>`.";
}

def QTile_ColumnsType : QTile_Type<"Columns", "columns"> {
  let summary = "one number for each column of a fragment, held by the threads that hold the column";
  let description = "Example: `!qtile.columns<128xf32>`.";
  let parameters = (ins "int64_t":$columns, "::mlir::Type":$elementType);
  let assemblyFormat = "`<` custom<Row>($columns, $elementType) `>`";
  let genVerifyDecl = 1;
}

def QTile_OperandType : QTile_Type<"Operand", "operand"> {
  let summary = "rows of an operand, 32 bytes each along the contraction, in the registers of a warp";
  let description = [{
    As an instruction of a warp takes them: layout `mma_a` on the left, `mma_b` on the right.

    - C1. Rows are a multiple of 16, at least 16; the element type is of 4 or 8 bits.

    Example: `!qtile.operand<lhs, 32xf8E4M3FN>`.
  }];
  let parameters = (ins EnumParameter<QTile_OperandSide>:$side, "int64_t":$rows, "::mlir::Type":$elementType);
  let assemblyFormat = "`<` custom<Word>($side) `,` custom<Row>($rows, $elementType) `>`";
  let genVerifyDecl = 1;
}

def QTile_ScaleWordsType : QTile_Type<"ScaleWords", "scale_words"> {
  let summary = "four scales of each row of an operand, along the contraction, in the registers of a warp";
  let description = [{
    A register has the four scales of a row as its bytes, and there is one for each 32 rows: layout `mma_scales`.

    - C1. Rows are a multiple of 32, at least 32; the element type is of 8 bits.

    Example: `!qtile.scale_words<64xf8E8M0FNU>`.
  }];
  let parameters = (ins "int64_t":$rows, "::mlir::Type":$elementType);
  let assemblyFormat = "`<` custom<Row>($rows, $elementType) `>`";
  let genVerifyDecl = 1;
}

#endif // FP8_OPT_DIALECT_QTILE_IR_QTILETYPES_TD
