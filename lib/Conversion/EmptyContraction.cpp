// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products whose contraction may have no elements when the program runs: kernels are launched for others.

#include "Blocks.h"
#include "LaunchEmitter.h"

#include "fp8-opt/Emit/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fp8opt;

/// A sum of nothing, rounded as a kernel rounds: what is added to it, or zeros.
static Value emitSumOfNothing(OpBuilder &builder, Location loc, const LaunchEmitter::Met &met,
                              RankedTensorType type, ValueRange shapes) {
  if (met.addend)
    return met.addend;
  Type f32 = builder.getF32Type(), element = type.getElementType();
  SmallVector<OpFoldResult> sizes = getMixedValues(type.getShape(), shapes, builder);
  if (!met.bias)
    return emitZeros(builder, loc, sizes, element);
  auto leading = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank() - 1));
  Value empty = emitEmpty(builder, loc, sizes, getElementTypeOrSelf(met.bias));
  Value bias = linalg::BroadcastOp::create(builder, loc, met.bias, empty, leading)->getResult(0);
  return emitElementwise(builder, loc, {emitZeros(builder, loc, sizes, f32), bias}, element,
                         [&](OpBuilder &inside, Location at, ValueRange values) {
                           Value wide = convertScalarToDtype(inside, at, values[1], f32, false);
                           Value sum = arith::AddFOp::create(inside, at, values[0], wide);
                           return convertScalarToDtype(inside, at, sum, element, false);
                         });
}

Value LaunchEmitter::unlessEmpty(OpFoldResult contracted, const Met &met, RankedTensorType type,
                                 ValueRange shapes, llvm::function_ref<Value()> launch) {
  // A known size of 0 has no kernel.
  if (getConstantIntValue(contracted))
    return launch();
  Value none = arith::ConstantIndexOp::create(builder, loc, 0);
  Value isEmpty =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, cast<Value>(contracted), none);
  auto branch = scf::IfOp::create(builder, loc, type, isEmpty, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, emitSumOfNothing(builder, loc, met, type, shapes));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, launch());
  return branch.getResult(0);
}
