// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of the dimensions of a product's operand on the way back to what it is made of.

#ifndef FP8_OPT_LIB_CONVERSION_OPERANDDIMENSIONS_H
#define FP8_OPT_LIB_CONVERSION_OPERANDDIMENSIONS_H

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

#include <string>

namespace fp8opt {

/// For each dimension of an operand the dimensions of the value it was made of, the outer ones first.
using Dimensions = llvm::SmallVector<llvm::SmallVector<int64_t>>;

/// Of a value itself: each dimension is its own.
Dimensions dimensionsOf(mlir::Value value);

/// The same before a transpose, before dimensions were collapsed, and before some were expanded to `shape`:
/// none where the operand has parts of one such dimension apart, or in another order.
Dimensions throughTranspose(const Dimensions &dimensions, llvm::ArrayRef<int64_t> permutation);
Dimensions throughCollapse(const Dimensions &dimensions, llvm::ArrayRef<mlir::ReassociationIndices> groups);
std::optional<Dimensions> throughExpand(const Dimensions &dimensions,
                                        llvm::ArrayRef<mlir::ReassociationIndices> groups,
                                        llvm::ArrayRef<int64_t> shape);

/// The elements of these dimensions of a shape together, of those whose size is known.
int64_t countKnown(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> dimensions);

/// Why kernels cannot count the elements of these dimensions of a shape together, as the end of a sentence
/// "it stays because ..."; empty if they can. Of a size that is not known it is not asked.
std::string whyNotCounted(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> dimensions);
/// Why kernels cannot count the rows of all matrices of a result together, in which one finds its own.
std::string whyNotCountedRows(mlir::RankedTensorType result);

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_OPERANDDIMENSIONS_H
