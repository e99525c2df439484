// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that move quantized tensors: codes and the scales of every level alike, so that no number changes.

#ifndef FP8_OPT_DIALECT_QT_IR_QTVIEWOPS_TD
#define FP8_OPT_DIALECT_QT_IR_QTVIEWOPS_TD

include "fp8-opt/Dialect/QT/IR/QTTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def QT_ReshapeOp : QT_Op<"reshape", [Pure, QT_MovesCodes]> {
  let summary = "Collapses or expands dimensions of a quantized tensor, and the grid of its blocks with them";
  let description = [{
    Elements keep their row-major order. Group i of `reassociation` lists the dimensions of the larger rank that are
    dimension i of the smaller one: collapsed if the result has the smaller rank, expanded if the operand has. `sizes` are those of
    the dynamic dimensions of an expanded result. The codes of the result are those of the operand; so are the scales,
    which is what C4 makes sure of.

    - C1. The groups are consecutive, hold at least one dimension each, and cover the larger rank; there is one for each
      dimension of the smaller rank, which is at least 1.
    - C2. The size of a dimension is the product of the sizes in its group; it is dynamic exactly if one of them is.
    - C3. There is a size for each dynamic dimension of an expanded result, and none otherwise.
    - C4. At every scale level each block of a dimension holds the elements of one block of its group: the block of the group
      is whole in the last dimensions, divides one before them (or is the first that is not 1), and is 1 in those in front. `*`, and
      a block that is as large as its dimension, are the same; so are `per tensor` and `[*, *]`. Otherwise the schemes
      are equal, and the expressed types.

    Example:
    ```mlir
    %r = qt.reshape %q [[0, 1], [2]] : !qt.tensor<2x128x64xbf16, #mx> -> !qt.tensor<256x64xbf16, #mx>
    ```
  }];
  let arguments = (ins QT_TensorType:$input, IndexListArrayAttr:$reassociation, Variadic<Index>:$sizes);
  let results = (outs QT_TensorType:$result);
  let assemblyFormat = [{ $input $reassociation (`sizes` `(` $sizes^ `)`)? attr-dict
                          `:` qualified(type($input)) `->` qualified(type($result)) }];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::ReassociationIndices> getGroups();
    /// Whether the result has the smaller rank.
    bool isCollapse() { return getType().getRank() < getInput().getType().getRank(); }
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def QT_SliceOp : QT_Op<"slice", [Pure, QT_MovesCodes, AttrSizedOperandSegments,
                                 DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Takes a slice of a quantized tensor in whole blocks";
  let description = [{
    result[i, j, ...] = operand[offset0 + stride0 * i, offset1 + stride1 * j, ...]; the scales of the blocks that the slice
    covers go with it.

    - C1. There is an offset, a size and a stride for each dimension, none negative, strides at least 1.
    - C2. Known offsets, sizes and strides stay within the operand.
    - C3. At every scale level and in every dimension, the slice takes all of the dimension, or the block is 1, or the stride
      is 1 and the slice begins on a multiple of the block, known, and ends on one or at the end of the dimension.

    Example:
    ```mlir
    %s = qt.slice %q[0, 64] [256, 32] [1, 1] : !qt.tensor<256x128xbf16, #mx> -> !qt.tensor<256x32xbf16, #mx>
    ```
  }];
  let arguments = (ins QT_TensorType:$input, Variadic<Index>:$offsets, Variadic<Index>:$sizes, Variadic<Index>:$strides,
                       DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes,
                       DenseI64ArrayAttr:$static_strides);
  let results = (outs QT_TensorType:$result);
  let assemblyFormat = [{ $input `` custom<DynamicIndexList>($offsets, $static_offsets)
                          custom<DynamicIndexList>($sizes, $static_sizes)
                          custom<DynamicIndexList>($strides, $static_strides)
                          attr-dict `:` qualified(type($input)) `->` qualified(type($result)) }];
  let hasFolder = 1;
}

