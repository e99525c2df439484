// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The largest magnitude of a matrix, which the cast that follows reads.

#include "QuantizeKernel.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// A block of threads takes 32 KB: enough loads in flight, and one atomic for all of it.
constexpr int64_t loadsOfThread = 8;

/// The number of elements in a vector that begins at `offset`, of `all`; both i64.
static Value countOfVector(QuantizeKernel &kernel, Value offset, Value all) {
  IndexEmitter &emit = kernel.emit;
  Value left = countFrom(emit, offset, all), most = emit.widen(Index(kernel.elementsOfChunk()));
  return arith::TruncIOp::create(kernel.builder(), kernel.loc(), kernel.builder().getI32Type(),
                                 emit.min(left, most));
}

void fp8opt::writeAmax(QuantizeKernel &kernel, AmaxOp amax) {
  IndexEmitter &emit = kernel.emit;
  OpBuilder &builder = kernel.builder();
  Location loc = kernel.loc();
  kernel.nan = kernel.numbers.levels.back().nan;
  const int64_t elements = kernel.elementsOfChunk(), step = quantizeThreads * elements,
                elementsOfBlock = step * loadsOfThread;
  // The matrix has no padding: it is read as one row.
  Value all = arith::MulIOp::create(builder, loc, emit.widen(kernel.rows), emit.widen(kernel.columns));
  Value start = emit.widen(kernel.block, elementsOfBlock);
  Value end = arith::AddIOp::create(builder, loc, start, emit.widen(Index(elementsOfBlock)));
  Value first = arith::AddIOp::create(builder, loc, start, emit.widen(emit.mul(kernel.thread, elements)));
  auto type = VectorType::get(elements, kernel.element);
  auto load = [&](bool isWhole) {
    SmallVector<Value> loaded;
    for (int64_t i = 0; i < loadsOfThread; ++i) {
      Value offset = arith::AddIOp::create(builder, loc, first, emit.widen(Index(i * step)));
      Value count = isWhole ? Value() : countOfVector(kernel, offset, all);
      loaded.push_back(LoadOp::create(builder, loc, type, kernel.source, offset, count, /*aligned=*/false));
    }
    return loaded;
  };
  Value isWhole = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, end, all);
  // Matrices of a batch follow each other without padding.
  if (kernel.matrix) {
    Value elements = emit.bitAnd(emit.mul(kernel.rows, kernel.columns), kernel.elementsOfChunk() - 1);
    isWhole = emit.both(isWhole, emit.isEqual(elements, 0));
  }
  SmallVector<Value> magnitudes;
  for (Value numbers : writeEither(emit, isWhole, [&] { return load(true); }, [&] { return load(false); }))
    magnitudes.push_back(writeMagnitudes(kernel, numbers));
  Value largest = writeBlockMax(kernel, writeVectorMax(kernel, writeMax(kernel, magnitudes)));
  Value word = writeWord(kernel, largest);
  writeIf(emit, emit.isEqual(kernel.thread, 0),
          [&] { AtomicMaxOp::create(builder, loc, word, amax.getInto(), emit.widen(Index(0))); });
  AffineExpr rows = getAffineSymbolExpr(0, amax.getContext()),
             columns = getAffineSymbolExpr(1, amax.getContext());
  setLaunch(amax, kernel, /*resident=*/4, (rows * columns).ceilDiv(elementsOfBlock));
}
