// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of quantized operands: K blocks in order, products in order, multiply then add.

#include "MatmulEmitter.h"

#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Numerics/ScaleRule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fp8opt;
using utils::IteratorType;

int64_t MatmulEmitter::smallerBlock() {
  int64_t a = lhs.type.getBlock(0).back(), b = rhs.type.getBlock(0).back();
  if (ShapedType::isDynamic(a) || ShapedType::isDynamic(b))
    return ShapedType::isDynamic(a) ? b : a;
  return std::min(a, b);
}

/// Each operand is padded to whole blocks by itself, which would hide that K differs: asserts what is not
/// known of K and the batch dimensions before the run.
void MatmulEmitter::assertSizesAgree() {
  for (unsigned axis = 0; axis < rank; ++axis) {
    if (axis == batch || isEqualConstantIntOrValue(lhsSizes[axis], rhsSizes[axis]))
      continue;
    Value ofLhs = getValueOrCreateConstantIndexOp(builder, loc, lhsSizes[axis]);
    Value ofRhs = getValueOrCreateConstantIndexOp(builder, loc, rhsSizes[axis]);
    Value agree = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, ofLhs, ofRhs);
    auto assertion =
        cf::AssertOp::create(builder, loc, agree,
                             ("expected dimension " + Twine(axis) +
                              " of both operands of 'qt.matmul' to be as long, got different sizes")
                                 .str());
    qt::QTDialect::CheckAttrHelper(builder.getContext()).setAttr(assertion, builder.getUnitAttr());
  }
}

/// The operand cut along K only.
Blocks MatmulEmitter::kBlocks(const Parts &operand, ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> block(rank, 1);
  block.back() = blockSize;
  return Blocks(builder, loc, sizes, block);
}

/// Decodes each code of `split`, of shape [rows, KB, k] or, for one block, [rows, k], into [rows, KB, k]
/// permuted.
static Value decodeInto(OpBuilder &builder, Location loc, const Parts &operand, Value split, Value into,
                        AffineMap from, AffineMap to, ArrayRef<IteratorType> iterators) {
  const numerics::Format &code = numerics::format(operand.type.getScheme().getCode());
  return emitGeneric(builder, loc, split, into, {from, to}, iterators,
                     [&](OpBuilder &inside, ValueRange elements) -> SmallVector<Value> {
                       ArithEmitter emit(inside, loc);
                       Value word = numerics::decode(emit, code, emit.wordOfStored(elements[0]));
                       return {emit.floatOfWord(word, inside.getF32Type())};
                     })
      .front();
}

Value MatmulEmitter::decodeLhs() {
  Blocks blocks = kBlocks(lhs, lhsSizes);
  bool one = blocks.numBlockDims() + 1 == rank; // K is one block
  SmallVector<OpFoldResult> sizes = blocks.splitSizes();
  if (one)
    sizes.insert(sizes.end() - 1, builder.getIndexAttr(1));
  Value into = emitEmpty(builder, loc, sizes, f32);
  AffineMap from = one ? map(3, {0, 2}) : map(3, {0, 1, 2});
  return decodeInto(builder, loc, lhs, blocks.split(lhs.codes), into, from, map(3, {0, 1, 2}), parallel(3));
}

Value MatmulEmitter::decodeRhs() {
  Blocks blocks = kBlocks(rhs, rhsSizes);
  bool one = blocks.numBlockDims() + 1 == rank;
  SmallVector<OpFoldResult> split = blocks.splitSizes();
  SmallVector<OpFoldResult> sizes = batchSizes();
  sizes.append({one ? OpFoldResult(builder.getIndexAttr(1)) : split[batch + 1], split.back(), split[batch]});
  Value into = emitEmpty(builder, loc, sizes, f32);
  // Loops: KB, k, N.
  AffineMap from = one ? map(3, {2, 1}) : map(3, {2, 0, 1});
  return decodeInto(builder, loc, rhs, blocks.split(rhs.codes), into, from, map(3, {0, 1, 2}), parallel(3));
}

