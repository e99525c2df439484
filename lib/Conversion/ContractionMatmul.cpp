// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of quantized operands as one contraction, whose order of summation is the engine's.

#include "MatmulEmitter.h"

#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Numerics/ScaleRule.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fp8opt;
using utils::IteratorType;

/// Bits of the significand of any number of a format, the leading one included.
static int significandBits(const numerics::Format &format) {
  return format.isInteger() ? format.exponentBits + format.mantissaBits : format.mantissaBits + 1;
}

/// Bits of the significand of what a contraction's operand holds: a decoded code, times the scale of its
/// block where that changes along K. A power of two adds none.
static int significandBits(qt::QTensorType type, bool timesScale) {
  numerics::Scheme scheme = type.getScheme().getNumerics();
  int code = significandBits(numerics::format(scheme.code));
  int scale = significandBits(numerics::format(scheme.levels[0].type));
  return timesScale && scale > 1 ? code + scale : code;
}

bool MatmulEmitter::isOneBlock() {
  std::optional<int64_t> k = getConstantIntValue(lhsSizes.back());
  return ShapedType::isDynamic(blockSize) || (k && *k <= blockSize);
}

Value MatmulEmitter::contractionOperand(const Parts &operand, ArrayRef<OpFoldResult> sizes, Type element) {
  numerics::Scheme scheme = operand.type.getScheme().getNumerics();
  bool timesScale = !isOneBlock();
  SmallVector<int64_t> block =
      timesScale ? operand.type.getBlock(0) : SmallVector<int64_t>(rank, ShapedType::kDynamic);
  Blocks blocks(builder, loc, sizes, block);
  SmallVector<Value> inputs = {blocks.split(operand.codes)};
  SmallVector<AffineMap> maps = {blocks.elementMap()};
  if (timesScale) {
    inputs.push_back(blocks.squeeze(operand.scales[0]));
    maps.push_back(blocks.blockMap());
  }
  maps.push_back(blocks.elementMap());
  Value into = emitEmpty(builder, loc, blocks.splitSizes(), element);
  Value split = emitGeneric(builder, loc, inputs, into, maps, blocks.iterators(IteratorType::parallel),
                            [&](OpBuilder &inside, ValueRange elements) -> SmallVector<Value> {
                              ArithEmitter emit(inside, loc);
                              numerics::SchemeArithmetic<ArithEmitter> arithmetic(
                                  emit, scheme, qt::formatOfExpressed(operand.type.getElementType()));
                              Value word = emit.wordOfStored(elements[0]);
                              const numerics::Format &code = numerics::format(scheme.code);
                              word = timesScale
                                         ? arithmetic.decodeElement(
                                               word, arithmetic.blockScale(emit.wordOfStored(elements[1])))
                                         : numerics::decode(emit, code, word);
                              return {emit.floatOfWord(word, element)};
                            })
                    .front();
  return blocks.join(split);
}

Value MatmulEmitter::contract(Value lhsNumbers, Value rhsNumbers) {
  // Loops: m, n, k; the form that import gives every product.
  auto maps = builder.getAffineMapArrayAttr({map(3, {0, 2}), map(3, {1, 2}), map(3, {0, 1})});
  Value zeros = emitZeros(builder, loc, resultSizes(), f32);
  return linalg::ContractOp::create(builder, loc, TypeRange(zeros.getType()),
                                    ValueRange{lhsNumbers, rhsNumbers}, ValueRange(zeros), maps)
      .getResult(0);
}

Value MatmulEmitter::emitContraction(Value addend, RankedTensorType type) {
  assertSizesAgree();
  Value zeros = emitZeros(builder, loc, resultSizes(), f32);
  if (hasZeroSize())
    return finish(zeros, addend, type.getElementType());
  bool oneBlock = isOneBlock();
  int widest = std::max(significandBits(lhs.type, !oneBlock), significandBits(rhs.type, !oneBlock));
  // bf16 has the exponents of f32, so that only the significand decides whether it holds these numbers.
  const numerics::Format &bf16 = numerics::format(numerics::FormatId::BF16);
  Type element = widest <= significandBits(bf16) ? Type(builder.getBF16Type()) : f32;
  Value sums =
      contract(contractionOperand(lhs, lhsSizes, element), contractionOperand(rhs, rhsSizes, element));
  if (oneBlock) {
    auto ofRow = [&](const Parts &operand, ArrayRef<OpFoldResult> sizes) {
      return block(rowScales(operand, sizes), batch + 1, builder.getIndexAttr(0));
    };
    sums = addScaled(zeros, sums, ofRow(lhs, lhsSizes), ofRow(rhs, rhsSizes));
  }
  return finish(sums, addend, type.getElementType());
}
