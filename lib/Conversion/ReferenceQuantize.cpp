// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantize and dequantize: an amax, the scales and factors of each block, the elements.

#include "Blocks.h"
#include "Reference.h"

#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Numerics/ScaleRule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fp8opt;
using utils::IteratorType;

using Arithmetic = numerics::SchemeArithmetic<ArithEmitter>;

namespace {
/// What the emission of one op shares.
struct Context {
  Context(OpBuilder &builder, Location loc, Value shaped, qt::QTensorType type)
      : builder(builder), loc(loc), type(type), scheme(type.getScheme().getNumerics()),
        sizes(emitSizes(builder, loc, shaped)) {}

  Blocks blocks(unsigned level) { return Blocks(builder, loc, sizes, type.getBlock(level)); }
  unsigned numLevels() const { return scheme.levels.size(); }

  /// From the blocks of the innermost level to those of another: the same, or the batch dimensions they begin
  /// with.
  AffineMap outerMap(unsigned level) {
    SmallVector<AffineExpr> outer;
    for (unsigned dim = 0; dim < blocks(level).numBlockDims(); ++dim)
      outer.push_back(builder.getAffineDimExpr(dim));
    return AffineMap::get(blocks(0).numBlockDims(), 0, outer, builder.getContext());
  }
  AffineMap identity(unsigned rank) { return AffineMap::getMultiDimIdentityMap(rank, builder.getContext()); }

  OpBuilder &builder;
  Location loc;
  qt::QTensorType type;
  numerics::Scheme scheme;
  SmallVector<OpFoldResult> sizes;
};
} // namespace

/// The amax of each block, as f32 bits, without the dimensions that are whole.
static Value emitAmaxWords(OpBuilder &builder, Location loc, Value input, Blocks &blocks,
                           numerics::NanAmax nan) {
  Value init = emitZeros(builder, loc, blocks.blockSizes(), builder.getI32Type());
  return emitGeneric(builder, loc, blocks.split(input), init, {blocks.elementMap(), blocks.blockMap()},
                     blocks.iterators(IteratorType::reduction),
                     [&](OpBuilder &inside, ValueRange elements) -> SmallVector<Value> {
                       ArithEmitter emit(inside, loc);
                       Value magnitude = numerics::amaxOf(emit, nan, emit.wordOfFloat(elements[0]));
                       return {numerics::maxOf(emit, elements[1], magnitude)};
                     })
      .front();
}

/// The amax of each block of a level: computed, as f32 bits, or the one given for the outermost, as f32.
static Value amaxOfLevel(Context &context, Value input, Value given, unsigned level) {
  Blocks blocks = context.blocks(level);
  if (given && level + 1 == context.numLevels())
    return blocks.squeeze(given);
  return emitAmaxWords(context.builder, context.loc, input, blocks, context.scheme.levels[level].nan);
}

Value fp8opt::emitAmax(OpBuilder &builder, Location loc, Value input, qt::AmaxAttr amax) {
  auto type = cast<RankedTensorType>(input.getType());
  Blocks blocks(builder, loc, emitSizes(builder, loc, input), amax.getFullBlock(type.getRank()));
  Value words = emitAmaxWords(builder, loc, input, blocks, amax.getNan());
  AffineMap identity = AffineMap::getMultiDimIdentityMap(blocks.numBlockDims(), builder.getContext());
  Value empty = emitEmpty(builder, loc, blocks.blockSizes(), builder.getF32Type());
  Value floats =
      emitGeneric(builder, loc, words, empty, {identity, identity},
                  SmallVector<IteratorType>(blocks.numBlockDims(), IteratorType::parallel),
                  [&](OpBuilder &inside, ValueRange elements) -> SmallVector<Value> {
                    return {ArithEmitter(inside, loc).floatOfWord(elements[0], inside.getF32Type())};
                  })
          .front();
  return blocks.unsqueeze(floats, amax.getResultType(type.getShape()));
}

/// The scales of the outer level from its amax alone.
static Value emitOuterScales(Context &context, Value amax) {
  OpBuilder &builder = context.builder;
  Blocks blocks = context.blocks(1);
  unsigned rank = blocks.numBlockDims();
  Type element = context.type.getScalesType(1).getElementType();
  Value empty = emitEmpty(builder, context.loc, blocks.blockSizes(), element);
  return emitGeneric(builder, context.loc, amax, empty, {context.identity(rank), context.identity(rank)},
                     SmallVector<IteratorType>(rank, IteratorType::parallel),
                     [&](OpBuilder &inside, ValueRange elements) -> SmallVector<Value> {
                       ArithEmitter emit(inside, context.loc);
                       Arithmetic arithmetic(emit, context.scheme,
                                             qt::formatOfExpressed(context.type.getElementType()));
                       Value zero = emit.constant(0);
                       return {emit.storedOfWord(
                           arithmetic.storedScale(1, {zero, emit.wordOfStored(elements[0])}), element)};
                     })
      .front();
}