/// The decode scale of each row in each K block.
Value MatmulEmitter::rowScales(const Parts &operand, ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> block = operand.type.getBlock(0);
  Blocks blocks(builder, loc, sizes, block);
  Blocks byK = kBlocks(operand, sizes);
  OpFoldResult numK =
      byK.numBlockDims() + 1 == rank ? OpFoldResult(builder.getIndexAttr(1)) : byK.blockSizes().back();
  // The scales repeat over the rows of a block and over the K blocks it covers: split [row block, row, K,
  // repeat].
  SmallVector<OpFoldResult> rowsAndK(sizes);
  rowsAndK.back() = numK;
  SmallVector<int64_t> repeat(block);
  // A block that covers K is a whole dimension here as it is one in \p blocks.
  std::optional<int64_t> knownK = getConstantIntValue(sizes.back());
  if (ShapedType::isDynamic(block.back()) || (knownK && *knownK <= block.back()))
    repeat.back() = ShapedType::kDynamic;
  else
    repeat.back() = block.back() / blockSize;
  Blocks repeated(builder, loc, rowsAndK, repeat);
  numerics::Scheme scheme = operand.type.getScheme().getNumerics();
  Value scales = blocks.squeeze(operand.scales[0]);
  Value into = emitEmpty(builder, loc, repeated.splitSizes(), f32);
  Value split = emitGeneric(builder, loc, scales, into, {repeated.blockMap(), repeated.elementMap()},
                            repeated.iterators(IteratorType::parallel),
                            [&](OpBuilder &inside, ValueRange elements) -> SmallVector<Value> {
                              ArithEmitter emit(inside, loc);
                              numerics::SchemeArithmetic<ArithEmitter> arithmetic(
                                  emit, scheme, qt::formatOfExpressed(operand.type.getElementType()));
                              Value word = arithmetic.blockScale(emit.wordOfStored(elements[0]));
                              return {emit.floatOfWord(word, inside.getF32Type())};
                            })
                    .front();
  return repeated.join(split);
}

/// Sums of products in order of k, vectorisable over n.
Value MatmulEmitter::partialSums(Value lhsBlock, Value rhsBlock) {
  SmallVector<IteratorType> iterators = parallel(3); // m, k, n
  iterators[batch + 1] = IteratorType::reduction;
  Value zeros = emitZeros(builder, loc, resultSizes(), f32);
  return emitGeneric(builder, loc, {lhsBlock, rhsBlock}, zeros,
                     {map(3, {0, 1}), map(3, {1, 2}), map(3, {0, 2})}, iterators,
                     [&](OpBuilder &inside, ValueRange elements) -> SmallVector<Value> {
                       Value product = arith::MulFOp::create(inside, loc, elements[0], elements[1]);
                       return {arith::AddFOp::create(inside, loc, elements[2], product)};
                     })
      .front();
}

Value MatmulEmitter::addScaled(Value sums, Value partial, Value lhsScale, Value rhsScale) {
  return emitGeneric(builder, loc, {partial, lhsScale, rhsScale}, sums,
                     {map(2, {0, 1}), map(2, {0}), map(2, {1}), map(2, {0, 1})}, parallel(2),
                     [&](OpBuilder &inside, ValueRange elements) -> SmallVector<Value> {
                       Value scale = arith::MulFOp::create(inside, loc, elements[1], elements[2]);
                       Value scaled = arith::MulFOp::create(inside, loc, elements[0], scale);
                       return {arith::AddFOp::create(inside, loc, elements[3], scaled)};
                     })
      .front();
}

/// The slice of one index along a dimension, without that dimension.
Value MatmulEmitter::block(Value tensor, unsigned dim, OpFoldResult index) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> sizes = emitSizes(builder, loc, tensor);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0)),
      ones(sizes.size(), builder.getIndexAttr(1));
  offsets[dim] = index;
  sizes[dim] = builder.getIndexAttr(1);
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  if (type.hasStaticShape() || !llvm::is_contained(shape, 1))
    return tensor::ExtractSliceOp::create(builder, loc, type.clone(shape), tensor, offsets, sizes, ones);
  // Beside dynamic sizes, a second size of 1 makes it ambiguous which of them a slice drops, and
  // bufferization guesses.
  Value slice = tensor::ExtractSliceOp::create(builder, loc, tensor, offsets, sizes, ones);
  SmallVector<ReassociationIndices> groups;
  for (unsigned i = 0; i < sizes.size(); ++i) {
    bool joinsPrevious = dim > 0 ? i == dim : i == 1;
    if (!joinsPrevious)
      groups.emplace_back();
    groups.back().push_back(i);
  }
  return tensor::CollapseShapeOp::create(builder, loc, type.clone(shape), slice, groups);
}

