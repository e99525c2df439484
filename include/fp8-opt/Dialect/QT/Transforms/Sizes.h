// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sizes that are known at run time only count as, and what values take in memory by them.

#ifndef FP8_OPT_DIALECT_QT_TRANSFORMS_SIZES_H
#define FP8_OPT_DIALECT_QT_TRANSFORMS_SIZES_H

#include "fp8-opt/Dialect/QT/Transforms/MemoryCost.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::tensor {
class ExtractSliceOp;
class ReshapeOp;
} // namespace mlir::tensor

namespace fp8opt::qt {

/// Counts the sizes of all values of a function. A dynamic size of an argument, or of what nothing is known
/// of, counts as 1, and all others by how they come of those: `?` heads and batch collapsed counts as the
/// heads. So a tensor and its views have one number of elements. Where a division leaves less than 1, that is
/// counted as 1.
///
/// Holds for the program as it was when made: a value may be erased, but no other one asked about that came
/// later.
class Sizes {
public:
  explicit Sizes(mlir::Operation *function);

  /// Of each dimension of a tensor, plain or quantized.
  llvm::SmallVector<int64_t> of(mlir::Value tensor) const;

  int64_t bytesOf(mlir::Value value) const;
  /// Of a tensor of `type`, with the sizes of `like`.
  int64_t bytesOf(mlir::Type type, mlir::Value like) const;

  /// What making `to` of `from` moves: the source is read `timesRead` times, codes and scales are written.
  Traffic quantizing(mlir::Value from, QTensorType to) const;
  /// The same for an op as it stands: with given scales or a given amax the source is read once, and they
  /// are.
  Traffic trafficOf(QuantizeOp op) const;
  Traffic trafficOf(RequantizeOp op) const;

private:
  /// An integer of the program: what it counts as, and whether it depends on a dynamic size.
  struct Count {
    int64_t value = 1;
    bool isDynamic = true;
  };

  void note(mlir::Operation *op);
  void noteInteger(mlir::Operation *op);
  void noteTensors(mlir::Operation *op);
  void noteOp(mlir::tensor::ReshapeOp reshape);
  void noteOp(mlir::tensor::ExtractSliceOp slice);
  void noteOp(MatmulOp matmul);
  void noteOp(AmaxOp amax);
  void noteCarried(mlir::Operation *op);
  void note(mlir::Value value, Count count);
  /// Sizes that the type knows are left as they are.
  void note(mlir::Value tensor, llvm::ArrayRef<int64_t> counts);
  void noteDynamic(mlir::Value tensor, mlir::ValueRange sizes);
  void noteGrouped(mlir::Value result, mlir::Value operand, llvm::ArrayRef<mlir::ReassociationIndices> groups,
                   mlir::ValueRange sizes);
  void noteSame(mlir::Value value, mlir::Value as);
  Count integer(mlir::Value value) const;
  llvm::SmallVector<int64_t> withDynamic(mlir::Value tensor, mlir::ValueRange sizes) const;

  /// Only what differs from what is assumed.
  llvm::DenseMap<mlir::Value, Count> integers;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<int64_t>> tensors;
};

} // namespace fp8opt::qt

#endif // FP8_OPT_DIALECT_QT_TRANSFORMS_SIZES_H
