// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Index arithmetic of kernels.

#include "IndexEmitter.h"

using namespace mlir;
using namespace fp8opt;

Value IndexEmitter::constant(int64_t number, unsigned width) {
  Value &value = known[{number, width}];
  if (!value) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(constants);
    value = arith::ConstantIntOp::create(builder, loc, number, width);
  }
  return value;
}

Value IndexEmitter::constant(int64_t number) { return constant(number, /*width=*/32); }

Value IndexEmitter::compare(arith::CmpIPredicate predicate, Index a, Index b) {
  return arith::CmpIOp::create(builder, loc, predicate, valueOf(a), valueOf(b));
}

Value IndexEmitter::select(Value condition, Value ifTrue, Value ifFalse) {
  return arith::SelectOp::create(builder, loc, condition, ifTrue, ifFalse);
}

Value IndexEmitter::widen(Index a) {
  if (!a.value)
    return constant(a.number, /*width=*/64);
  return arith::ExtUIOp::create(builder, loc, builder.getI64Type(), a.value);
}

Value IndexEmitter::widen(Value row, int64_t width) {
  return arith::MulIOp::create(builder, loc, widen(row), constant(width, /*width=*/64));
}
