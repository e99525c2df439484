// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads of all quantizers do: load, find an amax, make a scale of it, encode.

#include "QuantizeKernel.h"

#include "fp8-opt/Layout/Layouts.h"

#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Numerics/ScaleRule.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

// Vectors of the source.

Value fp8opt::writeIsAligned(QuantizeKernel &kernel) {
  return kernel.emit.isEqual(kernel.emit.bitAnd(kernel.columns, kernel.elementsOfChunk() - 1), 0);
}

SmallVector<Value> fp8opt::loadRuns(QuantizeKernel &kernel, ArrayRef<Run> runs, int64_t length,
                                    bool isAligned) {
  IndexEmitter &emit = kernel.emit;
  OpBuilder &builder = kernel.builder();
  auto type = VectorType::get(length, kernel.element);
  SmallVector<Value> offsets, counts;
  for (Run run : runs) {
    Value inside = emit.both(emit.isLess(run.row, kernel.rows), emit.isLess(run.column, kernel.columns));
    counts.push_back(emit.select(inside, emit.sub(kernel.columns, run.column), emit.constant(0)));
    Value start = arith::MulIOp::create(builder, emit.loc, emit.widen(run.row), emit.widen(kernel.columns));
    offsets.push_back(arith::AddIOp::create(builder, emit.loc, start, emit.widen(run.column)));
  }
  auto load = [&](bool isAligned) {
    return llvm::map_to_vector(llvm::zip_equal(offsets, counts), [&](auto place) -> Value {
      auto [offset, count] = place;
      return LoadOp::create(builder, emit.loc, type, kernel.source, offset, count, isAligned);
    });
  };
  if (isAligned)
    return load(true);
  // One question for all loads, so that they follow each other.
  return writeEither(emit, writeIsAligned(kernel), [&] { return load(true); }, [&] { return load(false); });
}

Value fp8opt::countFrom(IndexEmitter &emit, Value first, Value all) {
  return emit.sub(all, emit.min(first, all));
}

// Magnitudes.

Value fp8opt::writeMagnitudes(QuantizeKernel &kernel, Value numbers) {
  OpBuilder &builder = kernel.builder();
  Location loc = kernel.loc();
  auto type = VectorType::get(cast<VectorType>(numbers.getType()).getShape(), kernel.bits);
  auto constant = [&](const APInt &bits) -> Value {
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, bits));
  };
  unsigned width = kernel.bits.getIntOrFloatBitWidth();
  Value bits = arith::BitcastOp::create(builder, loc, type, numbers);
  Value magnitudes = arith::AndIOp::create(builder, loc, bits, constant(APInt::getSignedMaxValue(width)));
  if (kernel.nan == numerics::NanAmax::Propagate)
    return magnitudes;
  APInt infinity = APFloat::getInf(cast<FloatType>(kernel.element).getFloatSemantics()).bitcastToAPInt();
  Value isNan =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, magnitudes, constant(infinity));
  return arith::SelectOp::create(builder, loc, isNan, constant(APInt::getZero(width)), magnitudes);
}

Value fp8opt::writeMax(QuantizeKernel &kernel, Value a, Value b) {
  return arith::MaxUIOp::create(kernel.builder(), kernel.loc(), a, b);
}

Value fp8opt::writeMax(QuantizeKernel &kernel, ValueRange vectors) {
  Value largest = vectors.front();
  for (Value vector : vectors.drop_front())
    largest = writeMax(kernel, largest, vector);
  return largest;
}

Value fp8opt::writeVectorMax(QuantizeKernel &kernel, ValueRange vectors) {
  Type type = kernel.bits;
  if (vectors.size() > 1)
    type = VectorType::get(vectors.size(), type);
  return VectorMaxOp::create(kernel.builder(), kernel.loc(), type, vectors);
}

Value fp8opt::writeLaneMax(QuantizeKernel &kernel, Value value, int64_t over, int64_t stride) {
  return LaneMaxOp::create(kernel.builder(), kernel.loc(), value.getType(), value, over, stride);
}

Value fp8opt::writeBlockMax(QuantizeKernel &kernel, Value value, Value amaxes) {
  IndexEmitter &emit = kernel.emit;
  auto vector = dyn_cast<VectorType>(value.getType());
  const int64_t count = vector ? vector.getNumElements() : 1;
  if (!amaxes)
    amaxes = writeAlloc(emit, {quantizeWarps * count}, kernel.bits);
  Value ofWarp = writeLaneMax(kernel, value, warpLanes);
  writeIf(emit, emit.isEqual(kernel.lane, 0),
          [&] { writeStoreShared(emit, ofWarp, amaxes, emit.mul(kernel.warp, count)); });
  SyncAllOp::create(kernel.builder(), kernel.loc());
  Value warp = emit.bitAnd(kernel.lane, quantizeWarps - 1);
  Value one = writeLoadShared(emit, value.getType(), amaxes, emit.mul(warp, count));
  return writeLaneMax(kernel, one, quantizeWarps);
}

