// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers for tuples, and for computations that are alike.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_ROLENUMBERS_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_ROLENUMBERS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Allocator.h"

namespace fp8opt::qt::roles {

/// Numbers tuples of words in the order they first come, from 0.
class TupleNumbers {
public:
  unsigned get(llvm::ArrayRef<uint64_t> tuple);
  unsigned size() const { return numbers.size(); }

private:
  llvm::BumpPtrAllocator words;
  llvm::DenseMap<llvm::ArrayRef<uint64_t>, unsigned> numbers;
};

/// Numbers computations: the results of two ops have one number if name, attributes, body, result types and
/// the numbers of what they read are equal. So straight-line recomputation equals its original.
class StructuralNumbers {
public:
  /// The number of a value that is alike only to itself.
  unsigned getLeaf() { return count++; }
  /// Numbers the results of an op without side effects. `numberOf` gives the numbers of values from outside;
  /// `isRead` says whether the body reads the operand: one that is not read counts by its type alone.
  llvm::SmallVector<unsigned> get(mlir::Operation *op, llvm::function_ref<unsigned(mlir::Value)> numberOf,
                                  llvm::function_ref<bool(mlir::OpOperand &)> isRead);

private:
  unsigned count = 0;
  TupleNumbers tuples;
  std::vector<unsigned> numberOfTuple;
};

} // namespace fp8opt::qt::roles

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_ROLENUMBERS_H