def QT_ConcatOp : QT_Op<"concat", [Pure, QT_MovesCodes, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Joins quantized tensors along a dimension, in whole blocks";
  let description = [{
    The operands follow each other along `dim`; their codes do, and the scales of their blocks.

    - C1. There is at least one operand; `dim` is a dimension.
    - C2. The operands have one scheme, one expressed type, one rank, and equal sizes in all dimensions but `dim`.
    - C3. At every scale level the block along `dim` divides the size of each operand but the last, known; it is `*` only
      of a single operand.

    Example:
    ```mlir
    %c = qt.concat dim(1) %a, %b : (!qt.tensor<8x64xbf16, #mx>, !qt.tensor<8x20xbf16, #mx>) -> !qt.tensor<8x84xbf16, #mx>
    ```
  }];
  let arguments = (ins Variadic<QT_TensorType>:$inputs, I64Attr:$dim);
  let results = (outs QT_TensorType:$result);
  let assemblyFormat = "`dim` `(` $dim `)` $inputs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def QT_BroadcastOp : QT_Op<"broadcast", [Pure, QT_MovesCodes]> {
  let summary = "Repeats a quantized tensor along new dimensions";
  let description = [{
    The dimensions of the result that are listed in `dimensions` are new, every slice along them is the operand; `sizes`
    are those of the dynamic ones. Codes are repeated, and scales for each block of the new dimensions.

    - C1. `dimensions` are dimensions of the result, each greater than the one before, and as many as it has more than the operand.
    - C2. The other dimensions of the result have the sizes of the operand.
    - C3. There is a size for each new dynamic dimension.
    - C4. At every scale level the block of the result is that of the operand in the dimensions of the operand. In a new
      dimension it is any, but `*` only where the size is known and not 0: the one scale of an empty dimension is that of nothing.
      Otherwise the schemes are equal, and the expressed types.

    Example:
    ```mlir
    %b = qt.broadcast %q dimensions = [0] : !qt.tensor<64xbf16, #mx> -> !qt.tensor<8x64xbf16, #mx>
    ```
  }];
  let arguments = (ins QT_TensorType:$input, DenseI64ArrayAttr:$dimensions, Variadic<Index>:$sizes);
  let results = (outs QT_TensorType:$result);
  let assemblyFormat = [{ $input `dimensions` `=` $dimensions (`sizes` `(` $sizes^ `)`)? attr-dict
                          `:` qualified(type($input)) `->` qualified(type($result)) }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def QT_PadOp : QT_Op<"pad", [Pure, QT_MovesCodes, AttrSizedOperandSegments,
                             DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Adds blocks of zeros around a quantized tensor";
  let description = [{
    Adds `low` elements in front of each dimension and `high` behind it. They have the code of plus zero, and their blocks the
    scales of an amax of 0.

    - C1. There is a low and a high amount for each dimension, none negative.
    - C2. At every scale level no added element shares a block with one of the operand: where a dimension grows, its block is 1, or
      it divides `low` and, if `high` is not 0, the size of the operand, all known. A zero in a block of a NaN is a NaN, so zeros in
      a block that has other elements cannot be added without reading its scale.

    Example:
    ```mlir
    %p = qt.pad %q low[0, 0] high[3, 32] : !qt.tensor<5x64xbf16, #mx> -> !qt.tensor<8x96xbf16, #mx>
    ```
  }];
  let arguments = (ins QT_TensorType:$input, Variadic<Index>:$low, Variadic<Index>:$high,
                       DenseI64ArrayAttr:$static_low, DenseI64ArrayAttr:$static_high);
  let results = (outs QT_TensorType:$result);
  let assemblyFormat = [{ $input `low` `` custom<DynamicIndexList>($low, $static_low)
                          `high` `` custom<DynamicIndexList>($high, $static_high)
                          attr-dict `:` qualified(type($input)) `->` qualified(type($result)) }];
  let hasFolder = 1;
}

#endif // FP8_OPT_DIALECT_QT_IR_QTVIEWOPS_TD
