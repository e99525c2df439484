// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applies the maps of a layout in IR, as arith ops.

#ifndef FP8_OPT_EMIT_LAYOUTEMITTER_H
#define FP8_OPT_EMIT_LAYOUTEMITTER_H

#include "fp8-opt/Layout/Layout.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SetVector.h"

namespace fp8opt {

/// Writes the results of a map (any of a layout's) at `dims`, with `symbols`. Each of them is a value of the
/// emitter's type, or an integer attribute; constants are put into the map first, so that arithmetic on them
/// leaves no ops. One emitter writes one place of a program: it holds on to what it wrote, and writes equal
/// expressions of equal operands once.
///
/// Requires that no dim or symbol is negative at run time, as indices and sizes are not: division by a power
/// of two becomes a shift, and its remainder a mask. Arithmetic is modulo 2^width, so with i32 the results
/// must be below 2^31.
class LayoutEmitter {
public:
  /// `type` is index or an integer of at least 32 bits.
  LayoutEmitter(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type)
      : builder(builder), loc(loc), type(type) {}

  mlir::SmallVector<mlir::Value> apply(mlir::AffineMap map, mlir::ArrayRef<mlir::OpFoldResult> dims,
                                       mlir::ArrayRef<mlir::OpFoldResult> symbols);

private:
  mlir::AffineExpr expressionOf(mlir::OpFoldResult operand);
  mlir::Value valueOf(mlir::AffineExpr expression);
  mlir::Value emit(mlir::AffineExpr expression);
  mlir::Value emit(mlir::AffineBinaryOpExpr expression);
  mlir::Value constant(int64_t value);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
  /// Operands are the symbols of expressions, numbered in this order. Symbols, as any expression may be
  /// multiplied by one and divided by one.
  llvm::SetVector<mlir::Value> operands;
  mlir::DenseMap<mlir::AffineExpr, mlir::Value> written;
};

} // namespace fp8opt

#endif // FP8_OPT_EMIT_LAYOUTEMITTER_H
