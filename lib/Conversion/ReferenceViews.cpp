// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that move quantized tensors: codes move as the op says, the scales of each level as its blocks do.

#include "Blocks.h"
#include "Reference.h"

#include "fp8-opt/Dialect/QT/IR/QTNumerics.h"
#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Numerics/Block.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fp8opt;

namespace {
/// One part of a quantized tensor, the codes or the scales of a level, as a tensor of the type's rank: a grid
/// with an element for each block. Codes are the grid of blocks of one element.
struct Grid {
  Value tensor;
  SmallVector<int64_t> block;
};
} // namespace

/// A number that is an attribute. What an op has as a value stays one, also where it could be folded, so that
/// the types made of it are those that the conversion expects.
static std::optional<int64_t> staticNumber(OpFoldResult number) {
  auto attr = dyn_cast<Attribute>(number);
  return attr ? getConstantIntValue(attr) : std::nullopt;
}

/// How many blocks a dimension has.
static OpFoldResult countBlocks(OpBuilder &builder, Location loc, OpFoldResult size, int64_t block) {
  if (ShapedType::isDynamic(block))
    return builder.getIndexAttr(1);
  if (std::optional<int64_t> known = staticNumber(size))
    return builder.getIndexAttr(llvm::divideCeil(*known, block));
  if (block == 1)
    return size;
  return arith::CeilDivUIOp::create(builder, loc, cast<Value>(size),
                                    arith::ConstantIndexOp::create(builder, loc, block))
      .getResult();
}

/// The groups that add ones for the dimensions a level per tensor leaves out of its scales.
static SmallVector<ReassociationIndices> groupsWithOnes(int64_t partRank, int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rank && partRank > 0; ++dim) {
    if (dim < partRank)
      groups.emplace_back();
    groups.back().push_back(dim);
  }
  return groups;
}

/// A part of a value of `type` as a grid; part 0 is the codes.
static Grid gridOf(OpBuilder &builder, Location loc, Value part, qt::QTensorType type, unsigned number) {
  int64_t rank = type.getRank();
  if (number == 0)
    return {part, SmallVector<int64_t>(rank, 1)};
  auto partType = cast<RankedTensorType>(part.getType());
  Grid grid{part, type.getBlock(number - 1)};
  if (partType.getRank() == rank)
    return grid;
  SmallVector<OpFoldResult> sizes = emitSizes(builder, loc, part);
  sizes.resize(rank, builder.getIndexAttr(1));
  SmallVector<int64_t> shape(partType.getShape());
  shape.resize(rank, 1);
  grid.tensor = tensor::ExpandShapeOp::create(builder, loc, partType.clone(shape), part,
                                              groupsWithOnes(partType.getRank(), rank), sizes);
  return grid;
}

/// The part that a grid is of a value of `type`.
static Value partOf(OpBuilder &builder, Location loc, Value grid, qt::QTensorType type, unsigned number) {
  int64_t partRank = cast<RankedTensorType>(type.getPartTypes()[number]).getRank();
  if (partRank == type.getRank())
    return grid;
  return tensor::CollapseShapeOp::create(builder, loc, grid, groupsWithOnes(partRank, type.getRank()));
}

/// The blocks of a part of a value of `type`.
static SmallVector<int64_t> blockOf(qt::QTensorType type, unsigned number) {
  return number == 0 ? SmallVector<int64_t>(type.getRank(), 1) : type.getBlock(number - 1);
}

/// The sizes of a grid over a tensor of these sizes.
static SmallVector<OpFoldResult> gridSizes(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes,
                                           ArrayRef<int64_t> block) {
  SmallVector<OpFoldResult> counts;
  for (auto [size, extent] : llvm::zip_equal(sizes, block))
    counts.push_back(countBlocks(builder, loc, size, extent));
  return counts;
}

static bool isEmpty(ArrayRef<OpFoldResult> sizes) {
  return llvm::any_of(sizes, [](OpFoldResult size) { return staticNumber(size) == 0; });
}

static Type elementOf(Value tensor) { return cast<RankedTensorType>(tensor.getType()).getElementType(); }

/// Replaces a view of one operand by what `move` makes of each part, in the grid of its blocks.
template <typename OpT>
static void moveParts(OpT op, ValueRange parts, ConversionPatternRewriter &rewriter,
                      function_ref<Value(const Grid &, unsigned)> move) {
  SmallVector<Value> results;
  for (auto [number, part] : llvm::enumerate(parts)) {
    Grid grid = gridOf(rewriter, op.getLoc(), part, op.getInput().getType(), number);
    results.push_back(partOf(rewriter, op.getLoc(), move(grid, number), op.getType(), number));
  }
  rewriter.replaceOpWithMultiple(op, {results});
}

