// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Index arithmetic of kernels, unsigned: on i32, and on values that are both i64.

#ifndef FP8_OPT_LIB_KERNELS_INDEXEMITTER_H
#define FP8_OPT_LIB_KERNELS_INDEXEMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace fp8opt {

/// A value of a kernel, or a number that becomes one.
class Index {
public:
  Index(mlir::Value value) : value(value) {}
  Index(int64_t number) : number(number) {}
  /// Null where it is a number.
  mlir::Value value;
  int64_t number = 0;
};

/// Writes ops at the builder's insertion point, and constants once, at the start of a block that dominates
/// all of them.
class IndexEmitter {
public:
  IndexEmitter(mlir::OpBuilder &builder, mlir::Location loc, mlir::Block *constants)
      : builder(builder), loc(loc), constants(constants) {}

  mlir::Value constant(int64_t number);
  mlir::Value add(Index a, Index b) { return write<mlir::arith::AddIOp>(a, b); }
  mlir::Value sub(Index a, Index b) { return write<mlir::arith::SubIOp>(a, b); }
  mlir::Value mul(Index a, Index b) { return write<mlir::arith::MulIOp>(a, b); }
  mlir::Value div(Index a, Index b) { return write<mlir::arith::DivUIOp>(a, b); }
  mlir::Value rem(Index a, Index b) { return write<mlir::arith::RemUIOp>(a, b); }
  mlir::Value min(Index a, Index b) { return write<mlir::arith::MinUIOp>(a, b); }
  mlir::Value bitAnd(Index a, Index b) { return write<mlir::arith::AndIOp>(a, b); }
  mlir::Value ceilDiv(mlir::Value a, int64_t b) { return div(add(a, b - 1), b); }
  mlir::Value roundUp(mlir::Value a, int64_t multiple) { return mul(ceilDiv(a, multiple), multiple); }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, Index a, Index b);
  mlir::Value isEqual(Index a, Index b) { return compare(mlir::arith::CmpIPredicate::eq, a, b); }
  mlir::Value isLess(Index a, Index b) { return compare(mlir::arith::CmpIPredicate::ult, a, b); }
  mlir::Value both(mlir::Value a, mlir::Value b) { return mlir::arith::AndIOp::create(builder, loc, a, b); }
  mlir::Value select(mlir::Value condition, mlir::Value ifTrue, mlir::Value ifFalse);
  mlir::Value mulF(mlir::Value a, mlir::Value b) { return mlir::arith::MulFOp::create(builder, loc, a, b); }
  /// As i64, for an offset in global memory.
  mlir::Value widen(Index a);
  /// (row * width) as i64, where the product may not fit 32 bits.
  mlir::Value widen(mlir::Value row, int64_t width);

  mlir::OpBuilder &builder;
  const mlir::Location loc;

private:
  template <typename OpT> mlir::Value write(Index a, Index b) {
    return OpT::create(builder, loc, valueOf(a), valueOf(b));
  }
  mlir::Value valueOf(Index index) { return index.value ? index.value : constant(index.number); }
  mlir::Value constant(int64_t number, unsigned width);

  mlir::Block *constants;
  /// By number, of 32 and of 64 bits.
  llvm::DenseMap<std::pair<int64_t, unsigned>, mlir::Value> known;
};

} // namespace fp8opt

#endif // FP8_OPT_LIB_KERNELS_INDEXEMITTER_H
