// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that do nothing but cast elements.

#ifndef FP8_OPT_IMPORT_CASTS_H
#define FP8_OPT_IMPORT_CASTS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fp8opt {

/// The cast that is all an op does to its first operand, element by element in place; null if it does more.
template <typename CastOp> CastOp onlyCast(mlir::Operation *op) {
  if (auto cast = llvm::dyn_cast_or_null<CastOp>(op))
    return cast;
  auto generic = llvm::dyn_cast_or_null<mlir::linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 1 || generic.getNumResults() != 1 ||
      generic.getNumParallelLoops() != generic.getNumLoops() ||
      !llvm::all_of(generic.getIndexingMapsArray(), [](mlir::AffineMap map) { return map.isIdentity(); }))
    return {};
  mlir::Block &body = *generic.getBody();
  auto cast = llvm::dyn_cast<CastOp>(body.front());
  if (!cast || cast.getIn() != body.getArgument(0) || !llvm::hasNItems(body, 2) ||
      body.getTerminator()->getOperand(0) != cast.getOut())
    return {};
  return cast;
}

/// The narrowing cast that is the only reader of a product, of a type the product itself can round to; null
/// if none.
mlir::Operation *onlyRounding(mlir::Value product);

} // namespace fp8opt

#endif // FP8_OPT_IMPORT_CASTS_H