namespace {
struct Reshape : OpConversionPattern<qt::ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(qt::ReshapeOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<ReassociationIndices> groups = op.getGroups();
    SmallVector<Value> dynamic;
    for (ValueRange size : adaptor.getSizes())
      dynamic.push_back(size.front());
    moveParts(op, adaptor.getInput(), rewriter, [&](const Grid &grid, unsigned number) -> Value {
      if (op.isCollapse())
        return tensor::CollapseShapeOp::create(rewriter, loc, grid.tensor, groups);
      SmallVector<OpFoldResult> sizes =
          gridSizes(rewriter, loc, getMixedValues(op.getType().getShape(), dynamic, rewriter),
                    blockOf(op.getType(), number));
      SmallVector<int64_t> shape;
      for (OpFoldResult size : sizes)
        shape.push_back(staticNumber(size).value_or(ShapedType::kDynamic));
      return tensor::ExpandShapeOp::create(
          rewriter, loc, RankedTensorType::get(shape, elementOf(grid.tensor)), grid.tensor, groups, sizes);
    });
    return success();
  }
};

/// The operands of an op that are single values after conversion too.
static SmallVector<Value> single(ArrayRef<ValueRange> converted) {
  return llvm::map_to_vector(converted, [](ValueRange values) { return values.front(); });
}

struct Slice : OpConversionPattern<qt::SliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(qt::SliceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> offsets =
        getMixedValues(op.getStaticOffsets(), single(adaptor.getOffsets()), rewriter);
    SmallVector<OpFoldResult> sizes =
        getMixedValues(op.getStaticSizes(), single(adaptor.getSizes()), rewriter);
    SmallVector<OpFoldResult> strides =
        getMixedValues(op.getStaticStrides(), single(adaptor.getStrides()), rewriter);
    moveParts(op, adaptor.getInput(), rewriter, [&](const Grid &grid, unsigned) -> Value {
      SmallVector<OpFoldResult> from(offsets), counts = gridSizes(rewriter, loc, sizes, grid.block),
                                               by(strides);
      for (auto [dim, block] : llvm::enumerate(grid.block)) {
        if (block == 1)
          continue;
        // A slice that begins inside a block takes all of the dimension.
        by[dim] = rewriter.getIndexAttr(1);
        from[dim] =
            rewriter.getIndexAttr(ShapedType::isDynamic(block) ? 0 : *staticNumber(offsets[dim]) / block);
      }
      // A slice of no elements does not verify where its offset is the end.
      if (isEmpty(counts))
        return emitEmpty(rewriter, loc, counts, elementOf(grid.tensor));
      return tensor::ExtractSliceOp::create(rewriter, loc, grid.tensor, from, counts, by);
    });
    return success();
  }
};

