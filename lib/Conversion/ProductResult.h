// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a graph does with the sums of a product that the product's kernel does on their way out, with the same
// bits.

#ifndef FP8_OPT_LIB_CONVERSION_PRODUCTRESULT_H
#define FP8_OPT_LIB_CONVERSION_PRODUCTRESULT_H

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fp8opt {

/// What the kernel leaves: a value of the graph, and what it is made of.
struct ProductResult {
  mlir::Value value;
  /// What is added to the whole product, and to each of its columns; null where nothing is.
  mlir::Value addend, bias;
  /// How the rows become dimensions of the value; null where the value is the matrix itself.
  mlir::tensor::ExpandShapeOp rows;
};

/// What the product itself is.
ProductResult ownResult(qt::MatmulOp matmul);
/// From there on, as far as one value is read by the next alone: rows become several dimensions, a number is
/// added to each column in f32, the sum is rounded.
ProductResult findResult(qt::MatmulOp matmul);

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_PRODUCTRESULT_H