/// Per block of the innermost level: its stored scale and what its elements meet, as f32 bits.
static std::pair<Value, Value> emitScalesAndFactors(Context &context, ArrayRef<Value> amaxes,
                                                    Value outerScales) {
  OpBuilder &builder = context.builder;
  Blocks blocks = context.blocks(0);
  unsigned rank = blocks.numBlockDims();
  Type element = context.type.getScalesType(0).getElementType();
  SmallVector<Value> inputs(amaxes);
  SmallVector<AffineMap> maps;
  for (unsigned level = 0; level < context.numLevels(); ++level)
    maps.push_back(context.outerMap(level));
  if (outerScales) {
    inputs.push_back(outerScales);
    maps.push_back(context.outerMap(1));
  }
  SmallVector<Value> inits = {emitEmpty(builder, context.loc, blocks.blockSizes(), element),
                              emitEmpty(builder, context.loc, blocks.blockSizes(), builder.getI32Type())};
  maps.append(2, context.identity(rank));
  SmallVector<Value> results = emitGeneric(
      builder, context.loc, inputs, inits, maps, SmallVector<IteratorType>(rank, IteratorType::parallel),
      [&](OpBuilder &inside, ValueRange elements) -> SmallVector<Value> {
        ArithEmitter emit(inside, context.loc);
        Arithmetic arithmetic(emit, context.scheme, qt::formatOfExpressed(context.type.getElementType()));
        Arithmetic::Words words;
        for (Value amax : elements.take_front(context.numLevels()))
          words.push_back(emit.wordOfStored(amax));
        Arithmetic::Words stored = {arithmetic.storedScale(0, words)};
        if (outerScales)
          stored.push_back(emit.wordOfStored(elements[context.numLevels()]));
        return {emit.storedOfWord(stored[0], element), arithmetic.encodeFactor(words, stored)};
      });
  return {results[0], results[1]};
}

/// Per block of the innermost level, from stored scales: what decoded codes are multiplied by, or what
/// elements meet.
static Value emitFactorsOfScales(Context &context, ValueRange scales, bool encode) {
  OpBuilder &builder = context.builder;
  Blocks blocks = context.blocks(0);
  unsigned rank = blocks.numBlockDims();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (auto [level, value] : llvm::enumerate(scales)) {
    inputs.push_back(context.blocks(level).squeeze(value));
    maps.push_back(context.outerMap(level));
  }
  maps.push_back(context.identity(rank));
  Value empty = emitEmpty(builder, context.loc, blocks.blockSizes(), builder.getI32Type());
  return emitGeneric(builder, context.loc, inputs, empty, maps,
                     SmallVector<IteratorType>(rank, IteratorType::parallel),
                     [&](OpBuilder &inside, ValueRange elements) -> SmallVector<Value> {
                       ArithEmitter emit(inside, context.loc);
                       Arithmetic arithmetic(emit, context.scheme,
                                             qt::formatOfExpressed(context.type.getElementType()));
                       Arithmetic::Words stored;
                       for (Value element : elements.drop_back())
                         stored.push_back(emit.wordOfStored(element));
                       return {encode ? arithmetic.givenEncodeFactor(stored)
                                      : arithmetic.decodeFactor(stored)};
                     })
      .front();
}

/// Applies `body` to each element and the factor of its block.
static Value emitElements(Context &context, Value input, Value factors, Type element,
                          function_ref<Value(ArithEmitter &, Arithmetic &, Value, Value)> body) {
  OpBuilder &builder = context.builder;
  Blocks blocks = context.blocks(0);
  Value empty = emitEmpty(builder, context.loc, blocks.splitSizes(), element);
  Value split = emitGeneric(builder, context.loc, {blocks.split(input), factors}, empty,
                            {blocks.elementMap(), blocks.blockMap(), blocks.elementMap()},
                            blocks.iterators(IteratorType::parallel),
                            [&](OpBuilder &inside, ValueRange elements) -> SmallVector<Value> {
                              ArithEmitter emit(inside, context.loc);
                              Arithmetic arithmetic(emit, context.scheme,
                                                    qt::formatOfExpressed(context.type.getElementType()));
                              return {body(emit, arithmetic, elements[0], elements[1])};
                            })
                    .front();
  return blocks.join(split);
}

Parts fp8opt::emitQuantize(OpBuilder &builder, Location loc, Value input, qt::QTensorType type,
                           ValueRange given, Value amax) {
  Context context(builder, loc, input, type);
  Parts parts = {type, {}, llvm::to_vector(given)};
  Value factors;
  if (given.empty()) {
    SmallVector<Value> amaxes;
    for (unsigned level = 0; level < context.numLevels(); ++level)
      amaxes.push_back(amaxOfLevel(context, input, amax, level));
    Value outerScales = context.numLevels() > 1 ? emitOuterScales(context, amaxes[1]) : Value();
    auto [scales, encodeFactors] = emitScalesAndFactors(context, amaxes, outerScales);
    factors = encodeFactors;
    parts.scales.push_back(context.blocks(0).unsqueeze(scales, type.getScalesType(0)));
    if (outerScales)
      parts.scales.push_back(context.blocks(1).unsqueeze(outerScales, type.getScalesType(1)));
  } else {
    factors = emitFactorsOfScales(context, given, /*encode=*/true);
  }
  Type codeType = type.getCodesType().getElementType();
  parts.codes = emitElements(context, input, factors, codeType,
                             [&](ArithEmitter &emit, Arithmetic &arithmetic, Value element, Value factor) {
                               Value code = arithmetic.encodeElement(emit.wordOfFloat(element), factor,
                                                                     emit.constant(0));
                               return emit.storedOfWord(code, codeType);
                             });
  return parts;
}

Value fp8opt::emitDequantize(OpBuilder &builder, Location loc, const Parts &parts) {
  Context context(builder, loc, parts.codes, parts.type);
  Value factors = emitFactorsOfScales(context, parts.scales, /*encode=*/false);
  Type expressed = parts.type.getElementType();
  return emitElements(context, parts.codes, factors, expressed,
                      [&](ArithEmitter &emit, Arithmetic &arithmetic, Value code, Value factor) {
                        return emit.floatOfWord(arithmetic.decodeElement(emit.wordOfStored(code), factor),
                                                expressed);
                      });
}
