// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales as a graph writes them: broadcast over the elements they are for, and moved with them.

#ifndef FP8_OPT_LIB_IMPORT_BLOCKSCALE_H
#define FP8_OPT_LIB_IMPORT_BLOCKSCALE_H

#include "fp8-opt/Import/Views.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/ADT/SmallBitVector.h"

#include <optional>

namespace fp8opt {

/// Stands in a block for the whole dimension.
constexpr int64_t kWhole = mlir::ShapedType::kDynamic;

/// A tensor that is constant on blocks: `value` has as many dimensions, dimension i of size
/// ceildiv(size, block[i]), 1 where that is kWhole, as it is for every size of 1. Its elements may be of a
/// narrower type than the tensor's; they are the same numbers.
struct BlockScale {
  mlir::Value value;
  llvm::SmallVector<int64_t> block;
};

mlir::Value transpose(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
                      llvm::ArrayRef<int64_t> permutation);
BlockScale transpose(mlir::OpBuilder &builder, mlir::Location loc, const BlockScale &scale,
                     llvm::ArrayRef<int64_t> permutation);

/// The same view of another tensor of the same shape.
mlir::Value moveElements(mlir::OpBuilder &builder, mlir::Operation *view, mlir::Value source);

/// What a scale of the view's operand is for its result; nothing where the blocks are none any more.
std::optional<BlockScale> moveScale(mlir::OpBuilder &builder, mlir::Operation *view, const BlockScale &scale);

/// The scale of a broadcast along the dimensions that are `added`.
BlockScale addDims(mlir::OpBuilder &builder, mlir::Location loc, const BlockScale &scale,
                   const llvm::SmallBitVector &added);

/// Finds the smallest tensor that another one is a broadcast of, by the ops that made it. It looks at a
/// bounded number of ops, and then takes what it has.
class Compactor {
public:
  explicit Compactor(mlir::OpBuilder &builder) : builder(builder) {}

  BlockScale compact(mlir::Value tensor);
  /// The same of a scalar in the body of an all-parallel op, that is, of the tensor that it would be if it
  /// were yielded; nothing if it cannot be computed outside, as when it depends on the place.
  std::optional<BlockScale> compactScalar(mlir::linalg::LinalgOp op, mlir::Value scalar);

private:
  std::optional<BlockScale> compute(mlir::linalg::LinalgOp op, mlir::Value scalar,
                                    llvm::ArrayRef<mlir::Operation *> slice,
                                    llvm::ArrayRef<BlockScale> inputs);

  mlir::OpBuilder &builder;
  unsigned budget = 64;
};

/// The f32 product of scales of one layout, of the reciprocal where `divides` says so; nothing where both
/// have blocks along a dimension and they differ.
std::optional<BlockScale> multiplyScales(mlir::OpBuilder &builder, mlir::Location loc,
                                         llvm::ArrayRef<BlockScale> scales, llvm::ArrayRef<bool> divides);

} // namespace fp8opt

#endif // FP8_OPT_LIB_IMPORT_BLOCKSCALE_H
