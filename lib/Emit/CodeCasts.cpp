// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts between f32 and floats of at most eight bits, by the integer arithmetic of Numerics.

#include "fp8-opt/Emit/CodeCasts.h"

#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Numerics/Arithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace fp8opt;

static std::optional<numerics::FormatId> formatOf(Type type) {
  return numerics::formatNamed(llvm::to_string(type));
}

bool fp8opt::isCodeFloat(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 8 && formatOf(type);
}

Value fp8opt::emitDecode(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType(), bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
  ArithEmitter emit(builder, loc);
  Value code = emit.wordOfStored(arith::BitcastOp::create(builder, loc, bits, value));
  return arith::BitcastOp::create(builder, loc, builder.getF32Type(),
                                  numerics::decode(emit, numerics::format(*formatOf(type)), code));
}

Value fp8opt::emitEncode(OpBuilder &builder, Location loc, Value f32, Type type) {
  numerics::Conversion how;
  how.overflow = numerics::Overflow::Ieee;
  ArithEmitter emit(builder, loc);
  Value code =
      numerics::encode(emit, numerics::format(*formatOf(type)), how, emit.wordOfFloat(f32), emit.constant(0));
  Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
  return arith::BitcastOp::create(builder, loc, type, emit.storedOfWord(code, bits));
}
