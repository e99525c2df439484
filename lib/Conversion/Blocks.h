// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor cut into the blocks of a scale level, in IR.

#ifndef FP8_OPT_LIB_CONVERSION_BLOCKS_H
#define FP8_OPT_LIB_CONVERSION_BLOCKS_H

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace fp8opt {

/// Cuts each dimension of a tensor into an index of the block (outer) and an index inside the block (inner):
///
///   block size          outer   inner
///   1                   yes     -
///   the whole dimension -       yes
///   else                yes     yes
///
/// so that a [256, 1000] tensor in blocks of [1, 128] has the split shape [256, 8, 128], and its blocks the
/// shape [256, 8]. A dimension that its block does not divide is padded at the end, with zeros.
class Blocks {
public:
  /// `sizes` are those of the tensor; `block` has the same rank, ShapedType::kDynamic is a whole dimension.
  Blocks(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<mlir::OpFoldResult> sizes,
         llvm::ArrayRef<int64_t> block);

  /// The tensor in split shape.
  mlir::Value split(mlir::Value tensor);
  /// A tensor of split shape in the shape of the tensor.
  mlir::Value join(mlir::Value split);
  /// A scale tensor with a size of 1 for each whole dimension, or one of batch dimensions only, without them;
  /// and back.
  mlir::Value squeeze(mlir::Value scales);
  mlir::Value unsqueeze(mlir::Value perBlock, mlir::RankedTensorType type);

  /// The sizes of the split shape and of the blocks' shape.
  llvm::SmallVector<mlir::OpFoldResult> splitSizes() const;
  llvm::SmallVector<mlir::OpFoldResult> blockSizes() const;
  /// From the split loops to the element and to the block.
  mlir::AffineMap elementMap() const;
  mlir::AffineMap blockMap() const;
  /// Outer loops are parallel; inner loops are `inner`.
  llvm::SmallVector<mlir::utils::IteratorType> iterators(mlir::utils::IteratorType inner) const;
  unsigned numBlockDims() const;

private:
  struct Dim {
    mlir::OpFoldResult size;  // of the tensor
    mlir::OpFoldResult outer; // null if absent
    mlir::OpFoldResult inner; // null if absent
    bool padded = false;
  };
  llvm::SmallVector<mlir::ReassociationIndices> reassociation() const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::SmallVector<Dim> dims;
};

/// An all-parallel or reducing linalg.generic that reads `inputs` by `maps` and writes results of `types`
/// elements; the last `inits.size()` maps are those of the results. `body` gets the elements, those of the
/// inits last.
llvm::SmallVector<mlir::Value>
emitGeneric(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange inputs, mlir::ValueRange inits,
            llvm::ArrayRef<mlir::AffineMap> maps, llvm::ArrayRef<mlir::utils::IteratorType> iterators,
            llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &, mlir::ValueRange)> body);

/// The sizes of a tensor: an attribute where its type has one, else a value, also where that could be folded,
/// so that the types made of them are those that the conversion expects.
llvm::SmallVector<mlir::OpFoldResult> emitSizes(mlir::OpBuilder &builder, mlir::Location loc,
                                                mlir::Value tensor);

/// An uninitialised tensor, and one filled with zeros.
mlir::Value emitEmpty(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                      mlir::Type element);
mlir::Value emitZeros(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                      mlir::Type element);

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_BLOCKS_H
