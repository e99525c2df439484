// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values are the same numbers, seen through views.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_VIEWS_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_VIEWS_H

#include "fp8-opt/Import/Views.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <tuple>
#include <vector>

namespace fp8opt::qt {

/// Numbers values such that equal views of equal values have one number. A transpose at the end is kept
/// apart, also one below a collapse: what counts of that is which dimensions it joins, in which order. No
/// value is looked at twice, so that asking for every value of a program is linear. A value may not be erased
/// while it is asked about: a new one at its address would inherit its number.
class Views {
public:
  struct Oriented {
    unsigned number;                        // of the value before the transpose
    llvm::SmallVector<int64_t> permutation; // result dimension i is its dimension permutation[i]
  };

  /// `value` is a ranked tensor.
  Oriented orient(mlir::Value value);

private:
  /// What is done, numbers of the operands and integers, attributes, type without the transpose: all but the
  /// numbers are uniqued pointers.
  using Key = std::tuple<const void *, std::vector<int64_t>, const void *, const void *>;

  unsigned known(Key key);
  /// The number of a value as it is laid.
  unsigned number(mlir::Value value);
  Oriented find(mlir::Value value);

  llvm::DenseMap<mlir::Value, Oriented> oriented;
  std::map<Key, unsigned> views;
  unsigned next = 0;
};

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_VIEWS_H