struct Concat : OpConversionPattern<qt::ConcatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(qt::ConcatOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> results;
    for (unsigned number = 0; number < op.getType().getPartTypes().size(); ++number) {
      SmallVector<Value> grids;
      for (auto [operand, parts] : llvm::zip_equal(op.getInputs(), adaptor.getInputs()))
        grids.push_back(
            gridOf(rewriter, loc, parts[number], cast<qt::QTensorType>(operand.getType()), number).tensor);
      Value joined = tensor::ConcatOp::create(rewriter, loc, op.getDim(), grids);
      results.push_back(partOf(rewriter, loc, joined, op.getType(), number));
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

struct Broadcast : OpConversionPattern<qt::BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(qt::BroadcastOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> sizes = resultSizes(rewriter, op, adaptor);
    moveParts(op, adaptor.getInput(), rewriter, [&](const Grid &grid, unsigned number) -> Value {
      Value empty = emitEmpty(rewriter, loc, gridSizes(rewriter, loc, sizes, blockOf(op.getType(), number)),
                              elementOf(grid.tensor));
      return linalg::BroadcastOp::create(rewriter, loc, grid.tensor, empty, op.getDimensions())->getResult(0);
    });
    return success();
  }

private:
  static SmallVector<OpFoldResult> resultSizes(OpBuilder &builder, qt::BroadcastOp op,
                                               OneToNOpAdaptor adaptor) {
    SmallVector<OpFoldResult> kept = emitSizes(builder, op.getLoc(), adaptor.getInput().front()), sizes;
    SmallVector<Value> dynamic = single(adaptor.getSizes());
    ArrayRef<OpFoldResult> nextKept = kept;
    ArrayRef<Value> nextDynamic = dynamic;
    for (auto [dim, size] : llvm::enumerate(op.getType().getShape())) {
      if (!llvm::is_contained(op.getDimensions(), int64_t(dim))) {
        sizes.push_back(nextKept.consume_front());
      } else if (ShapedType::isDynamic(size)) {
        sizes.push_back(nextDynamic.consume_front());
      } else {
        sizes.push_back(builder.getIndexAttr(size));
      }
    }
    return sizes;
  }
};

/// What plus zero is under a scheme in a block without other elements: its code, then the scale of each
/// level.
class Zeros {
public:
  explicit Zeros(qt::QTensorType type) : type(type) {
    const uint32_t zero = 0;
    numbers = numerics::quantize(qt::numericsOf(type), {qt::formatOfExpressed(type.getElementType()),
                                                        numerics::Shape(size_t(type.getRank()), 1), &zero});
  }

  /// The constant of a part.
  Value emit(OpBuilder &builder, Location loc, unsigned number) {
    uint32_t word = 0;
    if (number > 0)
      word = numbers.scales[number - 1].words.front();
    else
      std::memcpy(&word, numbers.codes.data(), numbers.codes.size());
    Type element = cast<RankedTensorType>(type.getPartTypes()[number]).getElementType();
    TypedAttr attr =
        isa<FloatType>(element)
            ? TypedAttr(builder.getFloatAttr(element, llvm::bit_cast<float>(word)))
            : TypedAttr(builder.getIntegerAttr(element, APInt(element.getIntOrFloatBitWidth(), word)));
    return arith::ConstantOp::create(builder, loc, attr);
  }

private:
  qt::QTensorType type;
  numerics::QuantizedNumbers numbers;
};

struct Pad : OpConversionPattern<qt::PadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(qt::PadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> low = getMixedValues(op.getStaticLow(), single(adaptor.getLow()), rewriter);
    SmallVector<OpFoldResult> high = getMixedValues(op.getStaticHigh(), single(adaptor.getHigh()), rewriter);
    Zeros zeros(op.getType());
    moveParts(op, adaptor.getInput(), rewriter, [&](const Grid &grid, unsigned number) -> Value {
      Value zero = zeros.emit(rewriter, loc, number);
      return pad(rewriter, loc, grid, padBlocks(rewriter, loc, low, grid.block),
                 padBlocks(rewriter, loc, high, grid.block), zero);
    });
    return success();
  }

private:
  /// Amounts in blocks; a dimension that is one block does not grow.
  static SmallVector<OpFoldResult> padBlocks(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> amounts,
                                             ArrayRef<int64_t> block) {
    SmallVector<OpFoldResult> counts;
    for (auto [amount, extent] : llvm::zip_equal(amounts, block))
      counts.push_back(ShapedType::isDynamic(extent) ? OpFoldResult(builder.getIndexAttr(0))
                                                     : countBlocks(builder, loc, amount, extent));
    return counts;
  }

  static OpFoldResult add(OpBuilder &builder, Location loc, OpFoldResult a, OpFoldResult b) {
    std::optional<int64_t> knownA = staticNumber(a), knownB = staticNumber(b);
    if (knownA && knownB)
      return builder.getIndexAttr(*knownA + *knownB);
    return arith::AddIOp::create(builder, loc, getValueOrCreateConstantIndexOp(builder, loc, a),
                                 getValueOrCreateConstantIndexOp(builder, loc, b))
        .getResult();
  }

  static Value pad(OpBuilder &builder, Location loc, Grid grid, ArrayRef<OpFoldResult> low,
                   ArrayRef<OpFoldResult> high, Value zero) {
    SmallVector<int64_t> shape(cast<RankedTensorType>(grid.tensor.getType()).getShape());
    for (auto [size, before, behind] : llvm::zip_equal(shape, low, high)) {
      std::optional<int64_t> knownLow = staticNumber(before), knownHigh = staticNumber(behind);
      bool known = knownLow && knownHigh && !ShapedType::isDynamic(size);
      size = known ? *knownLow + size + *knownHigh : ShapedType::kDynamic;
    }
    RankedTensorType type = RankedTensorType::get(shape, elementOf(grid.tensor));
    SmallVector<OpFoldResult> sizes = emitSizes(builder, loc, grid.tensor);
    // Padding of no elements does not bufferize: the slice that it is a copy into begins out of bounds.
    if (isEmpty(sizes)) {
      for (auto [size, before, behind] : llvm::zip_equal(sizes, low, high))
        size = add(builder, loc, add(builder, loc, before, size), behind);
      Value empty = emitEmpty(builder, loc, sizes, type.getElementType());
      return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
    }
    return tensor::PadOp::create(builder, loc, type, grid.tensor, low, high, zero);
  }
};
} // namespace

void fp8opt::populateViewsToReference(RewritePatternSet &patterns, const TypeConverter &types) {
  patterns.add<Reshape, Slice, Concat, Broadcast, Pad>(types, patterns.getContext());
}
