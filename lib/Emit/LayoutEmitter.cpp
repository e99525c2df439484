// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applies the maps of a layout in IR, as arith ops. Upstream's affine.apply allows negative dividends, and
// pays a comparison and a select for each division.

#include "fp8-opt/Emit/LayoutEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fp8opt;

SmallVector<Value> LayoutEmitter::apply(AffineMap map, ArrayRef<OpFoldResult> dims,
                                        ArrayRef<OpFoldResult> symbols) {
  assert(dims.size() == map.getNumDims() && symbols.size() == map.getNumSymbols() && "operands of the map");
  SmallVector<AffineExpr> dimExpressions, symbolExpressions;
  for (OpFoldResult dim : dims)
    dimExpressions.push_back(expressionOf(dim));
  for (OpFoldResult symbol : symbols)
    symbolExpressions.push_back(expressionOf(symbol));
  SmallVector<Value> results;
  for (AffineExpr result : map.getResults())
    results.push_back(valueOf(result.replaceDimsAndSymbols(dimExpressions, symbolExpressions)));
  return results;
}

AffineExpr LayoutEmitter::expressionOf(OpFoldResult operand) {
  if (auto attribute = dyn_cast<Attribute>(operand))
    return getAffineConstantExpr(cast<IntegerAttr>(attribute).getInt(), builder.getContext());
  Value value = cast<Value>(operand);
  assert(value.getType() == type && "operands are of the emitter's type");
  operands.insert(value);
  const auto *place = llvm::find(operands, value);
  return getAffineSymbolExpr(place - operands.begin(), builder.getContext());
}

Value LayoutEmitter::valueOf(AffineExpr expression) {
  if (Value value = written.lookup(expression))
    return value;
  Value value = emit(expression);
  written[expression] = value;
  return value;
}

Value LayoutEmitter::emit(AffineExpr expression) {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return operands[symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return this->constant(constant.getValue());
  return emit(cast<AffineBinaryOpExpr>(expression));
}

Value LayoutEmitter::emit(AffineBinaryOpExpr expression) {
  Value left = valueOf(expression.getLHS());
  auto divisor = dyn_cast<AffineConstantExpr>(expression.getRHS());
  const bool isShift = divisor && llvm::isPowerOf2_64(divisor.getValue());
  switch (expression.getKind()) {
  case AffineExprKind::Add:
    return builder.createOrFold<arith::AddIOp>(loc, left, valueOf(expression.getRHS()));
  case AffineExprKind::Mul:
    return builder.createOrFold<arith::MulIOp>(loc, left, valueOf(expression.getRHS()));
  case AffineExprKind::Mod:
    return isShift ? builder.createOrFold<arith::AndIOp>(loc, left, constant(divisor.getValue() - 1))
                   : builder.createOrFold<arith::RemUIOp>(loc, left, valueOf(expression.getRHS()));
  case AffineExprKind::CeilDiv: {
    Value last = valueOf(expression.getRHS() - 1);
    left = builder.createOrFold<arith::AddIOp>(loc, left, last);
    [[fallthrough]];
  }
  case AffineExprKind::FloorDiv:
    return isShift
               ? builder.createOrFold<arith::ShRUIOp>(loc, left, constant(llvm::Log2_64(divisor.getValue())))
               : builder.createOrFold<arith::DivUIOp>(loc, left, valueOf(expression.getRHS()));
  default:
    llvm_unreachable("a binary expression");
  }
}

Value LayoutEmitter::constant(int64_t value) {
  AffineExpr expression = getAffineConstantExpr(value, builder.getContext());
  Value &constant = written[expression];
  if (!constant)
    constant = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  return constant;
}