/// Tensor-level factors, the addend, one rounding.
Value MatmulEmitter::finish(Value sums, Value addend, Type element) {
  numerics::Scheme a = lhs.type.getScheme().getNumerics(), b = rhs.type.getScheme().getNumerics();
  bool factored = numerics::hasTensorFactor(a, b);
  if (!factored && !addend && element == f32)
    return sums;
  SmallVector<Value> inputs = {sums};
  SmallVector<AffineMap> maps = {map(2, {0, 1})};
  auto input = [&](Value value, AffineMap at) {
    inputs.push_back(value);
    maps.push_back(at);
    return unsigned(inputs.size() - 1);
  };
  unsigned outerA = a.levels.size() > 1 ? input(lhs.scales[1], map(2, {})) : 0;
  unsigned outerB = b.levels.size() > 1 ? input(rhs.scales[1], map(2, {})) : 0;
  unsigned added = addend ? input(addend, map(2, {0, 1})) : 0;
  maps.push_back(map(2, {0, 1}));
  Value into = emitEmpty(builder, loc, resultSizes(), element);
  return emitGeneric(builder, loc, inputs, into, maps, parallel(2),
                     [&](OpBuilder &inside, ValueRange elements) -> SmallVector<Value> {
                       ArithEmitter emit(inside, loc);
                       Value word = emit.wordOfFloat(elements[0]);
                       Value none = emit.constant(0);
                       if (factored)
                         word =
                             emit.mulF(word, numerics::tensorFactor(
                                                 emit, a, outerA ? emit.wordOfStored(elements[outerA]) : none,
                                                 b, outerB ? emit.wordOfStored(elements[outerB]) : none));
                       if (addend)
                         word = emit.addF(emit.wordOfFloat(elements[added]), word);
                       return {emit.floatOfWord(word, element)};
                     })
      .front();
}

bool MatmulEmitter::hasZeroSize() {
  auto isZero = [](OpFoldResult size) { return isConstantIntValue(size, 0); };
  return llvm::any_of(lhsSizes, isZero) || llvm::any_of(rhsSizes, isZero);
}

Value MatmulEmitter::emitOrdered(Value addend, RankedTensorType type) {
  assertSizesAgree();
  Value zeros = emitZeros(builder, loc, resultSizes(), f32);
  if (hasZeroSize())
    return finish(zeros, addend, type.getElementType());
  Value a = decodeLhs(), b = decodeRhs();
  Value scaleA = rowScales(lhs, lhsSizes), scaleB = rowScales(rhs, rhsSizes);
  auto step = [&](Value sums, OpFoldResult index) {
    Value partial = partialSums(block(a, batch + 1, index), block(b, batch, index));
    return addScaled(sums, partial, block(scaleA, batch + 1, index), block(scaleB, batch + 1, index));
  };
  OpFoldResult numBlocks = emitSizes(builder, loc, a)[batch + 1];
  if (isConstantIntValue(numBlocks, 1))
    return finish(step(zeros, builder.getIndexAttr(0)), addend, type.getElementType());
  Value lower = arith::ConstantIndexOp::create(builder, loc, 0),
        one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value upper = getValueOrCreateConstantIndexOp(builder, loc, numBlocks);
  auto loop = scf::ForOp::create(builder, loc, lower, upper, one, zeros);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value sums = step(loop.getRegionIterArg(0), loop.getInductionVar());
    scf::YieldOp::create(builder, loc, sums);
  }
  return finish(loop.getResult(0), addend, type.getElementType());
}

Value fp8opt::emitMatmul(OpBuilder &builder, Location loc, const Parts &lhs, const Parts &rhs, Value addend,
                         RankedTensorType type, bool ordered) {
  MatmulEmitter emitter(builder, loc, lhs, rhs);
  return ordered ? emitter.emitOrdered(addend, type) : emitter.emitContraction(addend, type);
}
