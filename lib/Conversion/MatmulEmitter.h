// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emission of one product of quantized operands: in the order of the Spec, or as one contraction.

#ifndef FP8_OPT_LIB_CONVERSION_MATMULEMITTER_H
#define FP8_OPT_LIB_CONVERSION_MATMULEMITTER_H

#include "Blocks.h"
#include "Reference.h"

namespace fp8opt {

/// Emits one product. Shapes in comments leave the batch dimensions out; KB is the number of K blocks, k
/// their size.
class MatmulEmitter {
public:
  MatmulEmitter(mlir::OpBuilder &builder, mlir::Location loc, const Parts &lhs, const Parts &rhs)
      : builder(builder), loc(loc), lhs(lhs), rhs(rhs), f32(builder.getF32Type()), rank(lhs.type.getRank()),
        batch(rank - 2), lhsSizes(emitSizes(builder, loc, lhs.codes)),
        rhsSizes(emitSizes(builder, loc, rhs.codes)), blockSize(smallerBlock()) {}

  /// K blocks in order, products in order, multiply then add: the numbers of the Spec.
  mlir::Value emitOrdered(mlir::Value addend, mlir::RankedTensorType type);
  /// One linalg.contract: the same products, added in whatever order the engine likes. Where the scales
  /// change along K they are multiplied into the operands, else into the sum.
  mlir::Value emitContraction(mlir::Value addend, mlir::RankedTensorType type);

private:
  int64_t smallerBlock();
  void assertSizesAgree();
  Blocks kBlocks(const Parts &operand, llvm::ArrayRef<mlir::OpFoldResult> sizes);
  mlir::Value decodeLhs();                                                               // [M, KB, k]
  mlir::Value decodeRhs();                                                               // [KB, k, N]
  mlir::Value rowScales(const Parts &operand, llvm::ArrayRef<mlir::OpFoldResult> sizes); // [rows, KB]
  mlir::Value partialSums(mlir::Value lhsBlock, mlir::Value rhsBlock); // [M, k] x [k, N] -> [M, N]
  mlir::Value addScaled(mlir::Value sums, mlir::Value partial, mlir::Value lhsScale, mlir::Value rhsScale);
  mlir::Value block(mlir::Value tensor, unsigned dim, mlir::OpFoldResult index);
  mlir::Value finish(mlir::Value sums, mlir::Value addend, mlir::Type element);
  bool hasZeroSize();
  bool isOneBlock();
  mlir::Value contractionOperand(const Parts &operand, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                                 mlir::Type element); // [rows, K]
  mlir::Value contract(mlir::Value lhsNumbers, mlir::Value rhsNumbers);

  llvm::SmallVector<mlir::OpFoldResult> batchSizes() {
    return llvm::SmallVector<mlir::OpFoldResult>(llvm::ArrayRef(lhsSizes).take_front(batch));
  }
  llvm::SmallVector<mlir::OpFoldResult> resultSizes() {
    llvm::SmallVector<mlir::OpFoldResult> sizes = batchSizes();
    sizes.append({lhsSizes[batch], rhsSizes[batch]});
    return sizes;
  }
  /// The map to the batch loops and these others, of `loops` loops in all.
  mlir::AffineMap map(unsigned loops, llvm::ArrayRef<unsigned> others) {
    llvm::SmallVector<mlir::AffineExpr> results;
    for (unsigned dim = 0; dim < batch; ++dim)
      results.push_back(builder.getAffineDimExpr(dim));
    for (unsigned other : others)
      results.push_back(builder.getAffineDimExpr(batch + other));
    return mlir::AffineMap::get(batch + loops, 0, results, builder.getContext());
  }
  llvm::SmallVector<mlir::utils::IteratorType> parallel(unsigned loops) {
    return llvm::SmallVector<mlir::utils::IteratorType>(batch + loops, mlir::utils::IteratorType::parallel);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Parts &lhs, &rhs;
  mlir::Type f32;
  unsigned rank, batch;
  llvm::SmallVector<mlir::OpFoldResult> lhsSizes, rhsSizes;
  int64_t blockSize; // along K; kDynamic: one block
};

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_MATMULEMITTER_H
