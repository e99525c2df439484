// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short ways to write ops.

#include "KernelValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fp8opt::nvvm;

int64_t fp8opt::nvvm::registersOf(int64_t rows, int64_t columns) {
  // 64 rows are spread over a warpgroup, 16 over a warp: both are 16 rows for each warp.
  return rows * columns / (rows == 64 ? groupThreads : warpThreads);
}

Value Writer::constant(int64_t value, unsigned bits) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(builder.getIntegerType(bits), value));
}

Value Writer::add(Value lhs, Value rhs) { return arith::AddIOp::create(builder, loc, lhs, rhs); }

Value Writer::add(Value lhs, int64_t rhs) {
  return rhs == 0 ? lhs : add(lhs, constant(rhs, lhs.getType().getIntOrFloatBitWidth()));
}

Value Writer::subtract(Value lhs, Value rhs) { return arith::SubIOp::create(builder, loc, lhs, rhs); }

Value Writer::multiply(Value lhs, Value rhs) { return arith::MulIOp::create(builder, loc, lhs, rhs); }

Value Writer::isBelowSigned(Value lhs, Value rhs) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, lhs, rhs);
}

Value Writer::multiply(Value lhs, int64_t rhs) {
  return rhs == 1
             ? lhs
             : arith::MulIOp::create(builder, loc, lhs, constant(rhs, lhs.getType().getIntOrFloatBitWidth()));
}

Value Writer::shiftLeft(Value lhs, int64_t bits) {
  return arith::ShLIOp::create(builder, loc, lhs, constant(bits));
}
Value Writer::shiftRight(Value lhs, int64_t bits) {
  return arith::ShRUIOp::create(builder, loc, lhs, constant(bits));
}
Value Writer::bitAnd(Value lhs, int64_t mask) {
  return arith::AndIOp::create(builder, loc, lhs, constant(mask));
}
Value Writer::bitXor(Value lhs, Value rhs) { return arith::XOrIOp::create(builder, loc, lhs, rhs); }
Value Writer::bitXor(Value lhs, int64_t rhs) { return rhs == 0 ? lhs : bitXor(lhs, constant(rhs)); }

Value Writer::select(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(builder, loc, condition, yes, no);
}

Value Writer::equal(Value lhs, int64_t rhs) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lhs, constant(rhs));
}

Value Writer::isBelow(Value lhs, Value rhs) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, lhs, rhs);
}

Value Writer::widen(Value value) { return arith::ExtUIOp::create(builder, loc, builder.getI64Type(), value); }

Value Writer::sharedPointer(Value address, unsigned space) {
  return LLVM::IntToPtrOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), space),
                                  widen(address));
}

Value Writer::element(Value pointer, Value offset, Type type) {
  // A size is all that an address needs of a type, and LLVM has no eight-bit floats. Of 4 bits, two are a
  // byte.
  constexpr unsigned byteBits = 8;
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits < byteBits)
    offset =
        arith::ShRUIOp::create(builder, loc, offset, constant(1, offset.getType().getIntOrFloatBitWidth()));
  Type sized = builder.getIntegerType(std::max(bits, byteBits));
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), sized, pointer, ArrayRef<LLVM::GEPArg>{offset});
}

SmallVector<Value> Writer::parts(Value whole) {
  SmallVector<Value> parts;
  for (int64_t i = 0, e = cast<LLVM::LLVMStructType>(whole.getType()).getBody().size(); i < e; ++i)
    parts.push_back(LLVM::ExtractValueOp::create(builder, loc, whole, i));
  return parts;
}

Value Writer::whole(Type type, ValueRange parts) {
  Value whole = LLVM::UndefOp::create(builder, loc, type);
  for (auto [i, part] : llvm::enumerate(parts))
    whole = LLVM::InsertValueOp::create(builder, loc, whole, part, i);
  return whole;
}
