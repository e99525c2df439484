// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maxima of vectors and among lanes.

#include "KernelValues.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

static Value max(Writer &write, Value a, Value b) {
  return arith::MaxUIOp::create(write.builder, write.loc, a, b);
}

static Value element(Writer &write, Value vector, int64_t i) {
  return LLVM::ExtractElementOp::create(write.builder, write.loc, vector, write.constant(i));
}

static Value shuffle(Writer &write, Value a, Value b, ArrayRef<int32_t> mask) {
  return LLVM::ShuffleVectorOp::create(write.builder, write.loc, a, b, mask);
}

/// Halves of a vector against each other, until it has so many elements.
static Value halve(Writer &write, Value vector, int32_t until) {
  for (int32_t size = cast<VectorType>(vector.getType()).getNumElements(); size > until; size /= 2)
    vector = max(write, shuffle(write, vector, vector, llvm::to_vector(llvm::seq<int32_t>(0, size / 2))),
                 shuffle(write, vector, vector, llvm::to_vector(llvm::seq<int32_t>(size / 2, size))));
  return vector;
}

static Value largest(Writer &write, Value vector) {
  if (cast<VectorType>(vector.getType()).getNumElements() == 1)
    return element(write, vector, 0);
  Value two = halve(write, vector, 2);
  return max(write, element(write, two, 0), element(write, two, 1));
}

/// The values of a register each, of a vector of registers or halves of them.
static SmallVector<Value> words(Writer &write, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  Type i32 = write.builder.getI32Type();
  int64_t count = type.getNumElements() * type.getElementTypeBitWidth() / 32;
  if (count == 1)
    return {LLVM::BitcastOp::create(write.builder, write.loc, i32, vector)};
  Value asWords = LLVM::BitcastOp::create(write.builder, write.loc, VectorType::get(count, i32), vector);
  SmallVector<Value> all;
  for (int64_t i = 0; i < count; ++i)
    all.push_back(element(write, asWords, i));
  return all;
}

static Value lanesApart(Writer &write, Value word, int64_t lanes) {
  return NVVM::ShflOp::create(write.builder, write.loc, word.getType(), write.constant(-1), word,
                              write.constant(lanes), write.constant(warpThreads - 1), NVVM::ShflKind::bfly,
                              /*return_value_and_is_valid=*/UnitAttr());
}

namespace {
struct ConvertVectorMax : KernelPattern<qtile::VectorMaxOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::VectorMaxOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    ValueRange vectors = adaptor.getVectors();
    if (vectors.size() == 1) {
      rewriter.replaceOp(op, largest(write, vectors.front()));
      return success();
    }
    Value all = LLVM::UndefOp::create(rewriter, op.getLoc(), op.getType());
    bool inPairs = vectors.size() % 2 == 0 && isInHalves(vectors.front());
    for (size_t i = 0; i < vectors.size(); i += inPairs ? 2 : 1) {
      SmallVector<Value> found;
      if (inPairs)
        found = pair(write, vectors[i], vectors[i + 1]);
      else
        found = {largest(write, vectors[i])};
      for (auto [j, value] : llvm::enumerate(found))
        all = LLVM::InsertElementOp::create(rewriter, op.getLoc(), all, value, write.constant(i + j));
    }
    rewriter.replaceOp(op, all);
    return success();
  }

private:
  static bool isInHalves(Value vector) {
    auto type = cast<VectorType>(vector.getType());
    return type.getElementTypeBitWidth() == 16 && type.getNumElements() > 1;
  }

  /// Two vectors of halves of registers end in one register, by one maximum for both.
  static SmallVector<Value> pair(Writer &write, Value a, Value b) {
    Value twoOfA = halve(write, a, 2), twoOfB = halve(write, b, 2);
    Value both = max(write, shuffle(write, twoOfA, twoOfB, {0, 2}), shuffle(write, twoOfA, twoOfB, {1, 3}));
    return {element(write, both, 0), element(write, both, 1)};
  }
};

struct ConvertLaneMax : KernelPattern<qtile::LaneMaxOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::LaneMaxOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    Value value = op.getValue();
    Type type = value.getType(), i32 = rewriter.getI32Type();
    bool isHalf = type.isInteger(16);
    if (isHalf)
      value = arith::ExtUIOp::create(rewriter, op.getLoc(), i32, value);
    int64_t end = op.getOver() * op.getStride();
    for (int64_t lanes = op.getStride(); lanes < end; lanes *= 2)
      value = max(write, value, ofOtherLane(write, value, lanes));
    if (isHalf)
      value = arith::TruncIOp::create(rewriter, op.getLoc(), type, value);
    rewriter.replaceOp(op, value);
    return success();
  }

private:
  static Value ofOtherLane(Writer &write, Value value, int64_t lanes) {
    if (!isa<VectorType>(value.getType()))
      return lanesApart(write, value, lanes);
    SmallVector<Value> all = words(write, value);
    Value read = LLVM::UndefOp::create(write.builder, write.loc,
                                       VectorType::get(all.size(), write.builder.getI32Type()));
    for (auto [i, word] : llvm::enumerate(all))
      read = LLVM::InsertElementOp::create(write.builder, write.loc, read, lanesApart(write, word, lanes),
                                           write.constant(i));
    return LLVM::BitcastOp::create(write.builder, write.loc, value.getType(), read);
  }
};

struct ConvertLaneRead : KernelPattern<qtile::LaneReadOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::LaneReadOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    rewriter.replaceOpWithNewOp<NVVM::ShflOp>(op, rewriter.getI32Type(), write.constant(-1), op.getValue(),
                                              op.getLane(), write.constant(warpThreads - 1),
                                              NVVM::ShflKind::idx, /*return_value_and_is_valid=*/UnitAttr());
    return success();
  }
};

/// By selects: registers have no numbers at run time.
struct ConvertPick : KernelPattern<qtile::PickOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::PickOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    SmallVector<Value> left = words(write, op.getVector());
    bool isHalf = op.getType().isInteger(16);
    Value index = isHalf ? write.shiftRight(op.getIndex(), 1) : op.getIndex();
    for (int64_t bit = 0; left.size() > 1; ++bit) {
      Value isEven = write.equal(write.bitAnd(index, int64_t(1) << bit), 0);
      SmallVector<Value> half;
      for (size_t i = 0; i < left.size(); i += 2)
        half.push_back(write.select(isEven, left[i], left[i + 1]));
      left = half;
    }
    Value picked = left.front();
    if (isHalf) {
      Value shift = write.shiftLeft(write.bitAnd(op.getIndex(), 1), 4);
      picked = arith::ShRUIOp::create(rewriter, op.getLoc(), picked, shift);
      picked = arith::TruncIOp::create(rewriter, op.getLoc(), op.getType(), picked);
    }
    rewriter.replaceOp(op, picked);
    return success();
  }
};
} // namespace

void fp8opt::nvvm::populateMaximumPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                           const Kernels &kernels) {
  patterns.add<ConvertVectorMax, ConvertLaneMax, ConvertLaneRead, ConvertPick>(types, patterns.getContext(),
                                                                               kernels);
}