Value fp8opt::writeWord(QuantizeKernel &kernel, Value magnitude) {
  ArithEmitter arith(kernel.builder(), kernel.loc());
  return arith.wordOfFloat(
      arith::BitcastOp::create(kernel.builder(), kernel.loc(), kernel.element, magnitude));
}

// Scales and codes.

ScaleAndFactor fp8opt::writeScale(QuantizeKernel &kernel, Value amaxWord) {
  ArithEmitter arith(kernel.builder(), kernel.loc());
  numerics::SchemeArithmetic<ArithEmitter> arithmetic(arith, kernel.numbers,
                                                      qt::formatOfExpressed(kernel.element));
  Value stored = arithmetic.storedScale(0, {amaxWord});
  Value factor = arithmetic.encodeFactor({amaxWord}, {stored});
  Type f32 = kernel.builder().getF32Type();
  return {arith.floatOfWord(stored, f32), arith.floatOfWord(factor, f32)};
}

ScaleAndFactor fp8opt::writeTensorScale(QuantizeKernel &kernel, Value amax) {
  OpBuilder &builder = kernel.builder();
  Value first = kernel.emit.widen(Index(0));
  Value number = LoadOp::create(builder, kernel.loc(), builder.getF32Type(), amax, first,
                                /*count=*/Value(), /*aligned=*/false);
  return writeScale(kernel, ArithEmitter(builder, kernel.loc()).wordOfFloat(number));
}

Value fp8opt::writeEncode(QuantizeKernel &kernel, Value numbers, Value factor) {
  auto type = VectorType::get(cast<VectorType>(numbers.getType()).getShape(), kernel.builder().getI8Type());
  return EncodeOp::create(kernel.builder(), kernel.loc(), type, numbers, factor, kernel.scheme);
}

Value fp8opt::writePack(QuantizeKernel &kernel, Value codes) {
  if (kernel.codesOfByte() == 1)
    return codes;
  int64_t count = cast<VectorType>(codes.getType()).getNumElements() / kernel.codesOfByte();
  auto type = VectorType::get(count, kernel.builder().getI8Type());
  return PackOp::create(kernel.builder(), kernel.loc(), type, codes);
}

Value fp8opt::writeKeepFirst(QuantizeKernel &kernel, Value codes, Value count, Value isPartial) {
  auto keep = [&]() -> SmallVector<Value> {
    return {KeepFirstOp::create(kernel.builder(), kernel.loc(), codes.getType(), count, codes)};
  };
  if (!isPartial)
    return keep().front();
  return writeEither(kernel.emit, isPartial, keep, [&]() -> SmallVector<Value> { return {codes}; }).front();
}

void fp8opt::writeStore(IndexEmitter &emit, Value value, Value into, Value offset, Value count,
                        bool isAligned) {
  StoreOp::create(emit.builder, emit.loc, value, into, offset, count, isAligned);
}

Value fp8opt::writeAlloc(IndexEmitter &emit, ArrayRef<int64_t> shape, Type element) {
  auto type = SharedType::get(emit.builder.getContext(), shape, element, /*isInPanels=*/false);
  return AllocOp::create(emit.builder, emit.loc, type, /*offset=*/IntegerAttr());
}

Value fp8opt::writeLoadShared(IndexEmitter &emit, Type type, Value tile, Value offset) {
  return LoadSharedOp::create(emit.builder, emit.loc, type, tile, offset);
}

void fp8opt::writeStoreShared(IndexEmitter &emit, Value value, Value tile, Value offset) {
  StoreSharedOp::create(emit.builder, emit.loc, value, tile, offset);
}

Value fp8opt::panelOffset(QuantizeKernel &kernel, const Panels &panels, Value panel, Value row, Value inRow) {
  IndexEmitter &emit = kernel.emit;
  if (kernel.matrix)
    panel = emit.add(panel, emit.mul(kernel.matrix, emit.ceilDiv(panels.contraction, kernel.codesOfPanel())));
  Value line = emit.add(emit.mul(panel, panels.storedRows), row);
  Value exchange = emit.mul(emit.bitAnd(row, exchangeRows - 1), chunkBytes * kernel.codesOfByte());
  Value place = arith::XOrIOp::create(emit.builder, emit.loc, inRow, exchange);
  return arith::AddIOp::create(emit.builder, emit.loc, emit.widen(line, kernel.codesOfPanel()),
                               emit.widen(place));
}
